import { randomBytes } from 'node:crypto';
import { errorEnvelope, errors, getPaymentStatus, paymentEvent } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { givenRefund, readRefunds, requestRefundByApi } from '../../test/refunds.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { withPsp } from '../../test/with-psp.ts';
import { readBalances } from '../ledger/index.ts';
import type { AtBank, BankReturn } from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const givenPayment = (amount = 100) =>
  givenPaidPayment(gateway, merchant, { amount, callback_url: `${receiver.url}/hook` });
const refundsOf = async (id: string) => (await readRefunds(gateway, merchant, id)).refunds;
const readOwnBalances = () => readBalances(gateway.deps.db, merchant.id);
const statusOf = async (id: string) =>
  parseSuccess(
    getPaymentStatus.response,
    await gateway.api('GET', `/pix/status/${id}`, undefined, { apiKey: merchant.apiKey }),
  );
const webhooksOf = (id: string) =>
  receiver.received
    .map(({ body }) => paymentEvent.parse(JSON.parse(body)))
    .filter((event) => event.id === id && event.type === 'payment.refunded');
const readNotificationTitles = async () => {
  const rows = await gateway.deps.db
    .selectFrom('notifications')
    .select('title')
    .where('merchant_id', '=', merchant.id)
    .where('title', '<>', 'Pix recebido')
    .execute();
  return rows.map(({ title }) => title);
};

/** Makes a return at the bank itself, as the operator could, without the gateway. Returns the return's id. */
async function returnAtBank(endToEndId: string, amountCents: number): Promise<string> {
  const refundId = `hand${randomBytes(8).toString('hex')}`;
  const order = { endToEndId, refundId, amountCents, note: '' };
  const { refunds } = gateway.deps.psp;
  if (refunds === undefined) throw new Error('The bank does not refund');
  await refunds.requestRefund(order);
  return refundId;
}

/** The gateway's dependencies, with a bank that reports these returns for a Pix. */
async function depsWithReturns(endToEndId: string, returns: readonly Partial<BankReturn>[]): Promise<AtBank> {
  const { psp, clock } = gateway.deps;
  const pix = await psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know the Pix');
  const listed = returns.map((bankReturn) => ({
    refundId: randomBytes(8).toString('hex'),
    rtrId: `D${randomBytes(8).toString('hex')}`,
    amountCents: 0,
    nature: 'requested' as const,
    status: 'completed' as const,
    at: clock.now(),
    reason: undefined,
    ...bankReturn,
  }));
  return withPsp(gateway.deps, { ...psp, findReceivedPix: async () => ({ ...pix, returns: listed }) });
}

describe('a return made by the bank itself', () => {
  test('is found by the bank’s callback, and debited from the balance', async () => {
    const payment = await givenPayment();
    await returnAtBank(payment.endToEndId, 3000);
    await expect.poll(async () => (await refundsOf(payment.id)).length).toBe(1);
    expect(await refundsOf(payment.id)).toMatchObject([
      { origin: 'bank', status: 'completed', amount: 30, rtr_id: expect.stringMatching(/^D/) },
    ]);
    expect(await readOwnBalances()).toMatchObject({ available: 7000, receivable: 0, blocked: 0 });
    expect(await statusOf(payment.id)).toMatchObject({ status: 'paid', refunded_amount: 30 });
    await expect.poll(() => webhooksOf(payment.id)).toMatchObject([{ status: 'paid', refunded_amount: 30 }]);
    expect(await readNotificationTitles()).toEqual(['Pix devolvido pelo banco']);
    await returnAtBank(payment.endToEndId, 7000);
    await expect.poll(async () => (await statusOf(payment.id)).status).toBe('refunded');
    expect(await readOwnBalances()).toMatchObject({ available: 0, receivable: 0 });
  });

  test('is booked once, however often and concurrently it is reported', async () => {
    const payment = await givenPayment();
    await gateway.bank.setBehaviour({ notifications: 'never' });
    await returnAtBank(payment.endToEndId, 4000);
    await expect
      .poll(async () => (await gateway.deps.psp.findReceivedPix(payment.endToEndId))?.returns[0]?.status)
      .toBe('completed');
    const booked = await runConcurrently(12, () => bookReturnsOfPix(gateway.deps, payment.endToEndId));
    expect(booked.map((outcome) => outcome.status === 'fulfilled' && outcome.value)).toEqual(
      Array(12).fill(true),
    );
    expect(await refundsOf(payment.id)).toHaveLength(1);
    expect(await readOwnBalances()).toMatchObject({ available: 6000 });
    await expect.poll(() => webhooksOf(payment.id)).toHaveLength(1);
  });

  test('that exceeds the balance leaves a debt, which the next payment repays and which forbids refunds until then', async () => {
    const payment = await givenPayment();
    const lowerBalance = { version: 2, balance: 20, balance_before: 100, reason: 'gasto' };
    const changed = await gateway.api('PUT', `/admin/users/${merchant.id}`, lowerBalance, {
      token: admin.token,
    });
    expect(changed.status).toBe(200);
    await returnAtBank(payment.endToEndId, 5000);
    await expect.poll(async () => (await refundsOf(payment.id)).length).toBe(1);
    expect(await readOwnBalances()).toMatchObject({ available: 0, receivable: -3000 });
    expect(await readRefunds(gateway, merchant, payment.id)).toMatchObject({
      refundable_amount: 50,
      blocked_because: errors.DISPUTE_SHORTFALL.message,
    });
    const refused = await requestRefundByApi(gateway, merchant, payment.id, { amount: 1 });
    expect(refused.status).toBe(errors.DISPUTE_SHORTFALL.status);
    await givenPayment(40);
    expect(await readOwnBalances()).toMatchObject({ available: 1000, receivable: 0 });
  });

  test('after a dispute uses the amount blocked for it, and an ordinary refund is refused meanwhile', async () => {
    const payment = await givenPayment();
    await givenPayment(30);
    const disputeId = await gateway.bank.openDispute({ endToEndId: payment.endToEndId });
    await expect.poll(async () => (await readOwnBalances()).blocked).toBe(10_000);
    const refused = await requestRefundByApi(gateway, merchant, payment.id, { amount: 1 });
    expect(errorEnvelope.parse(refused.body).error.code).toBe('PAYMENT_IN_DISPUTE');
    await gateway.bank.resolveDispute(disputeId, { accepted: true });
    await expect.poll(async () => (await refundsOf(payment.id)).length).toBe(1);
    expect(await readOwnBalances()).toMatchObject({ available: 3000, blocked: 0, receivable: 0 });
    expect(await statusOf(payment.id)).toMatchObject({ status: 'refunded', refunded_amount: 100 });
    await expect.poll(() => webhooksOf(payment.id)).toMatchObject([{ status: 'refunded' }]);
    expect(await readNotificationTitles()).not.toContain('Pix devolvido pelo banco');
  });

  test('is not booked before its Pix', async () => {
    expect(await bookReturnsOfPix(gateway.deps, 'E00000000202611220000aaaaaaaaaaa')).toBe(false);
  });

  test('during our own refund takes what is left, and fails our refund if nothing can be returned any more', async () => {
    const payment = await givenPayment();
    await gateway.bank.setBehaviour({ refunds: 'down' });
    const { id } = await givenRefund(gateway, merchant, payment.id, { amount: 80 });
    const partialReturnDeps = await depsWithReturns(payment.endToEndId, [{ amountCents: 2000 }]);
    expect(await bookReturnsOfPix(partialReturnDeps, payment.endToEndId)).toBe(true);
    expect(await readRefunds(gateway, merchant, payment.id)).toMatchObject({
      refunding_amount: 80,
      refunded_amount: 20,
    });
    const [{ rtr_id = '' } = {}] = (await refundsOf(payment.id)).filter(({ origin }) => origin === 'bank');
    const fullReturnDeps = await depsWithReturns(payment.endToEndId, [
      { amountCents: 2000, rtrId: rtr_id ?? '' },
      { amountCents: 5000 },
    ]);
    expect(await bookReturnsOfPix(fullReturnDeps, payment.endToEndId)).toBe(true);
    const refunds = await refundsOf(payment.id);
    expect(refunds.find((refund) => refund.id === id)).toMatchObject({
      status: 'failed',
      error: 'O banco já devolveu este Pix a quem pagou.',
    });
    expect(await readOwnBalances()).toMatchObject({ available: 3000, in_transit: 0, receivable: 0 });
  });

  test('that does not fit waits while the bank lists our refund as in progress', async () => {
    const payment = await givenPayment();
    await gateway.bank.setBehaviour({ refunds: 'slow', slowSeconds: 3600, notifications: 'never' });
    await givenRefund(gateway, merchant, payment.id, { amount: 80 });
    await expect.poll(async () => (await refundsOf(payment.id))[0]?.rtr_id).toMatch(/^D/);
    const [ownReturn] = (await gateway.deps.psp.findReceivedPix(payment.endToEndId))?.returns ?? [];
    const impossibleReturnDeps = await depsWithReturns(payment.endToEndId, [
      { ...ownReturn },
      { amountCents: 5000 },
    ]);
    expect(await bookReturnsOfPix(impossibleReturnDeps, payment.endToEndId)).toBe(false);
    expect(await readRefunds(gateway, merchant, payment.id)).toMatchObject({
      refunding_amount: 80,
      refunded_amount: 0,
    });
    await gateway.advance(3700);
    await expect.poll(async () => (await refundsOf(payment.id))[0]?.status).toBe('completed');
  });

  test('of a failed refund is booked, and opens an item for the operator', async () => {
    const payment = await givenPayment();
    const { id } = await givenRefund(gateway, merchant, payment.id, { amount: 15.02 });
    await expect.poll(async () => (await refundsOf(payment.id))[0]?.status).toBe('failed');
    const { bank_refund_id: refundId } = await gateway.deps.db
      .selectFrom('refunds')
      .select('bank_refund_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const returnedAfterFailureDeps = await depsWithReturns(payment.endToEndId, [
      { refundId, amountCents: 1502 },
    ]);
    for (let times = 0; times < 2; times += 1)
      expect(await bookReturnsOfPix(returnedAfterFailureDeps, payment.endToEndId)).toBe(true);
    expect(await refundsOf(payment.id)).toMatchObject([
      { origin: 'bank', status: 'completed', amount: 15.02 },
      { id, status: 'failed' },
    ]);
    expect(await readOwnBalances()).toMatchObject({ available: 8498 });
    const items = await gateway.deps.db
      .selectFrom('open_items')
      .select('kind')
      .where('reference', '=', id)
      .execute();
    expect(items).toEqual([{ kind: 'refund-differs' }]);
  });

  test('reported as refused after we booked it as completed opens an item for the operator, and moves no money', async () => {
    const payment = await givenPayment();
    const { id } = await givenRefund(gateway, merchant, payment.id, { amount: 15 });
    await expect.poll(async () => (await refundsOf(payment.id))[0]?.status).toBe('completed');
    const { bank_refund_id: refundId } = await gateway.deps.db
      .selectFrom('refunds')
      .select('bank_refund_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const refused = { refundId, amountCents: 1500, status: 'refused' } as const;
    const refusedReturnDeps = await depsWithReturns(payment.endToEndId, [refused]);
    for (let times = 0; times < 2; times += 1)
      expect(await bookReturnsOfPix(refusedReturnDeps, payment.endToEndId)).toBe(true);
    expect(await refundsOf(payment.id)).toMatchObject([{ id, status: 'completed' }]);
    expect(await readOwnBalances()).toMatchObject({ available: 8500 });
    const items = gateway.deps.db.selectFrom('open_items').select('kind').where('reference', '=', id);
    expect(await items.execute()).toEqual([{ kind: 'refund-differs' }]);
  });

  test('that the bank cannot confirm now is looked up again', async () => {
    const payment = await givenPayment();
    await returnAtBank(payment.endToEndId, 1000);
    await gateway.bank.setBehaviour({ confirmations: 'down' });
    const readHints = () =>
      gateway.deps.db
        .selectFrom('bank_hints')
        .select('attempts')
        .where('reference', '=', payment.endToEndId)
        .execute();
    await expect.poll(async () => (await readHints())[0]?.attempts).toBeGreaterThan(1);
    expect(await refundsOf(payment.id)).toEqual([]);
    await gateway.bank.setBehaviour({});
    await gateway.advance(60);
    await expect.poll(async () => (await refundsOf(payment.id)).length).toBe(1);
  });
});
