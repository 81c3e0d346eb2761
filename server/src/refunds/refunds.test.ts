import {
  type ErrorCode,
  errorEnvelope,
  errors,
  getPaymentStatus,
  liveMessage,
  paymentEvent,
  refund,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { givenRefund, readRefunds, requestRefundByApi } from '../../test/refunds.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { readBalances } from '../ledger/index.ts';
import { ANNOUNCEMENTS_CHANNEL, createListener, readAnnouncement } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { requestRefund } from './request-refund.ts';

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
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const givenPayment = (charge: Readonly<Record<string, unknown>> = {}) =>
  givenPaidPayment(gateway, merchant, charge);
const postRefund = (id: string, body: Readonly<Record<string, unknown>> = {}, key?: string) =>
  requestRefundByApi(gateway, merchant, id, body, key === undefined ? {} : { 'idempotency-key': key });
const refundsOf = (id: string) => readRefunds(gateway, merchant, id);
const statusOf = async (id: string) =>
  parseSuccess(
    getPaymentStatus.response,
    await gateway.api('GET', `/pix/status/${id}`, undefined, { apiKey: merchant.apiKey }),
  );
const readOwnBalances = () => readBalances(gateway.deps.db, merchant.id);

function expectRefusal(response: ApiAnswer, code: ErrorCode): void {
  expect({ status: response.status, code: errorEnvelope.safeParse(response.body).data?.error.code }).toEqual({
    status: errors[code].status,
    code,
  });
}

/** Waits until the newest refund of a payment has this status. */
async function waitForRefund(id: string, status: string) {
  await expect.poll(async () => (await refundsOf(id)).refunds[0]?.status).toBe(status);
  const [newest] = (await refundsOf(id)).refunds;
  if (newest === undefined) throw new Error('There is no refund');
  return newest;
}

const readStored = (id: string) =>
  gateway.deps.db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const webhooksOf = (id: string) =>
  receiver.received
    .map((webhook) => ({ id: webhook.id, event: paymentEvent.parse(JSON.parse(webhook.body)) }))
    .filter(({ event }) => event.id === id && event.type === 'payment.refunded');

const notificationsOf = async (id: string) => {
  const rows = await gateway.deps.db
    .selectFrom('notifications')
    .select(['title', 'body', 'data'])
    .where('merchant_id', '=', merchant.id)
    .orderBy('id')
    .execute();
  return rows.filter(({ data, title }) => title !== 'Pix recebido' && JSON.stringify(data).includes(id));
};

describe('a refund', () => {
  test('of a whole payment debits the balance immediately, and the payment is refunded once the bank confirms', async () => {
    const payment = await givenPayment({ amount: 80, callback_url: `${receiver.url}/hook` });
    const before = await readOwnBalances();
    const bankBefore = await gateway.bank.balanceCents();
    const requested = await givenRefund(gateway, merchant, payment.id, { reason: 'Produto em falta' });
    expect(requested).toMatchObject({
      payment_id: payment.id,
      status: 'processing',
      amount: 80,
      origin: 'api',
      reason: 'Produto em falta',
      rtr_id: null,
    });
    expect((await readOwnBalances()).available).toBe(before.available - 8000);

    const completed = await waitForRefund(payment.id, 'completed');
    expect(completed).toMatchObject({ id: requested.id, error: null, rtr_id: expect.stringMatching(/^D/) });
    expect(await statusOf(payment.id)).toMatchObject({ status: 'refunded', refunded_amount: 80 });
    expect(await gateway.bank.balanceCents()).toBe(bankBefore - 8000);
    expect(await readOwnBalances()).toMatchObject({ in_transit: 0, available: before.available - 8000 });
    await expect.poll(() => webhooksOf(payment.id)).toHaveLength(1);
    expect(webhooksOf(payment.id)[0]).toMatchObject({
      id: `evt_${payment.id.replaceAll('-', '')}_refunded_${requested.id.replaceAll('-', '')}`,
      event: { status: 'refunded', amount: 80, refunded_amount: 80 },
    });
    expect(await notificationsOf(payment.id)).toEqual([
      {
        title: 'Estorno concluído',
        body: `${formatBrl(8000)} foram devolvidos a quem pagou.`,
        data: { type: 'payment.refunded', id: payment.id, status: 'refunded', refund_id: requested.id },
      },
    ]);
  });

  test('of a part leaves the payment paid until nothing is left, and each part is notified', async () => {
    const payment = await givenPayment({ amount: 30, callback_url: `${receiver.url}/hook` });
    const first = await givenRefund(gateway, merchant, payment.id, { amount: 10.5, id: 'devolucao-7' });
    expect(first.refund_id).toBe('devolucao-7');
    await waitForRefund(payment.id, 'completed');
    await expect
      .poll(() => webhooksOf(payment.id)[0]?.event)
      .toMatchObject({
        refund: { id: first.id, refund_id: 'devolucao-7', amount: 10.5 },
        refunded_amount: 10.5,
      });
    expect(await statusOf(payment.id)).toMatchObject({ status: 'paid', refunded_amount: 10.5 });
    expect(await refundsOf(payment.id)).toMatchObject({
      refunded_amount: 10.5,
      refunding_amount: 0,
      refundable_amount: 19.5,
      blocked_because: null,
    });
    expectRefusal(await postRefund(payment.id, { amount: 19.51 }), 'REFUND_EXCEEDS_PAYMENT');
    // A misspelt field must not mean a full refund.
    expectRefusal(await postRefund(payment.id, { ammount: 1 }), 'INVALID_BODY');
    await givenRefund(gateway, merchant, payment.id, { amount: 9 });
    await givenRefund(gateway, merchant, payment.id);
    await expect.poll(async () => (await statusOf(payment.id)).status).toBe('refunded');
    await expect.poll(() => webhooksOf(payment.id)).toHaveLength(3);
    const events = webhooksOf(payment.id).map(({ event }) => [event.status, event.refunded_amount]);
    expect(events.filter(([status]) => status === 'refunded')).toEqual([['refunded', 30]]);
    expect(events.filter(([status]) => status === 'paid')).toHaveLength(2);
    expectRefusal(await postRefund(payment.id), 'REFUND_EXCEEDS_PAYMENT');
    const response = await refundsOf(payment.id);
    expect(response.refundable_amount).toBe(0);
    expect(response.blocked_because).toBe('Este pagamento já foi estornado por inteiro.');
    expect(response.refunds.map(({ amount }) => amount)).toEqual([10.5, 9, 10.5]);
  });

  test('can also be requested with a session, without an active key', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const payment = await givenPaidPayment(gateway, owner);
    const change = { version: 2, apiActive: false };
    const changed = await gateway.api('PUT', `/admin/users/${owner.id}`, change, { token: admin.token });
    expect(changed.status).toBe(200);
    expectRefusal(await requestRefundByApi(gateway, owner, payment.id), 'API_KEY_INACTIVE');
    const response = await gateway.api('POST', `/pix/${payment.id}/refund`, {}, { token: owner.token });
    expect(parseSuccess(refund, response)).toMatchObject({ origin: 'panel', amount: 100 });
  });

  test('without a body returns all that is left', async () => {
    const payment = await givenPayment({ amount: 7 });
    const response = await gateway.api('POST', `/pix/${payment.id}/refund`, undefined, {
      apiKey: merchant.apiKey,
    });
    expect(parseSuccess(refund, response)).toMatchObject({ amount: 7 });
  });
});

describe('a refund is refused', () => {
  test('if there is nothing to refund, with the reason', async () => {
    const pendingCharge = await givenCharge(gateway, merchant);
    expectRefusal(await postRefund(pendingCharge.id), 'REFUND_NOT_PAID');
    expect(await refundsOf(pendingCharge.id)).toMatchObject({
      refundable_amount: 0,
      refundable_until: null,
      blocked_because: errors.REFUND_NOT_PAID.message,
    });
    expectRefusal(await postRefund('6e2f7f0a-3a4e-4a39-9d6c-0d2b1b1c7e55'), 'PAYMENT_NOT_FOUND');
    const other = await givenMerchant(gateway, { admin });
    const payment = await givenPayment();
    expectRefusal(await requestRefundByApi(gateway, other, payment.id), 'PAYMENT_NOT_FOUND');
  });

  test('for an invalid amount, or one above the payment', async () => {
    const payment = await givenPayment({ amount: 20 });
    for (const amount of [0, -1, 0.001, 1e300])
      expectRefusal(await postRefund(payment.id, { amount }), 'AMOUNT_INVALID');
    expectRefusal(await postRefund(payment.id, { amount: 20.01 }), 'REFUND_EXCEEDS_PAYMENT');
    expect((await refundsOf(payment.id)).refunds).toEqual([]);
  });

  test('if the balance is too low, and then nothing is debited', async () => {
    const poorMerchant = await givenMerchant(gateway, {
      admin,
      account: {
        taxes: {
          pix: { in: 0, fixIn: 1, out: 0, fixOut: 0 },
          crypto: 0,
          reserve: { enabled: false, percentage: 0, liberationTime: 0 },
        },
      },
    });
    const payment = await givenPaidPayment(gateway, poorMerchant);
    expectRefusal(await requestRefundByApi(gateway, poorMerchant, payment.id), 'INSUFFICIENT_BALANCE');
    expect(await readRefunds(gateway, poorMerchant, payment.id)).toMatchObject({
      refunds: [],
      refunding_amount: 0,
    });
    await givenRefund(gateway, poorMerchant, payment.id, { amount: 99 });
  });

  test('for an account that is not approved', async () => {
    const owner = await givenMerchant(gateway, { admin });
    const payment = await givenPaidPayment(gateway, owner);
    await gateway.api(
      'PUT',
      `/admin/users/${owner.id}`,
      { version: 2, approved: false },
      { token: admin.token },
    );
    expectRefusal(await requestRefundByApi(gateway, owner, payment.id), 'ACCOUNT_NOT_APPROVED');
  });
});

describe('a repeated request', () => {
  test('with the same refund id and data is one refund, and is refused with other data', async () => {
    const payment = await givenPayment({ amount: 40 });
    const first = await givenRefund(gateway, merchant, payment.id, {
      id: 'pedido-1',
      amount: 5,
      reason: 'troca',
    });
    const retried = await givenRefund(gateway, merchant, payment.id, {
      id: 'pedido-1',
      amount: 5,
      reason: 'troca',
    });
    expect(retried.id).toBe(first.id);
    for (const other of [{ amount: 6, reason: 'troca' }, { amount: 5, reason: 'outra' }, { reason: 'troca' }])
      expectRefusal(await postRefund(payment.id, { id: 'pedido-1', ...other }), 'REFUND_ID_REUSED');
    await givenRefund(gateway, merchant, payment.id, { id: 'resto' });
    await givenRefund(gateway, merchant, payment.id, { id: 'resto' });
    expect((await refundsOf(payment.id)).refunds.map(({ amount }) => amount)).toEqual([35, 5]);
    const second = await givenPayment({ amount: 12 });
    expect(await givenRefund(gateway, merchant, second.id, { id: 'pedido-1', amount: 5 })).toMatchObject({
      amount: 5,
    });
  });

  test('under one Idempotency-Key is one refund', async () => {
    const payment = await givenPayment({ amount: 40 });
    const key = `refund-${payment.id}`;
    const [first, repeated] = [
      await postRefund(payment.id, { amount: 5 }, key),
      await postRefund(payment.id, { amount: 5 }, key),
    ];
    expect(parseSuccess(refund, repeated).id).toBe(parseSuccess(refund, first).id);
    expectRefusal(await postRefund(payment.id, { amount: 6 }, key), 'IDEMPOTENCY_CONFLICT');
    expect((await refundsOf(payment.id)).refunds).toHaveLength(1);
  });
});

describe('if the bank', () => {
  test('refuses a refund in the call, the money returns to the balance, with the bank’s reason', async () => {
    const payment = await givenPayment({ amount: 50 });
    const before = await readOwnBalances();
    await givenRefund(gateway, merchant, payment.id, { amount: 15.02 });
    const failed = await waitForRefund(payment.id, 'failed');
    expect(failed.error).toBe('O banco recusou a devolução: A devolução foi negada por análises.');
    expect(await readOwnBalances()).toMatchObject({ available: before.available, in_transit: 0 });
    expect(await statusOf(payment.id)).toMatchObject({ status: 'paid', refunded_amount: 0 });
    expect(await refundsOf(payment.id)).toMatchObject({ refundable_amount: 50, refunding_amount: 0 });
    expect(await notificationsOf(payment.id)).toMatchObject([{ title: 'Estorno não realizado' }]);
    await givenRefund(gateway, merchant, payment.id);
    await waitForRefund(payment.id, 'completed');
  });

  test('accepts a refund and refuses it later, the money returns to the balance', async () => {
    const payment = await givenPayment({ amount: 50 });
    const before = await readOwnBalances();
    await givenRefund(gateway, merchant, payment.id, { amount: 15.01 });
    expect((await waitForRefund(payment.id, 'failed')).error).toContain('O banco recusou a devolução');
    expect(await readOwnBalances()).toMatchObject({ available: before.available, in_transit: 0 });
  });

  test('is slow, the money stays in transit until the refund is completed', async () => {
    await gateway.bank.setBehaviour({ slowSeconds: 30 });
    const payment = await givenPayment({ amount: 50 });
    const before = await readOwnBalances();
    await givenRefund(gateway, merchant, payment.id, { amount: 15.03 });
    await expect.poll(async () => (await refundsOf(payment.id)).refunds[0]?.rtr_id).toMatch(/^D/);
    expect(await refundsOf(payment.id)).toMatchObject({ refunding_amount: 15.03, refundable_amount: 34.97 });
    expect(await readOwnBalances()).toMatchObject({ available: before.available - 1503, in_transit: 1503 });
    await gateway.advance(40);
    await waitForRefund(payment.id, 'completed');
    await gateway.bank.setBehaviour({});
  });

  test('accepts a refund without a response, the refund is found by its id and paid once', async () => {
    const payment = await givenPayment({ amount: 50 });
    await gateway.bank.setBehaviour({ notifications: 'never' });
    const bankBefore = await gateway.bank.balanceCents();
    const { id } = await givenRefund(gateway, merchant, payment.id, { amount: 15.04 });
    await expect.poll(async () => (await readStored(id)).unknown_since).not.toBeNull();
    await gateway.advance(10);
    await waitForRefund(payment.id, 'completed');
    expect(await gateway.bank.balanceCents()).toBe(bankBefore - 1504);
    await gateway.bank.setBehaviour({});
  });

  test('is down, the refund is resent under the same id after two minutes and three look-ups', async () => {
    const payment = await givenPayment({ amount: 50 });
    const bankBefore = await gateway.bank.balanceCents();
    const { id } = await givenRefund(gateway, merchant, payment.id, { amount: 15.05 });
    await expect.poll(async () => (await readStored(id)).lookup_count).toBe(1);
    const bankRefundId = (await readStored(id)).bank_refund_id;
    for (let lookups = 2; lookups <= 3; lookups += 1) {
      await gateway.advance(10);
      await expect.poll(async () => (await readStored(id)).lookup_count).toBeGreaterThanOrEqual(lookups);
    }
    expect(await readStored(id)).toMatchObject({ send_count: 1, status: 'processing' });
    await gateway.advance(125);
    await waitForRefund(payment.id, 'completed');
    expect(await readStored(id)).toMatchObject({ send_count: 2, bank_refund_id: bankRefundId });
    expect(await gateway.bank.balanceCents()).toBe(bankBefore - 1505);
  });
});

test('a caller who retries under the same key continues the same refund', async () => {
  const payment = await givenPayment({ amount: 10 });
  const request = {
    merchantId: merchant.id,
    chargeId: payment.id,
    externalId: undefined,
    amount: 4,
    reason: '',
    origin: 'api',
  } as const;
  const rememberedIds: string[] = [];
  const remember = async (id: string) => void rememberedIds.push(id);
  const first = await requestRefund(gateway.deps, request, { resumedId: undefined, remember });
  expect(rememberedIds).toEqual([first.id]);
  const retried = await requestRefund(gateway.deps, request, { resumedId: first.id, remember });
  expect(retried.id).toBe(first.id);
  const neverStored = '3f0f7a52-8a1b-4a55-9d4e-6b1f3c1d2e77';
  const resumedId = await requestRefund(gateway.deps, request, { resumedId: neverStored, remember });
  expect(resumedId.id).toBe(neverStored);
  expect(rememberedIds).toHaveLength(1);
});

test('open screens are updated when a refund is requested and when it ends', async () => {
  const screenMessages: unknown[] = [];
  const listener = createListener({ url: gateway.database.appUrl, log: gateway.deps.log });
  const payment = await givenPayment({ amount: 10 });
  listener.on(ANNOUNCEMENTS_CHANNEL, (payload) => {
    for (const { merchantId, message } of readAnnouncement(payload)) {
      const parsed = liveMessage.parse(JSON.parse(message));
      if (merchantId !== merchant.id || parsed.type !== 'charge') continue;
      if (parsed.charge.refunded_amount !== undefined) screenMessages.push(parsed.charge);
    }
  });
  await listener.start();
  await givenRefund(gateway, merchant, payment.id, { amount: 4 });
  await waitForRefund(payment.id, 'completed');
  await expect.poll(() => screenMessages).toHaveLength(2);
  expect(screenMessages).toMatchObject([
    { id: payment.id, status: 'paid', refunded_amount: 0 },
    { id: payment.id, status: 'paid', refunded_amount: 4 },
  ]);
  await listener.stop();
});

test('a bank without refunds is reported as such', async () => {
  const other = await startTestGateway({ sharedGateway: gateway, env: { PSP_REFUNDS: '0' } });
  const payment = await givenPayment({ amount: 10 });
  const response = await requestRefundByApi(other, merchant, payment.id);
  expectRefusal(response, 'REFUND_NOT_SUPPORTED');
  expect(errorEnvelope.parse(response.body).message).toBe('Funcionalidade de estorno não implementada');
  expect((await readRefunds(other, merchant, payment.id)).blocked_because).toBe(
    'Funcionalidade de estorno não implementada',
  );
  await other.stop();
});

// This test is the last of the file, because the clock moves so far that sessions expire.
test('a payment can be refunded for exactly 90 days', async () => {
  const payment = await givenPayment({ amount: 10 });
  const paidAt = new Date(payment.paid_at ?? 0).getTime();
  const until = paidAt + 90 * 86_400_000;
  expect((await refundsOf(payment.id)).refundable_until).toBe(new Date(until).toISOString());
  await gateway.advance((until - gateway.deps.clock.now().getTime()) / 1000 - 30);
  await givenRefund(gateway, merchant, payment.id, { amount: 4 });
  await waitForRefund(payment.id, 'completed');
  await gateway.advance(31);
  expectRefusal(await postRefund(payment.id), 'REFUND_TOO_LATE');
  expect((await refundsOf(payment.id)).blocked_because).toBe(errors.REFUND_TOO_LATE.message);
});
