import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { shiftedClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { pruneNotifications, saveNotifications } from '../notifications/index.ts';
import { emitPaymentEvents } from './emit-events.ts';
import { pruneWebhooks } from './prune-webhooks.ts';

const day = 24 * 3_600_000;
const clock = shiftedClock();
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('ended deliveries are deleted after their months, and waiting ones are kept', async () => {
  const merchantId = await insertMerchant(db);
  const change = {
    type: 'payment.paid',
    merchantId,
    callbackUrl: 'https://loja.example/pix',
    status: 'paid',
    amountCents: 100,
    createdAt: clock.now(),
  } as const;
  await inTransaction({ db, clock }, async (tx) => {
    await emitPaymentEvents(tx, [
      { ...change, chargeId: randomUUID() },
      { ...change, chargeId: randomUUID() },
    ]);
    await saveNotifications(tx, [{ merchantId, title: 'Pix recebido', body: 'R$ 1,00', data: {} }]);
  });
  const [first] = await db.selectFrom('webhook_deliveries').select('id').execute();
  const id = first?.id ?? '';
  const now = clock.now();
  await db
    .insertInto('webhook_attempts')
    .values({ merchant_id: merchantId, delivery_id: id, number: 1, at: now, duration_ms: 1, status: 200 })
    .execute();
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'delivered', finished_at: now })
    .where('id', '=', id)
    .execute();

  const left = async () => {
    await pruneWebhooks({ db, clock });
    await pruneNotifications({ db, clock });
    const rows = (table: 'webhook_deliveries' | 'webhook_attempts' | 'notifications') =>
      db
        .selectFrom(table)
        .select('merchant_id')
        .execute()
        .then((found) => found.length);
    return [await rows('webhook_deliveries'), await rows('webhook_attempts'), await rows('notifications')];
  };
  clock.shift(89 * day);
  expect(await left()).toEqual([2, 1, 1]);
  clock.shift(2 * day);
  expect(await left()).toEqual([1, 0, 1]);
  clock.shift(90 * day);
  expect(await left()).toEqual([1, 0, 0]);
});

test('endpoints without deliveries and expired leases are deleted, however many', async () => {
  const merchantId = await insertMerchant(db);
  const resting = new Date(clock.now().getTime() + day / 2);
  await sql`
    insert into webhook_breakers (merchant_id, endpoint, timeouts, open_until)
    select ${merchantId}, 'https://gone-' || n || '.example', n % 3, null from generate_series(1, 2500) n
    union all values (${merchantId}::bigint, 'https://resting.example', 3, ${resting}::timestamptz),
                     (${merchantId}::bigint, 'https://waiting.example', 2, null)
  `.execute(db);
  await sql`
    insert into webhook_leases (merchant_id, delivery_id, endpoint, until)
    select ${merchantId}, n::text, 'https://gone.example', ${clock.now()}::timestamptz - n * interval '1 day'
    from generate_series(0, 2500) n
  `.execute(db);
  await inTransaction({ db, clock }, (tx) =>
    emitPaymentEvents(tx, [
      {
        type: 'payment.paid',
        merchantId,
        chargeId: randomUUID(),
        callbackUrl: 'https://waiting.example/pix',
        status: 'paid',
        amountCents: 100,
        createdAt: tx.now,
      },
    ]),
  );

  const endpoints = async () => {
    await pruneWebhooks({ db, clock });
    const left = await db.selectFrom('webhook_breakers').select('endpoint').orderBy('endpoint').execute();
    return left.map(({ endpoint }) => endpoint);
  };
  const leases = async () =>
    (await db.selectFrom('webhook_leases').select('delivery_id').execute()).map((row) => row.delivery_id);
  expect(await endpoints()).toEqual(['https://resting.example', 'https://waiting.example']);
  expect(await leases()).toEqual(['0']);
  clock.shift(day);
  expect(await endpoints()).toEqual(['https://waiting.example']);
  expect(await leases()).toEqual([]);
});
