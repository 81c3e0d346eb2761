import { getBalance, getDailyStats, getWalletStats, profile } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenMerchant, givenCharge, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { inTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { settleReceived } from '../payments/index.ts';
import { atBank, HOUSE_CONNECTION } from '../psp/index.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

/** Has the merchant's next charge paid at the account at which it is made. */
async function receive(merchant: GivenMerchant, amount: number, own?: OwnBank): Promise<void> {
  const { content } = await givenCharge(stand.gateway, merchant, { amount });
  const { psp, connection } = atBank(stand.gateway.deps, own?.id ?? HOUSE_CONNECTION);
  const endToEndId = await (own?.bank ?? stand.gateway.bank).pay({ brCode: content });
  const pix = await psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'the bank knows what was paid to it');
  await inTransaction(stand.gateway.deps, (tx) => settleReceived(tx, [pix], connection));
}

const setKind = (id: number, merchant_kind: 'pooled' | 'direct') =>
  stand.gateway.deps.db.updateTable('users').set({ merchant_kind }).where('id', '=', id).execute();

test('the balance of a direct merchant is what the operator still holds and what arrived at all of their accounts', async () => {
  const merchant = await stand.givenDirectMerchant(2);
  const [first, second] = merchant.own;
  invariant(first !== undefined && second !== undefined, 'two accounts');
  await setKind(merchant.id, 'pooled');
  await stand.gateway.deps.db
    .updateTable('users')
    .set({ in_rate: 0, fix_in_cents: 100 })
    .where('id', '=', merchant.id)
    .execute();
  await receive(merchant, 41);
  await setKind(merchant.id, 'direct');
  await receive(merchant, 30, first);
  await stand.gateway.deps.db
    .updateTable('bank_connections')
    .set({ state: 'suspended', suspended_by: 'merchant' })
    .where('id', '=', first.id)
    .execute();
  await receive(merchant, 25, second);

  const read = async () => {
    const { api } = stand.gateway;
    const { token, apiKey } = merchant;
    const wallet = await api('GET', '/authed/wallet/stats', undefined, { token });
    const balance = await api('GET', '/balance', undefined, { apiKey });
    const days = await api('GET', '/authed/stats/daily?days=7', undefined, { token });
    const account = await api('GET', '/authed/profile', undefined, { token });
    return {
      wallet: parseSuccess(getWalletStats.response, wallet),
      balance: parseSuccess(getBalance.response, balance),
      today: parseSuccess(getDailyStats.response, days).days.at(-1),
      account: parseSuccess(profile.response, account).user,
    };
  };
  expect(await read()).toMatchObject({
    wallet: { available_balance: 95, at_own_bank: 55, at_operator: 40, gross_revenue: 96, total_earned: 93 },
    balance: { available: 95, at_own_bank: 55, at_operator: 40, reserved: 0, owed: 0 },
    today: { received: 96, count: 3, balance: 95 },
    account: { balance: 95, at_operator: 40, at_own_bank: 55 },
  });
  // Who is paid at the operator's account again still has what is at the own accounts.
  await setKind(merchant.id, 'pooled');
  expect(await read()).toMatchObject({
    wallet: { available_balance: 95, at_own_bank: 55, at_operator: 40 },
    balance: { available: 95, at_own_bank: 55, at_operator: 40 },
    today: { balance: 95 },
    account: { balance: 95, at_operator: 40, at_own_bank: 55 },
  });
});
