import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { shiftedClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { Delivery } from './delivery.ts';
import { emitPaymentEvents } from './emit-events.ts';
import { takeLaneChanges } from './lane-store.ts';
import { recordAttempts } from './record-attempts.ts';

const limits = { deliveries: 256, perEndpoint: 4, perMerchant: 32 };
const minute = 60_000;
let database: TestDatabase;
let db: Db;
let clock = shiftedClock();

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
beforeEach(async () => {
  clock = shiftedClock();
  for (const table of [
    'webhook_attempts',
    'webhook_leases',
    'webhook_deliveries',
    'webhook_breakers',
    'webhook_lanes',
    'webhook_lane_changes',
    'webhook_turns',
  ] as const)
    await db.deleteFrom(table).execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const emit = (merchantId: number, urls: readonly string[]) =>
  inTransaction({ db, clock }, (tx) =>
    emitPaymentEvents(
      tx,
      urls.map((callbackUrl) => ({
        type: 'payment.paid',
        merchantId,
        chargeId: randomUUID(),
        callbackUrl,
        status: 'paid',
        amountCents: 2590,
        createdAt: tx.now,
      })),
    ),
  );
const claimIn = (tx: Tx) => claimDeliveries(tx, limits, new Date(tx.now.getTime() + minute / 2));
const claim = async () => (await inTransaction({ db, clock }, claimIn)).deliveries;
const shops = (count: number) => Array.from({ length: count }, (_, shop) => `https://loja-${shop}.example`);
const lanes = () => db.selectFrom('webhook_lanes').selectAll().execute();

/** Ends attempts with this status, as from the receiver. */
const answered = (deliveries: Awaited<ReturnType<typeof claim>>, status: number) =>
  recordAttempts(
    { db, clock },
    deliveries.map((delivery) => ({
      delivery,
      attempt: {
        at: clock.now(),
        durationMs: 1,
        status,
        error: null,
        answer: '',
        retryAfterMs: undefined,
        headers: {},
      },
    })),
  );

/** The rows read and index searches made by `work` in the webhook tables. */
async function touchedBy(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  // The statistics of the connection may include earlier transactions.
  const touched = async () => {
    const { rows } = await sql<{ rows: number }>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + coalesce(idx_scan, 0))::int as rows
      from pg_stat_xact_user_tables where relname like 'webhook%'
    `.execute(tx.db);
    return rows[0]?.rows ?? Number.NaN;
  };
  const before = await touched();
  await work();
  return (await touched()) - before;
}

test('a claim reads only due deliveries, however many endpoints of a merchant wait for later', async () => {
  const later = new Date(clock.now().getTime() + 60 * minute);
  const crowd = await insertMerchant(db);
  await sql`
    with delivery as (
      insert into webhook_deliveries (merchant_id, id, type, subject_id, url, endpoint, body, due_at, created_at)
      select ${crowd}, n::text, 'payment.paid', gen_random_uuid(), 'https://' || n, 'https://' || n, '{}', ${later}, now()
      from generate_series(1, 20000) n
      returning merchant_id, endpoint, due_at
    )
    insert into webhook_lanes select merchant_id, endpoint, due_at, due_at from delivery
  `.execute(db);
  await emit(await insertMerchant(db), ['https://loja.example/pix']);
  await emit(crowd, ['https://1/pix']);

  let claimed: string[] = [];
  const rows = await inTransaction({ db, clock }, (tx) =>
    touchedBy(tx, async () => {
      claimed = (await claimIn(tx)).deliveries.map(({ url }) => url);
    }),
  );
  expect(claimed.toSorted()).toEqual(['https://1/pix', 'https://loja.example/pix']);
  expect(rows).toBeLessThan(200);
});

test('a claim reads little more than it takes, however many deliveries wait at many responsive endpoints', async () => {
  const merchants = await Promise.all(Array.from({ length: 64 }, () => insertMerchant(db)));
  for (const merchantId of merchants) await emit(merchantId, Array(40).fill('https://loja.example/pix'));
  const quick = { ...limits, deliveries: 64, ahead: () => 60 };
  let claimed: number[] = [];
  const rows = await inTransaction({ db, clock }, (tx) =>
    touchedBy(tx, async () => {
      const { deliveries } = await claimDeliveries(tx, quick, new Date(tx.now.getTime() + minute / 2));
      claimed = deliveries.map(({ merchantId }) => merchantId);
    }),
  );
  expect(claimed.toSorted()).toEqual(merchants.toSorted());
  expect(rows).toBeLessThan(64 * 30);
});

test('the changes of one statement are stored as one row, each endpoint once', async () => {
  const merchantId = await insertMerchant(db);
  await emit(merchantId, [...shops(50), ...shops(30)]);
  const { endpoints } = await db
    .selectFrom('webhook_lane_changes')
    .select('endpoints')
    .executeTakeFirstOrThrow();
  expect(endpoints.toSorted()).toEqual(shops(50).toSorted());
});

test('a claim takes whole rows of changes, until they reach its limit', async () => {
  const merchantId = await insertMerchant(db);
  for (let part = 0; part < 5; part += 1) await emit(merchantId, shops(1500));
  const take = async () => (await inTransaction({ db, clock }, takeLaneChanges)).more;
  const left = () =>
    db
      .selectFrom('webhook_lane_changes')
      .select('id')
      .execute()
      .then((rows) => rows.length);
  expect([await take(), await left()]).toEqual([true, 2]);
  expect([await take(), await left()]).toEqual([false, 0]);
});

/** The rows written by a claim in the lane tables, except the changes that it consumes. */
async function claimAndCountWrites(): Promise<number> {
  return inTransaction({ db, clock }, async (tx) => {
    const written = async () => {
      const { rows } = await sql<{ written: number }>`
        select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written from pg_stat_xact_user_tables
        where relname in ('webhook_lanes', 'webhook_turns', 'webhook_leases')
      `.execute(tx.db);
      return rows[0]?.written ?? Number.NaN;
    };
    const before = await written();
    await claimIn(tx);
    return (await written()) - before;
  });
}

test('deliveries sent without delay write no lane', async () => {
  const merchantId = await insertMerchant(db);
  await emit(merchantId, shops(3));
  const first = await claim();
  expect(await lanes()).toEqual([]);
  await answered(first, 200);
  expect(await claimAndCountWrites()).toBe(0);
});

test('new deliveries for a receiver that is paused or at its limit are not due', async () => {
  const [resting, full] = [await insertMerchant(db), await insertMerchant(db)];
  const times = (count: number) => Array.from({ length: count }, () => 'https://loja.example/pix');
  const until = new Date(clock.now().getTime() + 5 * minute);
  await sql`insert into webhook_breakers values (${resting}, 'https://loja.example', 3, ${until})`.execute(
    db,
  );
  await emit(resting, times(1));
  await emit(full, times(6));
  const taken = await claim();
  expect(taken.map(({ merchantId }) => merchantId)).toEqual([full, full, full, full]);
  for (const merchantId of [resting, full]) await emit(merchantId, times(2));
  expect(await claimAndCountWrites()).toBe(0);

  await answered(taken, 200);
  expect((await claim()).map(({ merchantId }) => merchantId)).toEqual([full, full, full, full]);
  clock.shift(5 * minute);
  expect((await claim()).filter(({ merchantId }) => merchantId === resting).length).toBe(1);
});

test('a merchant at the limit gets no further attempts at any endpoint until one ends', async () => {
  const merchantId = await insertMerchant(db);
  await emit(merchantId, shops(100));
  const first = await claim();
  await emit(merchantId, shops(100));
  expect((await claim()).length).toBe(0);
  await emit(merchantId, shops(100));
  expect([first.length, await claimAndCountWrites()]).toEqual([limits.perMerchant, 0]);
  await answered(first.slice(0, 2), 200);
  const second = await claim();
  await answered(second.slice(0, 1), 500);
  expect([second.length, (await claim()).length, (await claim()).length]).toEqual([2, 1, 0]);
});

test('deliveries prefetched for a responsive endpoint use no other endpoint’s slots, and only one process prefetches', async () => {
  const merchantId = await insertMerchant(db);
  const ahead = ({ endpoint }: { endpoint: string }) => (endpoint === 'https://loja-0.example' ? 60 : 0);
  const claimAhead = async () =>
    (
      await inTransaction({ db, clock }, (tx) =>
        claimDeliveries(tx, { ...limits, ahead }, new Date(tx.now.getTime() + minute / 2)),
      )
    ).deliveries;
  await emit(merchantId, [...Array.from({ length: 100 }, () => 'https://loja-0.example'), ...shops(20)]);
  const first = await claimAhead();
  const quick = first.filter(({ endpoint }) => endpoint === 'https://loja-0.example');
  expect([quick.length, first.length - quick.length]).toEqual([64, 19]);

  await emit(
    merchantId,
    Array.from({ length: 12 }, (_, shop) => `https://outra-${shop}.example`),
  );
  const second = await claimAhead();
  expect(second.length).toBe(limits.perMerchant - 19 - limits.perEndpoint);
  await answered([...quick.slice(0, -2), ...second], 200);
  expect((await claimAhead()).filter(({ endpoint }) => endpoint === 'https://loja-0.example').length).toBe(2);
});

test('every delivery is sent once, whatever the outcomes and arrival times', async () => {
  const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
  const sent = new Map<string, number>();
  const underWay: Delivery[] = [];
  let emitted = 0;
  for (let step = 0; step < 400; step += 1) {
    const dice = Math.random();
    if (step < 250 && dice < 0.4) {
      const urls = Array.from(
        { length: 1 + Math.floor(Math.random() * 60) },
        () => `https://loja-${Math.floor(Math.random() ** 2 * 50)}.example`,
      );
      emitted += urls.length;
      await emit(merchants[Math.floor(Math.random() * 3)] ?? 0, urls);
    } else if (dice < 0.7) underWay.push(...(await claim()));
    else {
      const ended = underWay.splice(0, Math.ceil(Math.random() * underWay.length));
      const failed = new Set(ended.filter(() => step < 300 && Math.random() < 0.2));
      const taken = ended.filter((one) => !failed.has(one));
      if (failed.size > 0) await answered([...failed], 500);
      if (taken.length > 0) await answered(taken, 200);
      for (const { merchantId, id } of taken)
        sent.set(`${merchantId} ${id}`, (sent.get(`${merchantId} ${id}`) ?? 0) + 1);
    }
    if (dice > 0.97) clock.shift(6000);
  }
  for (
    let rest: readonly Delivery[] = underWay.splice(0);
    rest.length > 0 || sent.size < emitted;
    rest = await claim()
  ) {
    if (rest.length === 0) clock.shift(minute);
    else await answered(rest, 200);
    for (const { merchantId, id } of rest)
      sent.set(`${merchantId} ${id}`, (sent.get(`${merchantId} ${id}`) ?? 0) + 1);
  }
  expect([sent.size, new Set(sent.values())]).toEqual([emitted, new Set([1])]);
  await claim();
  expect(await lanes()).toEqual([]);
  expect(await db.selectFrom('webhook_turns').selectAll().execute()).toEqual([]);
});

test('thousands of due endpoints of one merchant get only the merchant’s share', async () => {
  const [crowd, other] = [await insertMerchant(db), await insertMerchant(db)];
  await emit(crowd, shops(3000));
  await emit(other, ['https://loja.example/pix']);
  const first = await claim();
  expect(first.filter(({ merchantId }) => merchantId === crowd).length).toBe(limits.perMerchant);
  expect(first.filter(({ merchantId }) => merchantId === other).length).toBe(1);

  await emit(other, ['https://outra.example/pix']);
  expect((await claim()).map(({ url }) => url)).toEqual(['https://outra.example/pix']);
  await answered(first, 200);
  expect((await claim()).length).toBe(limits.perMerchant);
});

test('an endpoint waiting for a retry gets new deliveries at once, and the retry when due', async () => {
  const merchantId = await insertMerchant(db);
  await emit(merchantId, ['https://loja.example/first']);
  await answered(await claim(), 500);
  expect(await claim()).toEqual([]);
  await emit(merchantId, ['https://loja.example/second']);
  const second = await claim();
  expect(second.map(({ url }) => url)).toEqual(['https://loja.example/second']);
  await answered(second, 200);
  expect(await claim()).toEqual([]);
  clock.shift(minute);
  expect((await claim()).map(({ url }) => url)).toEqual(['https://loja.example/first']);
});

test('deliveries that arrive during a claim are found by the next one, and empty lanes are removed', async () => {
  const merchantId = await insertMerchant(db);
  await emit(merchantId, ['https://loja.example/first']);
  await answered(await claim(), 200);
  const [claimed, emitted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const claiming = inTransaction({ db, clock }, async (tx) => {
    const { deliveries } = await claimIn(tx);
    claimed.resolve();
    await emitted.promise;
    return deliveries;
  });
  await claimed.promise;
  await emit(merchantId, ['https://loja.example/second']);
  emitted.resolve();
  expect(await claiming).toEqual([]);
  expect(await lanes()).toEqual([]);
  const second = await claim();
  expect(second.map(({ url }) => url)).toEqual(['https://loja.example/second']);
  await answered(second, 200);
  await claim();
  expect(await lanes()).toEqual([]);
});

test('a backlog at an endpoint is sent four at a time, and deliveries of a dead process after its lease', async () => {
  const merchantId = await insertMerchant(db);
  await emit(
    merchantId,
    Array.from({ length: 9 }, (_, n) => `https://loja.example/${n}`),
  );
  const first = await claim();
  expect([first.length, (await claim()).length]).toEqual([4, 0]);
  await answered(first.slice(0, 2), 200);
  expect([(await claim()).length, (await claim()).length]).toEqual([2, 0]);
  clock.shift(minute);
  expect((await claim()).length).toBe(4);
});
