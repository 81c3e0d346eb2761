import { errorEnvelope, getWithdrawal, withdraw } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultPin, type GivenMerchant, givenCharge, givenPin, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { inTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { readBalances } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import { atBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { lookUpWithdrawals, sendWithdrawals } from './send-withdrawals.ts';
import { findWithdrawal } from './store.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
  await stand.gateway.bank.moveMoney('deposit', 1_000_000);
});
afterAll(() => stand.stop());

const db = () => stand.gateway.deps.db;
const at = (id: number) => atBank(stand.gateway.deps, id);

/** A merchant with a PIN and accounts of their own. */
async function givenDirect(accounts: number) {
  const merchant = await stand.givenDirectMerchant(accounts);
  await givenPin(stand.gateway, merchant);
  return merchant;
}

/** Has the merchant's next charge paid at the account at which it is made. */
async function receive(merchant: GivenMerchant, amount: number, own?: OwnBank): Promise<void> {
  const { content } = await givenCharge(stand.gateway, merchant, { amount });
  const { psp, connection } = at(own?.id ?? HOUSE_CONNECTION);
  const endToEndId = await (own?.bank ?? stand.gateway.bank).pay({ brCode: content });
  const pix = await psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'the bank knows what was paid to it');
  await inTransaction(stand.gateway.deps, (tx) => settleReceived(tx, [pix], connection));
}

async function changeKind(id: number, merchant_kind: 'pooled' | 'direct'): Promise<void> {
  await db().updateTable('users').set({ merchant_kind }).where('id', '=', id).execute();
}

const request = ({ token }: GivenMerchant, amount: number, pin = defaultPin) =>
  stand.gateway.api(
    'POST',
    '/authed/withdraw',
    { amount, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: pin },
    { token },
  );
const codeOf = (answer: { body: unknown }) => errorEnvelope.parse(answer.body).error.code;
const accepted = async (merchant: GivenMerchant, amount: number) => {
  const { id } = parseSuccess(withdraw.response, await request(merchant, amount)).withdrawal;
  const stored = await findWithdrawal(db(), merchant.id, id);
  invariant(stored !== undefined, 'a withdrawal that was accepted');
  return stored;
};
const shown = async ({ token }: GivenMerchant, id: string) =>
  parseSuccess(
    getWithdrawal.response,
    await stand.gateway.api('GET', `/authed/withdrawals/${id}`, undefined, { token }),
  );

describe('a withdrawal of a merchant who is paid into accounts of their own', () => {
  test('is paid by their own bank, whatever is known of the operator’s balance, and its fee falls due', async () => {
    const merchant = await givenDirect(1);
    const [own] = merchant.own;
    invariant(own !== undefined, 'one account');
    await db().updateTable('users').set({ fix_out_cents: 150 }).where('id', '=', merchant.id).execute();
    await db().updateTable('bank_connections').set({ name: 'Loja' }).where('id', '=', own.id).execute();
    await receive(merchant, 100, own);
    const withdrawal = await accepted(merchant, 50);
    expect(withdrawal).toMatchObject({ connectionId: own.id, amountCents: 5000, feeCents: 150 });
    // The balance of the operator's account was never polled, so nothing is sent from there.
    expect(await sendWithdrawals(at(own.id))).toBe(1);
    await expect
      .poll(async () => {
        await stand.advance(30);
        await lookUpWithdrawals(at(own.id));
        return (await findWithdrawal(db(), merchant.id, withdrawal.id))?.status;
      })
      .toBe('completed');
    expect(await shown(merchant, withdrawal.id)).toMatchObject({
      fee_cents: 150,
      fee_billed: true,
      net_cents: 5000,
      account_name: 'Loja',
    });
    expect(await own.bank.listPayouts()).toMatchObject([{ idEnvio: withdrawal.idEnvio, amountCents: 5000 }]);
    expect(await stand.gateway.bank.listPayouts()).toEqual([]);
    expect(await readBalances(db(), merchant.id, own.id)).toMatchObject({ available: 5000, psp: -5000 });
    expect(await readBalances(db(), merchant.id)).toMatchObject({ available: 0, fees_due: -150 });
  });

  test('is sent from the first account at which the amount arrived', async () => {
    const merchant = await givenDirect(2);
    const [first, second] = merchant.own;
    invariant(first !== undefined && second !== undefined, 'two accounts');
    await receive(merchant, 20, first);
    await db().updateTable('bank_connections').set({ position: 9 }).where('id', '=', first.id).execute();
    await receive(merchant, 80, second);
    await db().updateTable('bank_connections').set({ position: 1 }).where('id', '=', first.id).execute();
    expect(await accepted(merchant, 60)).toMatchObject({ connectionId: second.id });
  });

  test('may exceed what the gateway saw, because the bank decides: it says why it refuses', async () => {
    const merchant = await givenDirect(1);
    const [own] = merchant.own;
    invariant(own !== undefined, 'one account');
    const withdrawal = await accepted(merchant, 300);
    expect(await readBalances(db(), merchant.id, own.id)).toMatchObject({ available: -30_000 });
    await sendWithdrawals(at(own.id));
    await expect
      .poll(async () => {
        await stand.advance(30);
        await lookUpWithdrawals(at(own.id));
        return (await shown(merchant, withdrawal.id)).status;
      })
      .toBe('failed');
    const { error } = await shown(merchant, withdrawal.id);
    expect(error).toContain('A sua conta bancária não tem saldo para este saque.');
    expect(error).toContain('Nada saiu da sua conta bancária.');
    expect(await readBalances(db(), merchant.id, own.id)).toMatchObject({ available: 0, in_transit: 0 });
  });

  test('takes first what is still at the operator’s account, where that covers the amount', async () => {
    const merchant = await givenDirect(1);
    const [own] = merchant.own;
    await changeKind(merchant.id, 'pooled');
    await receive(merchant, 40);
    await changeKind(merchant.id, 'direct');
    await receive(merchant, 200, own);
    const inTurn = async (amount: number) => {
      const withdrawal = await accepted(merchant, amount);
      await inTransaction(stand.gateway.deps, (tx) =>
        failWithdrawal(tx, withdrawal, { code: 'NOT_SENT', text: 'Não foi enviado.' }),
      );
      return withdrawal.connectionId;
    };
    expect(await inTurn(41)).toBe(own?.id);
    expect(await inTurn(39)).toBe(HOUSE_CONNECTION);
  });

  test('is refused before the PIN is tried where the money is in an account whose bank sends nothing', async () => {
    const merchant = await givenDirect(1);
    const [own] = merchant.own;
    invariant(own !== undefined, 'one account');
    await receive(merchant, 100, own);
    own.respond(({ payouts, ...psp }) => psp);
    expect(codeOf(await request(merchant, 50, '9999'))).toBe('MONEY_AT_OWN_BANK');
    expect(codeOf(await request(await givenDirect(0), 50))).toBe('MONEY_AT_OWN_BANK');
    const suspended = await givenDirect(1);
    await db()
      .updateTable('bank_connections')
      .set({ state: 'suspended', suspended_by: 'merchant' })
      .where('merchant_id', '=', suspended.id)
      .execute();
    expect(codeOf(await request(suspended, 50))).toBe('BANK_ACCOUNT_SUSPENDED');
    await changeKind(merchant.id, 'pooled');
    await receive(merchant, 40);
    await changeKind(merchant.id, 'direct');
    expect(codeOf(await request(merchant, 50))).toBe('INSUFFICIENT_BALANCE');
    expect(await accepted(merchant, 30)).toMatchObject({ connectionId: HOUSE_CONNECTION });
  });

  test('is refused for a wrong PIN, and counts towards the caps', async () => {
    const merchant = await givenDirect(1);
    expect(codeOf(await request(merchant, 50, '9999'))).toBe('PIN_WRONG');
    const { withdrawalsPerDayCents } = stand.gateway.deps.config.limits;
    expect(codeOf(await request(merchant, withdrawalsPerDayCents / 100 + 1))).toBe('WITHDRAWAL_TOO_LARGE');
  });
});
