import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntilEventsAreVisible } from '../../server/test/feed.ts';
import { startTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import {
  defaultPin,
  type GivenMerchant,
  givenBalance,
  givenMerchant,
  givenPin,
} from '../../server/test/given.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import {
  type Attempt,
  type FeedEvent,
  Jangada,
  type JangadaEvent,
  JangadaOutcomeUnknownError,
  verifyWebhook,
} from '../src/index.ts';
import { type LossyProxy, lossyProxy } from './lossy-proxy.ts';

let gateway: TestGateway;
let network: LossyProxy;
let merchant: GivenMerchant;
let jangada: Jangada;
const attempts: Attempt[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  network = await lossyProxy(gateway.url);
  merchant = await givenMerchant(gateway);
  jangada = clientOf(merchant);
  await givenBalance(gateway, merchant, 500);
});

beforeEach(() => {
  attempts.length = 0;
});

afterAll(async () => {
  await network.close();
  await gateway.stop();
});

function clientOf({ apiKey }: Pick<GivenMerchant, 'apiKey'>): Jangada {
  return new Jangada({
    baseUrl: network.url,
    apiKey,
    retryDelayMs: 1,
    maxRetries: 8,
    onAttempt: (attempt) => attempts.push(attempt),
  });
}

/** Reads a list to its end. */
async function readAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** Waits for the first event of a type after the event `after`. */
async function waitForEvent(after: string | undefined, type: FeedEvent['type']): Promise<FeedEvent> {
  for await (const event of jangada.events.follow({ after, intervalMs: 20 }))
    if (event.type === type) return event;
  throw new Error(`There was no ${type}.`);
}

async function lastEventId(): Promise<string | undefined> {
  await waitUntilEventsAreVisible(gateway);
  return (await readAll(jangada.events.listAll())).at(-1)?.id;
}

describe('on a bad network', () => {
  test('a charge is created once, whichever requests and responses are lost', async () => {
    network.setNextFates('drop', 'lose-answer', 'busy', 'cut-answer');
    const payment = await jangada.payments.create({ amount: 12.34, external_id: 'rede-1', image: false });
    const repeatedCalls = network.calls.slice(-5);
    expect(repeatedCalls.map(({ fate }) => fate)).toEqual([
      'drop',
      'lose-answer',
      'busy',
      'cut-answer',
      'pass',
    ]);
    expect(new Set(repeatedCalls.map(({ idempotencyKey, body }) => `${idempotencyKey} ${body}`)).size).toBe(
      1,
    );
    expect(attempts.at(-1)).toMatchObject({ attempt: 5, status: 201, replayed: true });
    const { data } = await jangada.payments.list({ external_id: 'rede-1' });
    expect(data.map(({ id, amount }) => ({ id, amount }))).toEqual([{ id: payment.id, amount: 12.34 }]);
  });

  test('a call to a gateway that never responds is retried after the timeout', async () => {
    network.setNextFates('hang');
    const payment = await jangada.payments.create({ amount: 2, external_id: 'rede-2' }, { timeoutMs: 2000 });
    expect(attempts[0]?.errorCode).toBe('TIMED_OUT');
    const { data } = await jangada.payments.list({ external_id: 'rede-2' });
    expect(data.map(({ id }) => id)).toEqual([payment.id]);
  });

  test('an unknown outcome is resolved by repeating the call with the key in the error', async () => {
    network.setNextFates('lose-answer', 'drop');
    const request = { amount: 3, external_id: 'rede-3' };
    const lost: unknown = await jangada.payments
      .create(request, { maxRetries: 1 })
      .catch((error: unknown) => error);
    if (!(lost instanceof JangadaOutcomeUnknownError)) throw lost;
    const { idempotencyKey } = lost;
    const payment = await jangada.payments.create(request, { idempotencyKey });
    const { data } = await jangada.payments.list({ external_id: 'rede-3' });
    expect(data.map(({ id }) => id)).toEqual([payment.id]);
    await expect(jangada.payments.create({ amount: 4 }, { idempotencyKey })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      status: 409,
    });
  });

  test('a call that the gateway lost its database over is unknown, and not refused', async () => {
    const error = { code: 'UNAVAILABLE', message: 'O serviço está indisponível no momento.' };
    const answer = JSON.stringify({ success: false, message: error.message, error });
    const unavailable = createServer((_request, response) =>
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(answer),
    );
    unavailable.listen(0, '127.0.0.1');
    await once(unavailable, 'listening');
    const { port } = unavailable.address() as AddressInfo;
    const client = new Jangada({ baseUrl: `http://127.0.0.1:${port}`, apiKey: merchant.apiKey });
    await expect(client.payments.create({ amount: 3 }, { maxRetries: 0 })).rejects.toBeInstanceOf(
      JangadaOutcomeUnknownError,
    );
    unavailable.close();
  });

  test('a refund is sent once', async () => {
    const { chargeId } = await givenBalance(gateway, merchant, 30);
    network.setNextFates('lose-answer', 'lose-answer');
    const refund = await jangada.refunds.create(chargeId, { amount: 10.5, reason: 'Produto em falta' });
    const { refunds, refundable_amount } = await jangada.refunds.list(chargeId);
    expect(refunds.map(({ id, amount }) => ({ id, amount }))).toEqual([{ id: refund.id, amount: 10.5 }]);
    expect(refundable_amount).toBe(19.5);
  });

  test('a withdrawal is sent once, with its amount in cents', async () => {
    await givenPin(gateway, merchant);
    const { token, password } = merchant;
    const proof = { password, withdrawal_pin: defaultPin };
    const saved = { pixKey: 'maria@example.com', pix_key_type: 'email', ...proof };
    await gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
    await gateway.api('POST', '/authed/api-withdrawals/destinations', saved, { token });
    const after = await lastEventId();
    network.setNextFates('lose-answer', 'cut-answer');
    const request = { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email' } as const;
    const withdrawal = await jangada.withdrawals.create(request);
    expect(withdrawal).toMatchObject({ amount: 10_000, status: 'PENDING' });
    const paid = await waitForEvent(after, 'withdrawal.paid');
    expect(paid.data).toMatchObject({ withdrawalId: withdrawal.withdrawal_id, amount: 10_000 });
    const events = await readAll(jangada.events.listAll({ after, type: 'withdrawal.pending' }));
    expect(events.map(({ data }) => data.id)).toEqual([withdrawal.withdrawal_id]);
  });

  test('follow waits while the gateway is unreachable, and misses no event', async () => {
    const after = await lastEventId();
    const client = new Jangada({
      baseUrl: network.url,
      apiKey: merchant.apiKey,
      maxRetries: 0,
      retryDelayMs: 1,
    });
    network.setNextFates('drop', 'busy', 'lose-answer', 'cut-answer');
    const controller = new AbortController();
    const receivedIds: string[] = [];
    const payments = [];
    for (const amount of [5, 6, 7]) payments.push((await givenBalance(gateway, merchant, amount)).chargeId);
    for await (const event of client.events.follow({
      after,
      type: 'payment.paid',
      intervalMs: 1,
      signal: controller.signal,
    })) {
      receivedIds.push(event.data.id);
      if (receivedIds.length === payments.length) controller.abort();
    }
    expect(receivedIds).toEqual(payments);
    await expect(readAll(jangada.events.follow({ after: 'evt_none' }))).rejects.toMatchObject({
      code: 'EVENT_CURSOR_UNKNOWN',
    });
  });
});

describe('lists', () => {
  test('are read page by page to the end, each item once, newest first', async () => {
    const createdIds: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const { id } = await jangada.payments.create({ amount: 9, external_id: 'lista', image: false });
      createdIds.unshift(id);
    }
    attempts.length = 0;
    const found = await readAll(jangada.payments.listAll({ external_id: 'lista', limit: 2 }));
    expect(found.map(({ id }) => id)).toEqual(createdIds);
    expect(attempts.map(({ operation }) => operation)).toEqual(Array(3).fill('listPayments'));
    const first = await jangada.payments.list({ external_id: 'lista', limit: 2 });
    const second = await jangada.payments.list({ external_id: 'lista', limit: 2, before: first.next ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(createdIds.slice(0, 4));
  });
});

test('a charge can be read and cancelled, and the timeline of the charge shows both its creation and its cancellation', async () => {
  const { id } = await jangada.payments.create({ amount: 8, metadata: { loja: 'centro' } });
  expect(await jangada.payments.get(id)).toMatchObject({ status: 'pending', metadata: { loja: 'centro' } });
  network.setNextFates('lose-answer');
  expect(await jangada.payments.cancel(id)).toMatchObject({
    status: 'expired',
    cancelled_at: expect.any(String),
  });
  const kinds = (await jangada.payments.timeline(id)).map(({ kind }) => kind);
  expect(kinds).toEqual(['created', 'cancelled']);
});

test('links and counter codes can be created, listed and changed', async () => {
  const { paymentLinks, counterCodes } = jangada;
  const link = await paymentLinks.create({ title: 'Camiseta', amount: 89.9, max_payments: 100 });
  const { id, version } = link;
  expect(await paymentLinks.get(id)).toEqual(link);
  expect(await readAll(paymentLinks.listAll({ status: 'active', limit: 1 }))).toEqual([link]);
  const off = await paymentLinks.update(id, { title: 'Boné', active: false, version });
  expect(off).toMatchObject({ title: 'Boné', amount: null, state: 'off' });
  await expect(paymentLinks.update(id, { title: 'Boné', active: true, version })).rejects.toMatchObject({
    code: 'STALE_VERSION',
  });
  const code = await counterCodes.create({ name: 'Caixa 1' });
  expect(await counterCodes.get(code.id)).toEqual(code);
  const renamed = await counterCodes.update(code.id, {
    name: 'Caixa 2',
    active: true,
    version: code.version,
  });
  expect(await readAll(counterCodes.listAll())).toEqual([renamed]);
});

test('a refused call throws an error with the code, message and request id of the refusal', async () => {
  await expect(jangada.payments.create({ amount: 0.5 })).rejects.toMatchObject({
    name: 'JangadaError',
    code: 'AMOUNT_TOO_SMALL',
    status: 400,
    message: 'O valor mínimo para depósito é R$ 1,50.',
    requestId: expect.stringMatching(/./),
  });
  await expect(clientOf({ apiKey: 'jgd_errada' }).payments.list()).rejects.toMatchObject({
    code: 'INVALID_API_KEY',
  });
});

describe('webhooks', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());

  test('sent by the gateway verify, and equal the events of the feed', async () => {
    const after = await lastEventId();
    const endpoint = await jangada.webhookEndpoints.create({
      url: `${receiver.url}/eventos`,
      events: ['payment.paid'],
    });
    const { chargeId } = await givenBalance(gateway, merchant, 25.9);
    await expect.poll(() => receiver.received.length).toBe(1);
    const verified = async (secret: string | readonly string[]): Promise<JangadaEvent> => {
      const [{ body, headers } = { body: '', headers: {} }] = receiver.received.slice(-1);
      return verifyWebhook({ payload: body, headers, secret });
    };
    const event = await verified(endpoint.secret);
    const { created_at: _, ...feedEvent } = await waitForEvent(after, 'payment.paid');
    expect(event).toEqual(feedEvent);
    expect(event).toMatchObject({
      type: 'payment.paid',
      data: { paymentId: chargeId, status: 'paid', amount: 25.9 },
    });
    expect(await jangada.events.get(event.id)).toMatchObject(event);

    const { secret } = await jangada.webhookEndpoints.rotateSecret(endpoint.id);
    await jangada.webhookEndpoints.test(endpoint.id);
    await expect.poll(() => receiver.received.length).toBe(2);
    for (const accepted of [secret, endpoint.secret, [secret, endpoint.secret]])
      expect(await verified(accepted)).toMatchObject({
        type: 'webhook.test',
        data: { endpointId: endpoint.id },
      });
    await expect(verified('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).rejects.toMatchObject({
      reason: 'signature-mismatch',
    });
  });

  test('have endpoints and deliveries that can be managed through the client', async () => {
    const { webhookEndpoints, webhookDeliveries } = jangada;
    const { id } = await webhookEndpoints.create({ url: `${receiver.url}/loja` });
    const changed = await webhookEndpoints.update(id, { url: `${receiver.url}/loja`, description: 'Loja' });
    expect(changed).toEqual(await webhookEndpoints.get(id));
    expect(await webhookEndpoints.disable(id)).toMatchObject({ state: 'off' });
    await expect(webhookEndpoints.test(id)).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_OFF' });
    expect(await webhookEndpoints.enable(id)).toMatchObject({ state: 'on' });
    const { id: first } = await webhookEndpoints.test(id);
    await expect.poll(async () => (await webhookDeliveries.get(first)).state).toBe('delivered');
    const { id: second } = await webhookDeliveries.resend(first);
    expect(await webhookDeliveries.resendMany({ ids: [first] })).toMatchObject({ resent: 1 });
    const deliveries = await readAll(webhookDeliveries.listAll({ endpoint: id, limit: 1 }));
    expect(deliveries.map((delivery) => delivery.id)).toEqual([expect.any(String), second, first]);
    const [sent] = (await webhookDeliveries.get(first)).log;
    const { verdict } = await webhookEndpoints.doctor({
      headers: sent?.headers ?? {},
      body: '{}',
      endpoint: id,
    });
    expect(verdict).toBe('body-changed');
    await webhookEndpoints.delete(id);
    expect((await webhookEndpoints.list()).endpoints.map((endpoint) => endpoint.id)).not.toContain(id);
  });
});
