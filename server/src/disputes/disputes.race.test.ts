import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { auditLedger, movements, post, readBalances } from '../ledger/index.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { releaseReserves } from '../payments/credit-counters.ts';
import { adjustRefundTotals, lockRefundableCharge, settleReceived } from '../payments/index.ts';
import { computeFeeAndReserve } from '../payments/payment.ts';
import { insertCharge } from '../payments/store.ts';
import { type BankDispute, HOUSE_CONNECTION } from '../psp/index.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { Refusal } from '../refusal.ts';
import { allocateBankReturn } from './allocate-bank-return.ts';
import { bookDispute } from './book-dispute.ts';

const rounds = Math.max(Number(process.env['PROPERTY_RUNS'] ?? 25) / 5, 5);
const terms = { inRate: 0, fixInCents: 0, reserveRate: 2000, reserveDays: 1 };
const amountCents = 100_00;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await gateway.stop();
});

type DisputedPayment = {
  readonly chargeId: string;
  readonly endToEndId: string;
  readonly dispute: BankDispute;
};

const runInTransaction = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(gateway.deps, work);

/** A payment with a reserve, booked as by reconciliation. */
async function pay(merchantId: number): Promise<DisputedPayment> {
  const { clock, config } = gateway.deps;
  const now = clock.now();
  const { id, txid } = newChargeIds(merchantId, now);
  const endToEndId = `E${randomUUID().replaceAll('-', '').slice(0, 31)}`;
  const charge = {
    merchantId,
    connectionId: gateway.deps.connection.id,
    id,
    txid,
    status: 'pending' as const,
    amountCents,
    ...computeFeeAndReserve(amountCents, terms),
    reserveDays: terms.reserveDays,
    expiresAt: new Date(now.getTime() + 600_000),
    callbackUrl: null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: null,
    metadata: null,
    cancelledAt: null,
    dueDate: null,
    createdAt: now,
  };
  await insertCharge({ db: gateway.deps.db, now }, { charge, terms, nextCheckAt: charge.expiresAt });
  const pix = { endToEndId, amountCents, paidAt: now, txid, pixKey: config.pixKey, returns: [] };
  await runInTransaction((tx) => settleReceived(tx, [pix], gateway.deps.connection));
  const dispute: BankDispute = {
    disputeId: randomUUID(),
    endToEndId,
    protocol: '1',
    amountCents,
    reason: 'golpe',
    status: 'open',
    openedAt: now,
    deadlineAt: new Date(now.getTime() + 7 * 86_400_000),
  };
  return { chargeId: id, endToEndId, dispute };
}

const bookDisputeOf = ({ dispute }: DisputedPayment, status: BankDispute['status'] = 'open') =>
  runInTransaction((tx) => bookDispute(tx, { ...dispute, status, connectionId: gateway.deps.connection.id }));

const refund = (merchantId: number, { chargeId }: DisputedPayment, amount: number) =>
  requestRefund(gateway.deps, {
    merchantId,
    chargeId,
    externalId: undefined,
    amount,
    reason: '',
    origin: 'panel',
  });

/** Takes money out of the balance, as a withdrawal would. */
const withdraw = (merchantId: number, cents: number) => givenAdjustment(gateway.deps, merchantId, -cents);

/** Returns whether the work was done: false for a refusal. Any other error fails the test. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return false;
  }
}

const readClaims = (merchantId: number) =>
  gateway.deps.db
    .selectFrom('disputes')
    .select(['end_to_end_id', 'status', 'claimed_cents', 'blocked_cents', 'shortfall_cents'])
    .where('merchant_id', '=', merchantId)
    .execute();

test('concurrent disputes, refunds, withdrawals, payments and reserve releases overdraw nothing and lose nothing', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const merchantId = await insertMerchant(gateway.deps.db);
    const payments = await Promise.all(Array.from({ length: 8 }, () => pay(merchantId)));
    const [, , , ...lastPayments] = payments;
    if (round % 2 === 1) await gateway.advance(86_460);
    let withdrawnCents = 0;
    let laterPaidCents = 0;
    await Promise.all([
      ...payments.slice(0, 6).map((paid) => isDone(bookDisputeOf(paid))),
      ...payments.slice(0, 6).map((paid) => isDone(bookDisputeOf(paid))),
      ...payments.map((paid, index) => isDone(refund(merchantId, paid, 10 + 10 * index))),
      ...lastPayments.map(async (_, index) => {
        if (await isDone(withdraw(merchantId, 50_00 + index))) withdrawnCents += 50_00 + index;
      }),
      ...[1, 2].map(async () => {
        await pay(merchantId);
        laterPaidCents += amountCents;
      }),
      releaseReserves(gateway.deps),
      releaseReserves(gateway.deps),
    ]);

    const balances = await readBalances(gateway.deps.db, merchantId);
    const claims = await readClaims(merchantId);
    expect(claims).toHaveLength(6);
    const charges = await gateway.deps.db
      .selectFrom('charges')
      .select(['end_to_end_id', 'amount_cents', 'refunding_cents'])
      .where('merchant_id', '=', merchantId)
      .execute();
    const refundingCents = charges.reduce((sum, charge) => sum + charge.refunding_cents, 0);
    expect(balances.in_transit).toBe(refundingCents);
    expect(balances.available + balances.reserved + balances.blocked).toBe(
      payments.length * amountCents + laterPaidCents - withdrawnCents - refundingCents,
    );
    for (const claim of claims) {
      const charge = charges.find(({ end_to_end_id }) => end_to_end_id === claim.end_to_end_id);
      expect(claim.claimed_cents).toBe(amountCents - (charge?.refunding_cents ?? 0));
    }
    if (claims.some(({ shortfall_cents }) => shortfall_cents > 0)) expect(balances.available).toBe(0);
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  }
});

test('disputes that end concurrently, in any way, while money arrives, leave nothing blocked and nothing owed', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const merchantId = await insertMerchant(gateway.deps.db);
    const payments = await Promise.all(Array.from({ length: 6 }, () => pay(merchantId)));
    await withdraw(merchantId, 300_00);
    for (const paid of payments) await bookDisputeOf(paid);
    // The first dispute is fully blocked, and the last has a shortfall.
    const lostPayments = [...payments.slice(0, 1), ...payments.slice(-1)];
    const endings = (['rejected', 'cancelled', 'rejected', 'cancelled'] as const).flatMap((status, index) => {
      const paid = payments[index + 1];
      return paid === undefined ? [] : [bookDisputeOf(paid, status), bookDisputeOf(paid, status)];
    });
    await Promise.all([
      ...endings,
      ...lostPayments.map((paid) => bookBankReturn(merchantId, paid)),
      ...lostPayments.map((paid) => bookDisputeOf(paid, 'accepted')),
      pay(merchantId),
      pay(merchantId),
      releaseReserves(gateway.deps),
    ]);
    const balances = await readBalances(gateway.deps.db, merchantId);
    expect(balances.blocked).toBe(0);
    expect(balances.receivable).toBe(0);
    // Eight payments less the withdrawal and the two payments that the bank took.
    expect(balances.available + balances.reserved).toBe(300_00);
    expect((await readClaims(merchantId)).map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'cancelled',
      'lost',
      'lost',
      'won',
      'won',
    ]);
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  }
});

/** Books a return that the bank made by itself. */
function bookBankReturn(merchantId: number, { chargeId, endToEndId }: DisputedPayment) {
  return runInTransaction(async (tx) => {
    const charge = await lockRefundableCharge(tx, merchantId, chargeId);
    if (charge === undefined) throw new Error('The charge is gone.');
    const rtrId = `D${endToEndId.slice(1)}`;
    await tx.db
      .insertInto('refunds')
      .values({
        merchant_id: merchantId,
        id: randomUUID(),
        charge_id: chargeId,
        end_to_end_id: endToEndId,
        bank_refund_id: rtrId,
        rtr_id: rtrId,
        origin: 'bank',
        status: 'completed',
        amount_cents: amountCents,
        created_at: tx.now,
        updated_at: tx.now,
        completed_at: tx.now,
      })
      .execute();
    const { blockedCents } = await allocateBankReturn(tx, {
      merchantId,
      connectionId: HOUSE_CONNECTION,
      endToEndId,
      amountCents,
    });
    const uncoveredCents = amountCents - blockedCents;
    await post(tx, movements.disputeLost({ merchantId, reference: rtrId, blockedCents, uncoveredCents }));
    await adjustRefundTotals(tx, charge, { refundingCents: 0, refundedCents: amountCents });
  });
}
