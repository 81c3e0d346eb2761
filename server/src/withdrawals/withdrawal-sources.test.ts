import { errorEnvelope, withdraw, withdrawalSources } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPin, type GivenMerchant, givenCharge, givenPin, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { inTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { readAvailableByAccount } from '../ledger/index.ts';
import { settleReceived } from '../payments/index.ts';
import { atBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { lookUpWithdrawals, sendWithdrawals } from './send-withdrawals.ts';
import { findOpenWithdrawal, findWithdrawal } from './store.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

const db = () => stand.gateway.deps.db;

/** A direct merchant with this many accounts of their own, and R$ 40 at the operator from the time before. */
async function givenFormerlyPooled(accounts: number) {
  const merchant = await stand.givenDirectMerchant(accounts);
  await givenPin(stand.gateway, merchant);
  await changeKind(merchant, 'pooled');
  await receive(merchant, 40);
  await changeKind(merchant, 'direct');
  return merchant;
}

async function changeKind({ id }: GivenMerchant, merchant_kind: 'pooled' | 'direct'): Promise<void> {
  await db()
    .updateTable('users')
    .set({ merchant_kind, in_rate: 0, fix_in_cents: 0, fix_out_cents: 0 })
    .where('id', '=', id)
    .execute();
}

/** Has the merchant's next charge paid at the account at which it is made. */
async function receive(merchant: GivenMerchant, amount: number, own?: OwnBank): Promise<void> {
  const { content } = await givenCharge(stand.gateway, merchant, { amount });
  const { psp, connection } = atBank(stand.gateway.deps, own?.id ?? HOUSE_CONNECTION);
  const endToEndId = await (own?.bank ?? stand.gateway.bank).pay({ brCode: content });
  const pix = await psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'the bank knows what was paid to it');
  await inTransaction(stand.gateway.deps, (tx) => settleReceived(tx, [pix], connection));
}

const setConnection = (
  id: number,
  change: { state?: 'active' | 'suspended'; position?: number; name?: string },
) =>
  db()
    .updateTable('bank_connections')
    .set({ ...change, suspended_by: change.state === 'suspended' ? 'merchant' : null })
    .where('id', '=', id)
    .execute();

const sourcesOf = async ({ token }: GivenMerchant) =>
  parseSuccess(
    withdrawalSources.response,
    await stand.gateway.api('GET', '/authed/withdrawal-sources', undefined, { token }),
  );
const request = ({ token }: GivenMerchant, amount: number, from?: string) =>
  stand.gateway.api(
    'POST',
    '/authed/withdraw',
    { amount, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: defaultPin, from },
    { token },
  );
const refusalOf = (answer: { body: unknown }) => errorEnvelope.parse(answer.body).error;

/** Requests a withdrawal, and returns the account from which it is to be sent; it is then not sent. */
async function chosenFor(merchant: GivenMerchant, amount: number, from?: string): Promise<number> {
  const { id } = parseSuccess(withdraw.response, await request(merchant, amount, from)).withdrawal;
  const stored = await findWithdrawal(db(), merchant.id, id);
  invariant(stored !== undefined, 'a withdrawal that was accepted');
  await notSend(merchant);
  return stored.connectionId;
}

async function notSend({ id }: GivenMerchant): Promise<void> {
  const open = await findOpenWithdrawal(db(), id);
  const stored = open && (await findWithdrawal(db(), id, open.id));
  invariant(stored !== undefined, 'an open withdrawal');
  await inTransaction(stand.gateway.deps, (tx) =>
    failWithdrawal(tx, stored, { code: 'NOT_SENT', text: 'Não foi enviado.' }),
  );
}

/** Has the open withdrawal sent, and its payment confirmed. */
async function complete({ id }: GivenMerchant, own: OwnBank): Promise<void> {
  await sendWithdrawals(atBank(stand.gateway.deps, own.id));
  await expect
    .poll(async () => {
      await stand.advance(30);
      await lookUpWithdrawals(atBank(stand.gateway.deps, own.id));
      return findOpenWithdrawal(db(), id);
    })
    .toBeUndefined();
}

test('the sources of withdrawals are the operator’s account, while it has money, and the own accounts that send', async () => {
  const merchant = await givenFormerlyPooled(3);
  const [first, second, third] = merchant.own;
  invariant(first !== undefined && second !== undefined && third !== undefined, 'three accounts');
  await setConnection(first.id, { name: 'Loja' });
  await receive(merchant, 200, first);
  await setConnection(first.id, { position: 9 });
  await receive(merchant, 41.5, second);
  await setConnection(second.id, { state: 'suspended' });
  await receive(merchant, 8, third);
  const house = { id: '1', at: 'operator', name: '', bank: 'Banco Sandbox', available: 40 };
  const own = (id: number, name: string, available: number) => ({
    ...{ id: String(id), at: 'own_bank', name, bank: 'Banco Sandbox', available },
  });
  expect(await sourcesOf(merchant)).toEqual({
    sources: [house, own(third.id, '', 8), own(first.id, 'Loja', 200)],
    not_sendable: 41.5,
  });
  third.respond(({ payouts, ...psp }) => psp);
  expect(await sourcesOf(merchant)).toEqual({
    sources: [house, own(first.id, 'Loja', 200)],
    not_sendable: 49.5,
  });
  await changeKind(merchant, 'pooled');
  expect(await sourcesOf(merchant)).toEqual({ sources: [house], not_sendable: 249.5 });
});

test('a withdrawal leaves from the account that it names, and without one from that which the gateway chooses', async () => {
  const merchant = await givenFormerlyPooled(2);
  const [first, second] = merchant.own;
  invariant(first !== undefined && second !== undefined, 'two accounts');
  await receive(merchant, 100, first);
  await setConnection(first.id, { position: 9 });
  await receive(merchant, 60, second);
  expect(await chosenFor(merchant, 30)).toBe(HOUSE_CONNECTION);
  expect(await chosenFor(merchant, 30, String(first.id))).toBe(first.id);
  expect(await chosenFor(merchant, 30, String(second.id))).toBe(second.id);
  expect(await chosenFor(merchant, 30, '1')).toBe(HOUSE_CONNECTION);
  expect(await chosenFor(merchant, 60, String(second.id))).toBe(second.id);
});

test('more than the named account has is refused, saying what each has, and debits no other', async () => {
  const merchant = await givenFormerlyPooled(1);
  const [own] = merchant.own;
  invariant(own !== undefined, 'one account');
  await setConnection(own.id, { name: 'Loja' });
  await receive(merchant, 30, own);
  const before = await readAvailableByAccount(db(), merchant.id);
  for (const [amount, from] of [
    [35, String(own.id)],
    [40.01, '1'],
  ] as const) {
    const refusal = refusalOf(await request(merchant, amount, from));
    expect(refusal.code).toBe('INSUFFICIENT_BALANCE');
    expect(refusal.message.replaceAll('\u00a0', ' ')).toBe(
      'A conta escolhida não tem este valor. Você pode sacar até R$ 40,00 da conta do operador ou até R$ 30,00 da sua conta Loja.',
    );
  }
  expect(await readAvailableByAccount(db(), merchant.id)).toEqual(before);
});

test('an account that is not the merchant’s, or from which nothing is sent, is no source', async () => {
  const merchant = await givenFormerlyPooled(1);
  const other = await givenFormerlyPooled(1);
  const [own] = merchant.own;
  const [foreign] = other.own;
  invariant(own !== undefined && foreign !== undefined, 'one account each');
  await receive(merchant, 100, own);
  await receive(other, 100, foreign);
  const refuses = async (from: string) => refusalOf(await request(merchant, 10, from)).code;
  expect(await refuses(String(foreign.id))).toBe('WITHDRAWAL_SOURCE_UNAVAILABLE');
  expect(await refuses('x')).toBe('WITHDRAWAL_SOURCE_UNAVAILABLE');
  await setConnection(own.id, { state: 'suspended' });
  expect(await refuses(String(own.id))).toBe('WITHDRAWAL_SOURCE_UNAVAILABLE');
  await changeKind(merchant, 'pooled');
  expect(await refuses(String(own.id))).toBe('WITHDRAWAL_SOURCE_UNAVAILABLE');
});

test('withdrawals that are requested at once never take more from the named account than it has', async () => {
  const merchant = await givenFormerlyPooled(1);
  const [own] = merchant.own;
  invariant(own !== undefined, 'one account');
  await receive(merchant, 100, own);
  const left = async () => (await readAvailableByAccount(db(), merchant.id)).get(own.id);
  for (let round = 0; round < 4; round += 1) {
    // Together they ask for more than is there, and from the second round on each one alone does.
    const answers = await runConcurrently(4, () => request(merchant, 60, String(own.id)));
    const accepted = answers.filter((one) => one.status === 'fulfilled' && one.value.status === 201);
    expect(accepted).toHaveLength(round === 0 ? 1 : 0);
    expect(await left()).toBe(4000);
    if (round === 0) await complete(merchant, own);
  }
});
