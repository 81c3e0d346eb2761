import { randomUUID } from 'node:crypto';
import { createWebhookEndpoint, getWebhookEndpoint, type WebhookEndpoint } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, read } from '../../test/given.ts';
import { type WebhookReceiver, webhookReceiver } from '../../test/webhook-receiver.ts';
import { inTransaction } from '../db/transaction.ts';
import { addressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { createWebhookSender, emitPaymentEvents, pruneWebhooks, type WebhookSender } from './index.ts';
import { noteLaneChanges } from './lane-store.ts';
import { moveBacklogs } from './move-backlog.ts';
import { releaseStrandedHeld } from './prune-webhooks.ts';
import { eventOf } from './write-events.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let shop: WebhookReceiver;
let senders: WebhookSender[] = [];
/** The shop's status; `undefined`: 200, with an occasional 500. */
let answer: number | undefined;
let goneAfter = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
  answer = undefined;
  goneAfter = Number.POSITIVE_INFINITY;
  shop = await webhookReceiver(async (response) => {
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
const look = async (id: string) => read(getWebhookEndpoint.response, await api('GET', `/${id}`));

/** Two sending processes on one database. */
function startSenders(): void {
  const { db, clock, log, secrets, config } = gateway.deps;
  senders = [1, 2].map(() =>
    createWebhookSender({
      db,
      clock,
      log,
      secrets,
      fetch: createGuardedFetch({ rules: addressRules(config) }),
    }),
  );
  for (const sender of senders) sender.start();
}

/** Calls in progress are ended and recorded. */
async function stopSenders(): Promise<void> {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
}

async function givenEndpoint(): Promise<WebhookEndpoint> {
  return read(createWebhookEndpoint.response, await api('POST', '', { url: `${shop.url}/one` }));
}

/** Payments with this endpoint as a receiver, in several settlements. */
async function emit(count: number): Promise<void> {
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
}

const of = (table: 'webhook_deliveries' | 'webhook_attempts' | 'webhook_leases' | 'webhook_moves') =>
  gateway.deps.db.selectFrom(table).where('merchant_id', '=', merchant.id);
const received = () => Map.groupBy(shop.received, ({ id }) => id);
const arrived = (count: number) => expect.poll(() => shop.received.length).toBeGreaterThanOrEqual(count);

/** Events that may still arrive: those leased now, and those received after the first `from`. */
async function underWay(from: number): Promise<ReadonlySet<string>> {
  const leases = await of('webhook_leases').select('delivery_id').execute();
  return new Set([
    ...leases.map((lease) => eventOf(lease.delivery_id)),
    ...shop.received.slice(from).map(({ id }) => id),
  ]);
}

/** Every received call is an attempt of its delivery with its status, and there are no other attempts. */
async function expectLogOfAll(): Promise<void> {
  const deliveries = await of('webhook_deliveries').selectAll().execute();
  const attempts = Map.groupBy(
    await of('webhook_attempts').select(['delivery_id', 'status', 'error']).execute(),
    (attempt) => attempt.delivery_id,
  );
  for (const { id, attempts: count, state, finished_at } of deliveries) {
    const own = attempts.get(id) ?? [];
    expect([id, own.length, count]).toEqual([id, received().get(eventOf(id))?.length ?? 0, count]);
    expect(own).toHaveLength(count);
    expect(own.filter(({ error }) => error !== null)).toEqual([]);
    expect([id, state === 'delivered']).toEqual([id, own.some(({ status }) => status === 200)]);
    expect([id, finished_at !== null]).toEqual([id, ['delivered', 'exhausted', 'gone'].includes(state)]);
  }
  expect(await of('webhook_leases').selectAll().execute()).toEqual([]);
}

const states = async () =>
  new Set((await of('webhook_deliveries').select('state').distinct().execute()).map(({ state }) => state));

/** Makes the retries due and sends them. */
async function retry(): Promise<void> {
  await gateway.advance(60);
  startSenders();
  await expect.poll(async () => (await states()).has('waiting')).toBe(false);
  await stopSenders();
}

for (const round of [1, 2]) {
  test(`an endpoint disabled by its merchant gets only calls already in progress, and the rest when it is enabled (${round})`, async () => {
    const before = await countDeadlocks(gateway.deps.db);
    const { id } = await givenEndpoint();
    await emit(80);
    startSenders();
    await arrived(15 * round);
    await Promise.all([api('POST', `/${id}/disable`), emit(30)]);
    const count = shop.received.length;
    const allowed = await underWay(count);
    await emit(10);
    await stopSenders();
    await retry();
    expect(shop.received.slice(count).filter((one) => !allowed.has(one.id))).toEqual([]);
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

  test(`a removed endpoint gets only calls already in progress, and keeps its log (${round})`, async () => {
    const before = await countDeadlocks(gateway.deps.db);
    const { id } = await givenEndpoint();
    await emit(80);
    startSenders();
    await arrived(15 * round);
    await Promise.all([api('DELETE', `/${id}`), emit(30)]);
    const count = shop.received.length;
    const allowed = await underWay(count);
    await stopSenders();
    await retry();
    expect(shop.received.slice(count).filter((one) => !allowed.has(one.id))).toEqual([]);
    await expectLogOfAll();
    expect([...(await states())].toSorted()).toEqual(['delivered', 'exhausted']);
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
    // The calls that both senders make at once.
    expect(surplus).toBeLessThanOrEqual(8);
    await expectLogOfAll();
    expect([...(await states())].toSorted()).toEqual(['delivered', 'gone', 'held']);
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

/** More due deliveries than one transaction moves. */
async function writeMany({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>, state: 'held' | 'waiting') {
  await sql`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, endpoint, endpoint_id, state, body, due_at, created_at)
    select ${merchant.id}, n::text, 'payment.paid', gen_random_uuid(), ${url}, ${shop.url}, ${id}, ${state}, '{}',
           ${gateway.deps.clock.now()}, ${gateway.deps.clock.now()}
    from generate_series(1, 10010) n
  `.execute(gateway.deps.db);
  const lane = { merchantId: merchant.id, endpoint: shop.url };
  await inTransaction(gateway.deps, (tx) => noteLaneChanges(tx, [lane], new Date(0)));
}

/** The number of deliveries by state or address. */
async function counts(by: 'state' | 'url' = 'state'): Promise<Record<string, number>> {
  const found = await of('webhook_deliveries').select(['state', 'url']).execute();
  return Object.fromEntries(
    [...Map.groupBy(found, (one) => one[by])].map(([name, own]) => [name, own.length]),
  );
}

/** Runs the background moves; returns how many remain. */
async function moveOn(): Promise<number> {
  while ((await moveBacklogs(gateway.deps)) > 0);
  return (await of('webhook_moves').selectAll().execute()).length;
}

test('an endpoint with a backlog is disabled, removed or moved at once, and its whole backlog follows soon after', async () => {
  const one = await givenEndpoint();
  await writeMany(one, 'waiting');
  expect((await api('POST', `/${one.id}/disable`)).status).toBe(200);
  expect(await counts()).toEqual({ held: 10_000, waiting: 10 });
  startSenders();
  await expect.poll(() => counts()).toEqual({ held: 10_010 });
  await stopSenders();
  expect(shop.received).toEqual([]);
  expect([await moveOn(), await counts()]).toEqual([0, { held: 10_010 }]);

  const elsewhere = `${shop.url}/two`;
  expect((await api('PUT', `/${one.id}`, { url: elsewhere })).status).toBe(200);
  expect(await counts('url')).toEqual({ [elsewhere]: 10_000, [one.url]: 10 });
  expect([await moveOn(), await counts('url')]).toEqual([0, { [elsewhere]: 10_010 }]);

  expect((await api('DELETE', `/${one.id}`)).status).toBe(200);
  expect(await counts()).toEqual({ exhausted: 10_000, held: 10 });
  expect([await moveOn(), await counts()]).toEqual([0, { exhausted: 10_010 }]);
});

test('an endpoint enabled before its whole backlog was held keeps it waiting', async () => {
  const one = await givenEndpoint();
  await writeMany(one, 'waiting');
  await api('POST', `/${one.id}/disable`);
  expect((await api('POST', `/${one.id}/enable`)).status).toBe(200);
  expect([await moveOn(), await counts()]).toEqual([0, { waiting: 10_010 }]);
  await api('DELETE', `/${one.id}`);
});

test('an endpoint with many held deliveries is enabled at once, and all of them wait soon after', async () => {
  const { id, url } = await givenEndpoint();
  await api('POST', `/${id}/disable`);
  await writeMany({ id, url }, 'held');
  const held = async () => (await counts())['held'] ?? 0;
  expect((await api('POST', `/${id}/enable`)).status).toBe(200);
  expect(await held()).toBe(10);
  expect(await releaseStrandedHeld(gateway.deps)).toBe(0);
  expect(await held()).toBe(0);
});
