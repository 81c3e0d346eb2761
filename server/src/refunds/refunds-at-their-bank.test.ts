import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
} from '../../test/given.ts';
import { givenConnection } from '../../test/given-connection.ts';
import {
  bothConnections,
  otherConnection,
  secondConnection,
  startSecondBank,
  type TwoBanks,
  withResponses,
} from '../../test/second-bank.ts';
import { refuseLowBankBalance } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { PLATFORM, readBalances } from '../ledger/index.ts';
import { createChargeAtBank, prepareCharge, storePreparedCharge } from '../payments/create-payment.ts';
import { adjustRefundTotals, settleReceived } from '../payments/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { type AtBank, atBank, type BankReturn, createBanks, HOUSE_CONNECTION } from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';
import { bookUnknownReturns } from './book-unknown-returns.ts';
import { listRefundsOf } from './list-refunds.ts';
import { newBankRefundId, type StoredRefund, unsentOrderFields } from './refund.ts';
import { requestRefund } from './request-refund.ts';
import { sendRefunds } from './send-refunds.ts';
import { findRefund, insertRefund, listRefunds } from './store.ts';

// The gateway receives on two accounts at two banks: the operator's own, and a second one.

let gateway: TestGateway;
let two: TwoBanks;
let admin: GivenAdmin;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  two = await startSecondBank(gateway);
  admin = await givenAdmin(gateway);
  // A bank that lies about a return moves no money, so the operator's own covers the difference.
  await gateway.bank.moveMoney('deposit', 1_000_000);
});
afterAll(async () => {
  await two.stop();
  await gateway.stop();
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
  await two.openBooks(merchant.id);
  await refuseLowBankBalance(gateway.deps);
});
afterEach(async () => {
  for (const id of bothConnections) await two.testBank(id).setBehaviour({});
});

const deps = () => ({ ...gateway.deps, banks: two.banks });
const at = (connectionId: number): AtBank => atBank(deps(), connectionId);
const readOwnBalances = (connectionId = HOUSE_CONNECTION) =>
  readBalances(gateway.deps.db, merchant.id, connectionId);
const reload = (refund: StoredRefund) => findRefund(gateway.deps.db, refund);

type Payment = { readonly id: string; readonly endToEndId: string };

/** A payment of R$ 100,00 that arrived at this account. */
async function givenPaymentAt(connectionId: number): Promise<Payment> {
  const { db, clock } = gateway.deps;
  const payee = await readMerchant(db, merchant.id);
  invariant(payee !== undefined, 'a merchant that was just stored');
  const request = { merchantId: merchant.id, amount: 100, expiresInSeconds: 1800, callbackUrl: undefined };
  const prepared = await prepareCharge(deps(), payee, request);
  const charge = { ...prepared.charge, connectionId };
  await storePreparedCharge({ db, now: clock.now() }, { ...prepared, charge });
  const { brCode } = await createChargeAtBank(deps(), charge, { merchantName: 'Empório Capibaribe' }, 'new');
  const endToEndId = await two.testBank(connectionId).pay({ brCode });
  const { psp, connection } = at(connectionId);
  const pix = await psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'the bank knows what was paid to it');
  await inTransaction(gateway.deps, (tx) => settleReceived(tx, [pix], connection));
  return { id: charge.id, endToEndId };
}

const request = (payment: Payment, amount: number | undefined, withDeps = deps()) =>
  requestRefund(withDeps, {
    merchantId: merchant.id,
    chargeId: payment.id,
    externalId: undefined,
    amount,
    reason: '',
    origin: 'api',
  });
const refundsOf = (payment: Payment) => listRefunds(gateway.deps.db, merchant.id, payment.id);

/** A return as a bank lists it. */
const returnOf = (change: Partial<BankReturn>): BankReturn => ({
  refundId: newBankRefundId(),
  rtrId: `D${randomUUID().replaceAll('-', '')}`,
  amountCents: 10_00,
  nature: 'requested',
  status: 'completed',
  at: gateway.deps.clock.now(),
  reason: undefined,
  ...change,
});

/** Dependencies at a bank that lists a Pix of R$ 100,00 with these returns, whether or not it ever received one. */
function saying(connectionId: number, { endToEndId }: Payment, returns: readonly BankReturn[]): AtBank {
  const paidAt = gateway.deps.clock.now();
  const pix = { endToEndId, amountCents: 100_00, paidAt, txid: undefined, pixKey: undefined, returns };
  return withResponses(at(connectionId), {
    findReceivedPix: async () => pix,
    async *listReceivedPix() {
      yield [pix];
    },
  });
}

/** Sends due refunds, and looks them up, at their bank until the refund has ended. */
async function waitForEnd(refund: StoredRefund): Promise<void> {
  await expect
    .poll(async () => {
      await two.advance(5);
      await refuseLowBankBalance(gateway.deps);
      await sendRefunds(at(refund.connectionId));
      return (await reload(refund))?.status;
    })
    .toBe('completed');
}

test('an account whose credentials cannot be opened hides no refunds, neither its own nor those of others', async () => {
  const { banks, db, clock } = gateway.deps;
  const owner = await givenMerchant(gateway, { admin });
  const { id } = await givenConnection(gateway, owner);
  const charge = await givenCharge(gateway, owner, { amount: 100 });
  await gateway.bank.pay({ brCode: charge.content });
  await reconcilePayments(atBank(gateway.deps, id));
  await db
    .updateTable('bank_connections')
    .set({ sealed_credentials: Buffer.from('spoilt'), updated_at: clock.now() })
    .where('id', '=', id)
    .execute();
  await banks.refresh();
  await expect(banks.of(id).psp.findCharge('x', 'immediate')).rejects.toThrow('cannot be connected');
  const list = (merchantId: number, chargeId: string) => listRefundsOf(gateway.deps, merchantId, chargeId);
  expect(await list(owner.id, charge.id)).toMatchObject({ refundable_amount: 100, blocked_because: null });
  const payment = await givenPaymentAt(HOUSE_CONNECTION);
  expect(await list(merchant.id, payment.id)).toMatchObject({
    refundable_amount: 100,
    blocked_because: null,
  });
  await waitForEnd(await request(payment, 10, gateway.deps));
});

describe.each(bothConnections)('of a payment at account %i', (own) => {
  const other = otherConnection(own);

  test('a refund is sent and looked up by the payment’s bank only', async () => {
    const refund = await request(await givenPaymentAt(own), 10);
    expect(refund.connectionId).toBe(own);
    expect(await sendRefunds(at(other))).toBe(0);
    expect(await reload(refund)).toMatchObject({ sendCount: 0 });
    expect(await sendRefunds(at(own))).toBe(1);
    expect(await reload(refund)).toMatchObject({ sendCount: 1 });
    await two.advance(60);
    expect(await sendRefunds(at(other))).toBe(0);
    await waitForEnd(refund);
  });

  test('a refund needs only that the payment’s bank makes refunds', async () => {
    const without = (connectionId: number) => {
      const { connection, callbacks, psp } = at(connectionId);
      const { refunds, ...rest } = psp;
      return { connection, callbacks, psp: rest };
    };
    const depsWithout = (connectionId: number) => ({
      ...gateway.deps,
      banks:
        connectionId === HOUSE_CONNECTION
          ? createBanks(without(connectionId), [at(secondConnection.id)])
          : createBanks(two.banks.house, [without(connectionId)]),
    });
    const payment = await givenPaymentAt(own);
    await expect(request(payment, 10, depsWithout(own))).rejects.toMatchObject({
      code: 'REFUND_NOT_SUPPORTED',
    });
    const list = (withDeps: ReturnType<typeof deps>) => listRefundsOf(withDeps, merchant.id, payment.id);
    expect((await list(depsWithout(own))).blocked_because).not.toBeNull();
    expect((await list(depsWithout(other))).blocked_because).toBeNull();
    await waitForEnd(await request(payment, 10, depsWithout(other)));
  });

  test.each(['completed', 'processing', 'refused'] as const)(
    'no refund changes, and no return is booked, when the other bank lists them as %s',
    async (status) => {
      await two.testBank(own).setBehaviour({ refunds: 'slow', slowSeconds: 3600, notifications: 'never' });
      const payment = await givenPaymentAt(own);
      const refund = await request(payment, 10);
      await sendRefunds(at(own));
      const sent = await reload(refund);
      const balances = await readOwnBalances();
      const ownReturn = returnOf({ refundId: refund.bankRefundId, status });
      // With the second one, the other bank lists so much that our refund would be impossible.
      for (const returns of [[ownReturn], [returnOf({ status, amountCents: 95_00 })]])
        await bookReturnsOfPix(saying(other, payment, returns), payment.endToEndId);
      expect(await refundsOf(payment)).toEqual([sent]);
      expect(await readOwnBalances()).toEqual(balances);
      await two.advance(3600);
      await waitForEnd(refund);
    },
  );

  test('a refund that its own bank’s returns leave no room for is ended', async () => {
    const payment = await givenPaymentAt(own);
    const refund = await request(payment, 10);
    await bookReturnsOfPix(saying(own, payment, [returnOf({ amountCents: 95_00 })]), payment.endToEndId);
    expect(await reload(refund)).toMatchObject({ status: 'failed' });
    expect((await refundsOf(payment)).filter(({ status }) => status === 'completed')).toMatchObject([
      { origin: 'bank', amountCents: 95_00 },
    ]);
  });

  test('returns that the other bank lists do not keep orders stopped after a failover', async () => {
    const payment = await givenPaymentAt(own);
    for (const status of ['completed', 'processing'] as const)
      expect(await bookUnknownReturns(saying(other, payment, [returnOf({ status })]))).toBe(true);
    expect(await refundsOf(payment)).toEqual([]);
    expect(await bookUnknownReturns(saying(own, payment, [returnOf({ status: 'processing' })]))).toBe(false);
    expect(await bookUnknownReturns(saying(own, payment, [returnOf({})]))).toBe(true);
    expect(await refundsOf(payment)).toMatchObject([{ origin: 'bank', connectionId: own }]);
  });

  test('the account of a refund never changes', async () => {
    const refund = await request(await givenPaymentAt(own), 10);
    const change = gateway.deps.db.updateTable('refunds').set({ connection_id: other });
    await expect(change.where('id', '=', refund.id).execute()).rejects.toThrow('does not change this way');
    await waitForEnd(refund);
  });

  test('the database refuses a refund at another account', async () => {
    const { id: chargeId, endToEndId } = await givenPaymentAt(own);
    const stray = { ...refundOf(other, endToEndId), merchantId: merchant.id, chargeId };
    await expect(
      inTransaction(gateway.deps, async (tx) => {
        await insertRefund(tx, stray, { dueAt: null });
        const charge = { merchantId: merchant.id, id: chargeId };
        await adjustRefundTotals(tx, charge, { refundingCents: 0, refundedCents: stray.amountCents });
      }),
      // A cluster says only that it could not commit.
    ).rejects.toThrow(/differs from its refunds|could not commit/);
  });
});

/** A completed return that a bank made on its own, of a Pix that no merchant owns. */
function refundOf(connectionId: number, endToEndId: string): StoredRefund {
  const now = gateway.deps.clock.now();
  return {
    ...{ merchantId: PLATFORM, id: randomUUID(), connectionId, chargeId: null, endToEndId },
    ...{ externalId: null, requestedCents: null, bankRefundId: 'same', rtrId: 'same' },
    ...{ origin: 'bank', status: 'completed', amountCents: 10_00, reason: '' },
    ...{ errorCode: null, error: null },
    madeBy: null,
    ...unsentOrderFields,
    ...{ createdAt: now, completedAt: now },
  };
}

test('returns under the same ids at two banks are each booked', async () => {
  const ids = { refundId: 'MEDsame', rtrId: 'Dsame', amountCents: 100_00 };
  const withoutRtrId = { refundId: 'MEDother', rtrId: undefined, amountCents: 40_00 };
  for (const bankReturn of [returnOf(ids), returnOf(withoutRtrId)])
    for (const connectionId of bothConnections) {
      const payment = await givenPaymentAt(connectionId);
      for (let times = 0; times < 2; times += 1)
        expect(await bookReturnsOfPix(saying(connectionId, payment, [bankReturn]), payment.endToEndId)).toBe(
          true,
        );
      expect(await refundsOf(payment)).toMatchObject([
        { origin: 'bank', connectionId, bankRefundId: bankReturn.refundId },
      ]);
    }
  for (const connectionId of bothConnections)
    expect(await readOwnBalances(connectionId)).toMatchObject({ available: 60_00, receivable: 0 });
});

test('the database tells the ids of two accounts apart', async () => {
  const insert = (connectionIds: readonly number[]) =>
    inTransaction(gateway.deps, async (tx) => {
      for (const id of connectionIds) await insertRefund(tx, refundOf(id, 'E1'), { dueAt: null });
      throw new Error('both were stored');
    });
  await expect(insert(bothConnections)).rejects.toThrow('both were stored');
  await expect(insert([HOUSE_CONNECTION, HOUSE_CONNECTION])).rejects.toThrow('duplicate key');
});

test('a Pix in suspense is returned by the operator’s own bank alone', async () => {
  const { bank, deps: house } = gateway;
  const endToEndId = await bank.pay({ key: house.config.pixKey, amount: 100 });
  const pix = await house.psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'the bank knows what was paid to it');
  await inTransaction(house, (tx) => settleReceived(tx, [pix], house.connection));
  const readRefunds = () =>
    house.db.selectFrom('refunds').select('connection_id').where('end_to_end_id', '=', endToEndId).execute();
  const payment = { id: '', endToEndId };
  for (const status of ['completed', 'processing'] as const) {
    const lying = saying(secondConnection.id, payment, [returnOf({ status, amountCents: 100_00 })]);
    // Nothing is left to do: what another bank says of it is about no Pix of the second account.
    expect(await bookReturnsOfPix(lying, endToEndId)).toBe(true);
    expect(await bookUnknownReturns(lying)).toBe(true);
  }
  expect(await readRefunds()).toEqual([]);
  const returned = returnOf({ amountCents: 100_00 });
  expect(await bookReturnsOfPix(saying(HOUSE_CONNECTION, payment, [returned]), endToEndId)).toBe(true);
  expect(await readRefunds()).toEqual([{ connection_id: HOUSE_CONNECTION }]);
});
