import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { pruneNotifications, saveNotifications } from '../notifications/index.ts';
import { emitPaymentEvents } from './emit-events.ts';
import { pruneWebhooks } from './prune-webhooks.ts';

const day = 24 * 3_600_000;
const clock = createAdjustableClock();
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('events and ended deliveries are deleted after their time, and waiting ones are kept', async () => {
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
  await sql`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, receiver, state, due_at, created_at, finished_at)
    select merchant_id, id, type, subject_id, callback_url, 'https://loja.example', state, created_at, created_at,
           case state when 'delivered' then created_at end
    from (select *, case row_number() over () when 1 then 'delivered' else 'waiting' end as state from events) event
  `.execute(db);

  const left = async () => {
    await pruneWebhooks({ db, clock });
    await pruneNotifications({ db, clock });
    const rows = (table: 'webhook_deliveries' | 'events' | 'notifications') =>
      db
        .selectFrom(table)
        .select('merchant_id')
        .execute()
        .then((found) => found.length);
    return [await rows('webhook_deliveries'), await rows('events'), await rows('notifications')];
  };
  clock.shift(33 * day);
  expect(await left()).toEqual([2, 2, 1]);
  clock.shift(56 * day);
  expect(await left()).toEqual([2, 0, 1]);
  clock.shift(2 * day);
  expect(await left()).toEqual([1, 0, 1]);
  clock.shift(90 * day);
  expect(await left()).toEqual([1, 0, 0]);
});

test('leases that ended a day ago are deleted, however many', async () => {
  await sql`
    insert into webhook_leases (merchant_id, holder, until)
    select n, gen_random_uuid(), ${clock.now()}::timestamptz - n * interval '1 day' from generate_series(0, 2500) n
  `.execute(db);
  const leases = async () => {
    await pruneWebhooks({ db, clock });
    return (await db.selectFrom('webhook_leases').select('merchant_id').execute()).map(
      (row) => row.merchant_id,
    );
  };
  expect(await leases()).toEqual([0]);
  clock.shift(day);
  expect(await leases()).toEqual([]);
});
