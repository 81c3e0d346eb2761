import { randomUUID } from 'node:crypto';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookDeliveries,
  type WebhookEndpoint,
} from '@jangada/contract';
import { type KyselyPlugin, type QueryId, RawNode } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, parseSuccess } from '../../test/given.ts';
import { readStoredAttempts } from '../../test/stored-attempts.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { createWebhookSender, emitPaymentEvents, pruneWebhooks, type WebhookSender } from './index.ts';
import { giveUpDeliveries } from './prune-webhooks.ts';
import { eventIdOfDelivery } from './write-events.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let shop: WebhookReceiver;
let senders: WebhookSender[] = [];
/** The shop's status; `undefined`: 200, with an occasional 500. */
let answer: number | undefined;
let goneAfter = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
  answer = undefined;
  goneAfter = Number.POSITIVE_INFINITY;
  shop = await startWebhookReceiver(async (response) => {
    const turn = shop.received.length;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    response.writeHead(turn > goneAfter ? 410 : (answer ?? (turn % 5 === 0 ? 500 : 200))).end();
  });
});
afterEach(async () => {
  await stopSenders();
  await shop.close();
});
afterAll(() => gateway.stop());

const api = (method: string, path: string, body?: unknown) =>
  gateway.api(method, `/webhooks/endpoints${path}`, body, { apiKey: merchant.apiKey });
const look = async (id: string) => parseSuccess(getWebhookEndpoint.response, await api('GET', `/${id}`));

/** How often the senders have read which endpoints are on. */
let readCount = 0;
const readsOfEndpoints = new WeakSet<QueryId>();
const countReads: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    if (RawNode.is(node) && node.sqlFragments.some((sql) => sql.includes('cursor.tx::text')))
      readsOfEndpoints.add(queryId);
    return node;
  },
  async transformResult({ result, queryId }) {
    if (readsOfEndpoints.has(queryId)) readCount += 1;
    return result;
  },
};

/** Two sending processes on one database. */
function startSenders(): void {
  const { db, clock, log, secrets, config } = gateway.deps;
  senders = [1, 2].map(() =>
    createWebhookSender({
      db: db.withPlugin(countReads),
      clock,
      log,
      secrets,
      fetch: createGuardedFetch({ rules: createAddressRules(config) }),
    }),
  );
  for (const sender of senders) sender.start();
}

/** Calls in progress are ended and recorded. */
async function stopSenders(): Promise<void> {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
}

async function givenEndpoint(): Promise<WebhookEndpoint> {
  return parseSuccess(createWebhookEndpoint.response, await api('POST', '', { url: `${shop.url}/one` }));
}

/** Payments with this endpoint as a receiver. Returns the ids of their charges. */
async function emit(count: number): Promise<string[]> {
  const change = { type: 'payment.paid', status: 'paid', amountCents: 500, callbackUrl: null } as const;
  const paid = Array.from({ length: count }, () => ({
    ...change,
    merchantId: merchant.id,
    chargeId: randomUUID(),
  }));
  await inTransaction(gateway.deps, (tx) =>
    emitPaymentEvents(
      tx,
      paid.map((one) => ({ ...one, createdAt: tx.now })),
    ),
  );
  return paid.map(({ chargeId }) => chargeId);
}

const of = (table: 'webhook_deliveries' | 'webhook_leases') =>
  gateway.deps.db.selectFrom(table).where('merchant_id', '=', merchant.id);
const received = () => Map.groupBy(shop.received, ({ id }) => id);
const arrived = (count: number) => expect.poll(() => shop.received.length).toBeGreaterThanOrEqual(count);

/** Tells the senders of a change, as the process that makes it does, and waits until they have taken it in. */
async function tellSenders(): Promise<void> {
  const before = readCount;
  await expect
    .poll(
      () => {
        for (const sender of senders) sender.wake([merchant.id]);
        return readCount;
      },
      { interval: 20 },
    )
    // The first may have begun before the change, and the next is evaluated before the one after it begins.
    .toBeGreaterThanOrEqual(before + 3);
}

/** Emits payments of which the receiver must not hear, and stops the senders. Returns how often it was called. */
async function emitUnheard(): Promise<number> {
  const unheard = await emit(10);
  await tellSenders();
  await stopSenders();
  expect(shop.received.filter(({ body }) => unheard.some((id) => body.includes(id)))).toEqual([]);
  return shop.received.length;
}

/** Every received call is an attempt of its delivery with its status, and there are no other attempts. */
async function expectLogOfAll(): Promise<void> {
  const deliveries = await of('webhook_deliveries').selectAll().execute();
  const attempts = Map.groupBy(
    await readStoredAttempts(gateway.deps.db, merchant.id),
    (attempt) => attempt.deliveryId,
  );
  for (const { id, state, finished_at } of deliveries) {
    const own = attempts.get(id) ?? [];
    expect([id, own.length]).toEqual([id, received().get(eventIdOfDelivery(id))?.length ?? 0]);
    expect(own.filter(({ error }) => error !== null)).toEqual([]);
    expect([id, state === 'delivered']).toEqual([id, own.some(({ status }) => status === 200)]);
    expect([id, finished_at !== null]).toEqual([id, ['delivered', 'exhausted', 'gone'].includes(state)]);
  }
  expect(await of('webhook_leases').selectAll().execute()).toEqual([]);
}

const log = async () =>
  parseSuccess(
    listWebhookDeliveries.response,
    await gateway.api('GET', '/webhooks/deliveries?limit=100', undefined, { apiKey: merchant.apiKey }),
  ).deliveries;
const states = async () => new Set((await log()).map(({ state }) => state));

/** Makes the retries due and sends them. */
async function retry(): Promise<void> {
  await gateway.advance(60);
  await giveUpDeliveries(gateway.deps);
  startSenders();
  await expect.poll(async () => (await states()).has('waiting')).toBe(false);
  await stopSenders();
}

for (const round of [1, 2]) {
  test(`an endpoint disabled by its merchant gets only calls in progress, and the rest when it is enabled (${round})`, async () => {
    const before = await countDeadlocks(gateway.deps.db);
    const { id } = await givenEndpoint();
    await emit(80);
    startSenders();
    await arrived(15 * round);
    await Promise.all([api('POST', `/${id}/disable`), emit(30)]);
    await tellSenders();
    const count = await emitUnheard();
    await retry();
    expect(shop.received.length).toBe(count);
    await expectLogOfAll();
    expect([...(await states())].toSorted()).toEqual(['delivered', 'held']);
    expect(await look(id)).toMatchObject({ state: 'off', off_reason: 'merchant' });

    answer = 200;
    expect((await api('POST', `/${id}/enable`)).status).toBe(200);
    await retry();
    expect(await states()).toEqual(new Set(['delivered']));
    expect(received().size).toBe(120);
    await expectLogOfAll();
    expect(await look(id)).toMatchObject({ state: 'on', failures: 0, failing_since: null });
    expect(await countDeadlocks(gateway.deps.db)).toBe(before);
  });

  test(`a removed endpoint gets only calls in progress, and keeps its log (${round})`, async () => {
    const before = await countDeadlocks(gateway.deps.db);
    const { id } = await givenEndpoint();
    await emit(80);
    startSenders();
    await arrived(15 * round);
    await Promise.all([api('DELETE', `/${id}`), emit(30)]);
    await tellSenders();
    const count = await emitUnheard();
    await retry();
    expect(shop.received.length).toBe(count);
    await expectLogOfAll();
    expect([...(await states())].toSorted()).toEqual(['delivered', 'failed']);
    await pruneWebhooks(gateway.deps);
    const health = gateway.deps.db.selectFrom('webhook_health').where('merchant_id', '=', merchant.id);
    expect(await health.selectAll().execute()).toEqual([]);
    expect(await countDeadlocks(gateway.deps.db)).toBe(before);
  });

  test(`an endpoint that answers 410 is disabled once, gets nothing more, and its deliveries are kept (${round})`, async () => {
    const before = await countDeadlocks(gateway.deps.db);
    const { id } = await givenEndpoint();
    await emit(80);
    goneAfter = 15 * round;
    startSenders();
    await expect.poll(async () => (await look(id)).state).toBe('off');
    await stopSenders();
    await retry();
    const surplus = shop.received.length - goneAfter;
    // The calls that are made at once.
    expect(surplus).toBeLessThanOrEqual(4);
    await expectLogOfAll();
    expect([...(await states())].toSorted()).toEqual(['delivered', 'failed', 'held']);
    expect(await of('webhook_deliveries').where('state', '=', 'gone').select('id').execute()).toHaveLength(
      surplus,
    );
    expect(await look(id)).toMatchObject({ state: 'off', off_reason: 'gone' });
    const notifications = gateway.deps.db.selectFrom('notifications').where('merchant_id', '=', merchant.id);
    const off = notifications.where('title', '=', 'Endereço de webhook desligado').selectAll();
    expect(await off.execute()).toHaveLength(1);
    expect(await countDeadlocks(gateway.deps.db)).toBe(before);
  });
}
