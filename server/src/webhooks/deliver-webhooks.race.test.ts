import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { createListener } from '../outbox/index.ts';
import { createSecrets } from '../secrets.ts';
import {
  addWebhookEndpoint,
  createWebhookSender,
  createWorkAnnouncer,
  emitPaymentEvents,
  WEBHOOK_WORK_CHANNEL,
  type WebhookSender,
} from './index.ts';

const log = pino({ level: 'silent' });
const secrets = createSecrets(randomBytes(32));
const clock = createAdjustableClock();
const rounds = process.env['LONG'] ? 8 : 2;
const config = { mode: 'sandbox', sandboxPublic: false, webhookAllowCidrs: [] } as const;
let database: TestDatabase;
let db: Db;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 16 }));
});
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await db.destroy();
  await database.drop();
});

function startSender(): WebhookSender {
  const fetch = createGuardedFetch({ rules: createAddressRules(config) });
  const sender = createWebhookSender({ db, clock, log, secrets, fetch });
  sender.start();
  return sender;
}

type Emitted = { readonly merchantId: number; readonly id: string };

/** Writes events of several merchants in one transaction, which ends after this many milliseconds. */
async function emit(
  merchantIds: readonly number[],
  urlOf: (merchantId: number) => string | null,
  heldMs = 0,
) {
  const changes = merchantIds.map((merchantId) => ({
    type: 'payment.paid' as const,
    status: 'paid' as const,
    merchantId,
    chargeId: randomUUID(),
    callbackUrl: urlOf(merchantId),
    amountCents: 500,
  }));
  await inTransaction({ db, clock }, async (tx) => {
    await emitPaymentEvents(
      tx,
      changes.map((change) => ({ ...change, createdAt: tx.now })),
    );
    if (heldMs > 0) await new Promise((resolve) => setTimeout(resolve, heldMs));
  });
  return changes.map(
    ({ merchantId, chargeId }): Emitted => ({ merchantId, id: `evt_${chargeId.replaceAll('-', '')}_paid` }),
  );
}

for (let round = 1; round <= rounds; round += 1) {
  const losesLeases = round % 2 === 0;
  test(`each event reaches each receiver and is recorded there once delivered, whatever receivers do, ${losesLeases ? 'and although processes lose their leases' : 'and each once'} (${round})`, async () => {
    /** Calls under way, by merchant and by path. */
    const [ofMerchant, ofPath] = [new Map<string, number>(), new Map<string, number>()];
    const [mostOfMerchant, mostOfPath] = [new Map<string, number>(), new Map<string, number>()];
    const count = (now: Map<string, number>, most: Map<string, number>, key: string, change: number) => {
      now.set(key, (now.get(key) ?? 0) + change);
      most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0));
    };
    let isHealed = false;
    const shop = await startWebhookReceiver(async (response) => {
      const call = shop.received.at(-1);
      const path = call?.path ?? '';
      const merchant = path.split('/')[1] ?? '';
      count(ofMerchant, mostOfMerchant, merchant, 1);
      count(ofPath, mostOfPath, path, 1);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      count(ofMerchant, mostOfMerchant, merchant, -1);
      count(ofPath, mostOfPath, path, -1);
      const isRefused = !isHealed && Math.random() < 0.2;
      response.writeHead(isRefused ? 500 : 200).end();
    });
    closing.push(() => shop.close());
    const merchantIds = await Promise.all(Array.from({ length: 5 }, () => insertMerchant(db)));
    const endpointCounts = [0, 1, 2, 12, 1];
    const endpointsOf = new Map<number, string[]>();
    for (const [index, merchantId] of merchantIds.entries())
      for (let endpoint = 0; endpoint < (endpointCounts[index] ?? 0); endpoint += 1) {
        const path = `/${merchantId}/e${endpoint}`;
        const wanted = { url: `${shop.url}${path}`, description: '', events: [] };
        await addWebhookEndpoint({ db, clock, secrets, config: config as never }, merchantId, wanted);
        endpointsOf.set(merchantId, [...(endpointsOf.get(merchantId) ?? []), path]);
      }
    const [withCallback] = merchantIds;
    const callbackOf = (merchantId: number) =>
      merchantId === withCallback || merchantId === merchantIds[3]
        ? `${shop.url}/${merchantId}/callback`
        : null;

    let senders = [startSender(), startSender(), startSender()];
    const emitted: Emitted[] = [];
    const write = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const some = merchantIds.filter(() => Math.random() < 0.7);
        const repeated = some.flatMap((id) =>
          Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () => id),
        );
        emitted.push(...(await emit(repeated, callbackOf, Math.random() * 30)));
        senders[time % senders.length]?.wake(some);
      }
    };
    await Promise.all([write(25), write(25), write(25)]);
    await senders.shift()?.stop();
    // As after a pause of this length: another process takes over what is under way.
    if (losesLeases) clock.shift(31_000);
    await Promise.all([write(10), write(10)]);
    isHealed = true;
    const isDone = async () => {
      await sql`update webhook_deliveries set due_at = ${clock.now()} where state = 'waiting'`.execute(db);
      for (const sender of senders) sender.wakeForAll();
      const { rows } = await sql<{ isDone: boolean }>`
        select not exists (select from webhook_deliveries where state = 'waiting')
           and not exists (
             select from unnest(${merchantIds}::bigint[]) merchant (id), untried_deliveries(merchant.id, 'epoch', 1))
           as "isDone"`.execute(db);
      return rows[0]?.isDone;
    };
    await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true);
    await Promise.all(senders.map((sender) => sender.stop()));
    senders = [];

    const wanted = emitted.flatMap(({ merchantId, id }) => [
      ...(endpointsOf.get(merchantId) ?? []).map((path) => `${path} ${id}`),
      ...(callbackOf(merchantId) === null ? [] : [`/${merchantId}/callback ${id}`]),
    ]);
    const calls = Map.groupBy(shop.received, ({ path, id }) => `${path} ${id}`);
    expect(new Set(calls.keys())).toEqual(new Set(wanted));
    const { rows: stored } = await sql<{ url: string; id: string; attempts: number; delivered: number }>`
      select url, split_part(id, '.', 1) as id, jsonb_array_length(attempts) as attempts,
             (select count(*)::int from jsonb_array_elements(attempts) one where one ->> 'status' = '200') as delivered
      from webhook_deliveries where merchant_id = any(${merchantIds}::bigint[]) and state = 'delivered'
    `.execute(db);
    expect(stored).toHaveLength(wanted.length);
    for (const { url, id, attempts, delivered } of stored) {
      expect([id, attempts]).toEqual([id, calls.get(`${new URL(url).pathname} ${id}`)?.length]);
      expect([id, losesLeases ? delivered >= 1 : delivered === 1]).toEqual([id, true]);
    }
    if (losesLeases) return;
    for (const [path, most] of mostOfPath) expect([path, most <= 4]).toEqual([path, true]);
    for (const [merchant, most] of mostOfMerchant) expect([merchant, most <= 32]).toEqual([merchant, true]);
    expect(mostOfMerchant.get(String(merchantIds[3]))).toBeGreaterThan(4);
  });
}

test('a process without a sender announces its events to the one that sends for the merchant', async () => {
  const shop = await startWebhookReceiver((response) => response.end());
  closing.push(() => shop.close());
  const merchantId = await insertMerchant(db);
  const senders = [startSender(), startSender()];
  closing.push(...senders.map((sender) => () => sender.stop()));
  const listeners = senders.map((sender) => {
    const listener = createListener({ url: database.appUrl, log });
    listener.on(WEBHOOK_WORK_CHANNEL, sender.handleAnnouncement);
    closing.push(() => listener.stop());
    return listener;
  });
  await Promise.all(listeners.map((listener) => listener.start()));
  const announce = createWorkAnnouncer({ db, log });
  for (let event = 1; event <= 20; event += 1) {
    await emit([merchantId], () => `${shop.url}/callback`);
    // In turn: a process without a sender, one with the lease, and one without it, which tells the holder.
    if (event % 3 === 0) announce([merchantId]);
    else senders[event % 3 === 1 ? 0 : 1]?.wake([merchantId]);
    // Long before a sweep would find it.
    await expect.poll(() => shop.received.length, { timeout: 5000 }).toBe(event);
  }
  expect(
    await db.selectFrom('webhook_leases').where('merchant_id', '=', merchantId).selectAll().execute(),
  ).toHaveLength(1);
});
