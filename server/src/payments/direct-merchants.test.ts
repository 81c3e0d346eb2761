import { errorEnvelope, getPaymentStatus } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { type GivenMerchant, givenCharge, parseSuccess } from '../../test/given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { invariant } from '../invariant.ts';
import { readBalances } from '../ledger/index.ts';
import { atBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { findCharge } from './store.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

const taxes = {
  pix: { in: 1, out: 0, fixIn: 0.5, fixOut: 0 },
  crypto: 0,
  reserve: { enabled: true, percentage: 10, liberationTime: 30 },
};
const changeAccount = async (id: number, change: Readonly<Record<string, unknown>>) => {
  const { api, deps } = stand.gateway;
  const { version } = await deps.db
    .selectFrom('users')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const answer = await api('PUT', `/admin/users/${id}`, { version, ...change }, { token: stand.admin.token });
  expect(answer.status).toBe(200);
};
const atOwn = ({ id }: OwnBank) => atBank(stand.gateway.deps, id);
const storedCharge = async (merchantId: number, id: string) => {
  const charge = await findCharge(stand.gateway.deps.db, merchantId, id);
  if (charge === undefined) throw new Error('the charge was just created');
  return charge;
};
const refusalOf = async (merchant: GivenMerchant) => {
  const answer = await stand.gateway.api('POST', '/pix/new', { amount: 50 }, { apiKey: merchant.apiKey });
  return errorEnvelope.parse(answer.body).error.code;
};

describe('a charge of a merchant who is paid into accounts of their own', () => {
  test('is made at the first active one, keeps nothing back, and accrues its fee when it is paid', async () => {
    const merchant = await stand.givenDirectMerchant(2);
    const [first] = merchant.own;
    invariant(first !== undefined, 'two accounts');
    await changeAccount(merchant.id, { taxes });
    const created = await givenCharge(stand.gateway, merchant, { amount: 100 });
    expect(created).toMatchObject({ fee: 1.5, fee_billed: true, credited_amount: 100, reserved_amount: 0 });
    const charge = await storedCharge(merchant.id, created.id);
    expect(charge).toMatchObject({ connectionId: first.id, reserveCents: 0, reserveDays: 0 });
    await stand.gateway.deps.db
      .updateTable('bank_connections')
      .set({ name: 'Loja da feira' })
      .where('id', '=', first.id)
      .execute();
    const list = await stand.gateway.api('GET', '/pix', undefined, { apiKey: merchant.apiKey });
    expect(list.body).toMatchObject({ data: [{ id: created.id, account_name: 'Loja da feira' }] });
    expect(await atOwn(first).psp.findCharge(charge.txid, 'immediate')).toMatchObject({ status: 'active' });
    expect(await stand.gateway.deps.psp.findCharge(charge.txid, 'immediate')).toBeUndefined();

    await first.bank.pay({ brCode: created.content });
    await reconcilePayments(atOwn(first));
    const answer = await stand.gateway.api('GET', `/pix/status/${created.id}`, undefined, {
      apiKey: merchant.apiKey,
    });
    expect(parseSuccess(getPaymentStatus.response, answer)).toMatchObject({
      status: 'paid',
      credited_amount: 100,
      reserved_amount: 0,
    });
    const { db } = stand.gateway.deps;
    expect(await readBalances(db, merchant.id, first.id)).toMatchObject({ available: 10_000, psp: -10_000 });
    expect(await readBalances(db, merchant.id)).toMatchObject({ available: 0, reserved: 0, fees_due: -150 });
  });

  test('follows the order that the merchant chose, and passes over accounts that are not active', async () => {
    const merchant = await stand.givenDirectMerchant(2);
    const [first, second] = merchant.own;
    invariant(first !== undefined && second !== undefined, 'two accounts');
    const accountOfNew = async () => {
      const { id } = await givenCharge(stand.gateway, merchant);
      return (await storedCharge(merchant.id, id)).connectionId;
    };
    const { db } = stand.gateway.deps;
    const change = (id: number, values: { position?: number; state?: string; suspended_by?: string }) =>
      db.updateTable('bank_connections').set(values).where('id', '=', id).execute();
    await change(first.id, { position: 3 });
    expect(await accountOfNew()).toBe(second.id);
    await change(first.id, { position: 1 });
    expect(await accountOfNew()).toBe(first.id);
    await change(first.id, { state: 'suspended', suspended_by: 'merchant' });
    expect(await accountOfNew()).toBe(second.id);
  });

  test('is refused while no account is connected', async () => {
    const merchant = await stand.givenDirectMerchant(0);
    expect(await refusalOf(merchant)).toBe('BANK_NOT_CONNECTED');
    const other = await stand.givenDirectMerchant(1);
    // The books and the row of the account exist, but this process does not know its bank yet.
    await insertConnection(stand.gateway.deps.db, merchant.id, 'desconhecida@example.com');
    expect(await refusalOf(merchant)).toBe('BANK_NOT_CONNECTED');
    await givenCharge(stand.gateway, other);
    // The one account that is connected is suspended, which takes another remedy.
    await stand.gateway.deps.db
      .updateTable('bank_connections')
      .set({ state: 'suspended', suspended_by: 'certificate' })
      .where('merchant_id', '=', other.id)
      .execute();
    expect(await refusalOf(other)).toBe('BANK_ACCOUNT_SUSPENDED');
  });

  test('is made at the operator’s account again once the merchant is paid there', async () => {
    const merchant = await stand.givenDirectMerchant(1);
    await stand.gateway.deps.db
      .updateTable('bank_connections')
      .set({ state: 'suspended', suspended_by: 'operator' })
      .where('merchant_id', '=', merchant.id)
      .execute();
    await changeAccount(merchant.id, { merchant_kind: 'pooled', taxes });
    const { id } = await givenCharge(stand.gateway, merchant, { amount: 100 });
    expect(await storedCharge(merchant.id, id)).toMatchObject({
      connectionId: HOUSE_CONNECTION,
      reserveCents: 985,
    });
  });
});
