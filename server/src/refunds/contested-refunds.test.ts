import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
} from '../../test/given.ts';
import { givenDispute, processDisputes } from '../../test/given-dispute.ts';
import { givenRefund } from '../../test/refunds.ts';
import { withPsp } from '../../test/with-psp.ts';
import { watchBalance } from '../bank-watch/watch-balance.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { type AtBank, type PixRefunds, PspRefused, PspUnknown } from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';
import { sendRefunds } from './send-refunds.ts';

// A payment that is both refunded by its merchant and disputed by its payer must be returned only once.

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
});
afterEach(async () => {
  await gateway.bank.setBehaviour({});
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});
afterAll(() => gateway.stop());

const givenPayment = () => givenBalance(gateway, merchant, 100);
const createRefund = (chargeId: string, amount: number) =>
  givenRefund(gateway, merchant, chargeId, { amount });
const openDispute = (endToEndId: string) => givenDispute(gateway, merchant, { endToEndId });

async function readOwnBalances() {
  const { available, blocked, in_transit, receivable } = await readBalances(gateway.deps.db, merchant.id);
  return { available, blocked, in_transit, owed: 0 - receivable };
}

function readRefund(id: string) {
  const { db } = gateway.deps;
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The gateway's dependencies, with a bank whose refund responses are scripted and whose calls are recorded. */
function withBank(refunds: Partial<PixRefunds>): { deps: AtBank; calls: string[] } {
  const calls: string[] = [];
  const realRefunds = gateway.deps.psp.refunds;
  if (realRefunds === undefined) throw new Error('The bank does not refund');
  const recordingRefunds: PixRefunds = {
    requestRefund(order) {
      calls.push('send');
      return (refunds.requestRefund ?? realRefunds.requestRefund)(order);
    },
    findRefund(endToEndId, refundId) {
      calls.push('look up');
      return (refunds.findRefund ?? realRefunds.findRefund)(endToEndId, refundId);
    },
  };
  return { deps: withPsp(gateway.deps, { ...gateway.deps.psp, refunds: recordingRefunds }), calls };
}

const throwUnknown = () => Promise.reject(new PspUnknown('no answer'));
const throwRefused = () => Promise.reject(new PspRefused('no', { reason: 'não' }));

/** Runs the sending of refunds once, after a poll of the bank's balance, without which nothing is sent. */
async function runSending(deps: AtBank): Promise<void> {
  await watchBalance(gateway.deps);
  await sendRefunds(deps);
}

/** Has the bank end the dispute, and processes the end here. `accepted`: the payer wins. */
async function endDispute({ id, bankId }: { id: string; bankId: string }, accepted: boolean): Promise<void> {
  await gateway.bank.resolveDispute(bankId, { accepted });
  const dispute = gateway.deps.db.selectFrom('disputes').select('status').where('id', '=', id);
  const read = () => processDisputes(gateway).then(() => dispute.executeTakeFirst());
  await expect.poll(read).toEqual({ status: accepted ? 'lost' : 'won' });
}

test('a refund that fails under an open dispute goes back into the blocked amount, not into the balance', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const refund = await createRefund(chargeId, 98);
  let respond: () => void = () => {};
  const response = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const sending = runSending(withBank({ requestRefund: () => response.then(throwRefused) }).deps);
  await expect.poll(async () => (await readRefund(refund.id)).send_count).toBe(1);
  const dispute = await openDispute(endToEndId);
  expect(await readOwnBalances()).toEqual({ available: 0, blocked: 2_00, in_transit: 98_00, owed: 0 });
  respond();
  await sending;
  expect(await readRefund(refund.id)).toMatchObject({ status: 'failed' });
  expect(await readOwnBalances()).toEqual({ available: 0, blocked: 100_00, in_transit: 0, owed: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
  const [notification] = await gateway.deps.db
    .selectFrom('notifications')
    .select('body')
    .where('merchant_id', '=', merchant.id)
    .where('title', '=', 'Estorno não realizado')
    .execute();
  expect(notification?.body).toMatch(
    /^R\$\s98,00 voltaram ao seu saldo, dos quais R\$\s98,00 ficam bloqueados pela disputa/,
  );
  await endDispute(dispute, true);
  await expect.poll(() => bookReturnsOfPix(gateway.deps, endToEndId)).toBe(true);
  await expect.poll(readOwnBalances).toEqual({ available: 0, blocked: 0, in_transit: 0, owed: 0 });
});

test('a dispute blocks no more of a failed refund than the contested amount', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const refund = await createRefund(chargeId, 98);
  await runSending(withBank({ requestRefund: throwUnknown }).deps);
  await givenDispute(gateway, merchant, { endToEndId, amountCents: 30_00 });
  await gateway.advance(3700);
  await runSending(withBank({ findRefund: throwUnknown }).deps);
  const evidence = 'extrato do banco de hoje, linha 12';
  const path = `/admin/users/${merchant.id}/refunds/${refund.id}/resolve`;
  const body = { outcome: 'refused', evidence };
  expect((await gateway.api('POST', path, body, { token: admin.token })).status).toBe(200);
  expect(await readOwnBalances()).toEqual({ available: 70_00, blocked: 30_00, in_transit: 0, owed: 0 });
});

test('a dispute blocks the whole amount of a failed refund if it could not block enough before', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const refund = await createRefund(chargeId, 40);
  await runSending(withBank({ requestRefund: throwUnknown }).deps);
  await givenPin(gateway, merchant);
  await givenWithdrawal(gateway, merchant);
  await givenDispute(gateway, merchant, { endToEndId, amountCents: 80_00 });
  const { blocked } = await readOwnBalances();
  expect(blocked).toBeLessThan(20_00);
  await gateway.advance(3700);
  await runSending(withBank({ findRefund: throwUnknown }).deps);
  const body = { outcome: 'refused', evidence: 'extrato do banco de hoje, linha 12' };
  const path = `/admin/users/${merchant.id}/refunds/${refund.id}/resolve`;
  expect((await gateway.api('POST', path, body, { token: admin.token })).status).toBe(200);
  expect(await readOwnBalances()).toMatchObject({ available: 0, blocked: blocked + 40_00 });
});

test('an unsent refund waits while its Pix is disputed, and is sent after the dispute is won', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const { id } = await createRefund(chargeId, 60);
  const dispute = await openDispute(endToEndId);
  const { deps, calls } = withBank({});
  await runSending(deps);
  await gateway.advance(60);
  await runSending(deps);
  expect(calls).toEqual([]);
  expect(await readRefund(id)).toMatchObject({
    send_count: 0,
    error: expect.stringContaining('contestou este Pix'),
  });
  await endDispute(dispute, false);
  await gateway.advance(60);
  await runSending(deps);
  expect(calls).toEqual(['send']);
  await expect
    .poll(() => bookReturnsOfPix(gateway.deps, endToEndId).then(readOwnBalances))
    .toEqual({
      available: 40_00,
      blocked: 0,
      in_transit: 0,
      owed: 0,
    });
});

test('an unsent refund of a Pix lost to a dispute is never sent, and its money pays for the dispute', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const { id } = await createRefund(chargeId, 60);
  const dispute = await openDispute(endToEndId);
  expect(await readOwnBalances()).toEqual({ available: 0, blocked: 40_00, in_transit: 60_00, owed: 0 });
  await gateway.bank.resolveDispute(dispute.bankId, { accepted: true, returnSeconds: 7200 });
  const status = gateway.deps.db.selectFrom('disputes').select('status').where('id', '=', dispute.id);
  await expect
    .poll(() => processDisputes(gateway).then(() => status.executeTakeFirst()))
    .toEqual({ status: 'lost' });
  await gateway.advance(60);
  const { deps, calls } = withBank({});
  await runSending(deps);
  expect(calls).toEqual([]);
  expect(await readRefund(id)).toMatchObject({ status: 'failed', error_code: 'PAYMENT_IN_DISPUTE' });
  expect(await readOwnBalances()).toEqual({ available: 0, blocked: 100_00, in_transit: 0, owed: 0 });
  await gateway.advance(7200);
  await expect.poll(() => bookReturnsOfPix(gateway.deps, endToEndId)).toBe(true);
  await expect.poll(readOwnBalances).toEqual({ available: 0, blocked: 0, in_transit: 0, owed: 0 });
});

test('a refund unknown to the bank is not resent while its Pix is disputed or its account is frozen', async () => {
  const { chargeId, endToEndId } = await givenPayment();
  const { id } = await createRefund(chargeId, 60);
  const { deps, calls } = withBank({ requestRefund: throwUnknown, findRefund: async () => undefined });
  await runSending(deps);
  const dispute = await openDispute(endToEndId);
  const lookUpEveryMinute = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 1) {
      await gateway.advance(61);
      await runSending(deps);
    }
  };
  await lookUpEveryMinute(5);
  await endDispute(dispute, false);
  const freeze = (frozen_at: Date | null) =>
    gateway.deps.db
      .updateTable('users')
      .set({ frozen_at, frozen_because: frozen_at && 'suspeita de golpe' })
      .where('id', '=', merchant.id)
      .execute();
  await freeze(gateway.deps.clock.now());
  await lookUpEveryMinute(2);
  expect(calls.filter((call) => call === 'send')).toHaveLength(1);
  await freeze(null);
  await lookUpEveryMinute(1);
  expect(calls.filter((call) => call === 'send')).toHaveLength(2);
  const runUntilDue = async () => {
    await gateway.advance(700);
    await runSending(gateway.deps);
    return readRefund(id);
  };
  await expect.poll(runUntilDue).toMatchObject({ status: 'completed' });
});

test('the audit reports a dispute that blocks less than is left of its Pix, and a dispute that blocks more', async () => {
  const { endToEndId } = await givenPayment();
  await openDispute(endToEndId);
  const owner = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await owner.connect();
  /** Falsifies the dispute and returns what the audit finds. */
  const auditWith = async (blocked: number, disputed: number) => {
    await owner.query('alter table disputes disable trigger guard_disputes');
    await owner.query(
      'update disputes set claimed_cents = $1, blocked_cents = $1, disputed_cents = $2 where end_to_end_id = $3',
      [blocked, disputed, endToEndId],
    );
    await owner.query('alter table disputes enable trigger guard_disputes');
    const found = (await auditLedger(gateway.deps.db)).filter(({ check }) => check.includes('left of a Pix'));
    return found.map(({ detail }) => detail);
  };
  expect(await auditWith(10_00, 100_00)).toEqual([
    `${endToEndId}: 10000 left, claimed 1000, contested and not claimed 9000`,
  ]);
  expect(await auditWith(120_00, 120_00)).toEqual([
    `${endToEndId}: 10000 left, claimed 12000, contested and not claimed 0`,
  ]);
  expect(await auditWith(100_00, 100_00)).toEqual([]);
  await owner.end();
});
