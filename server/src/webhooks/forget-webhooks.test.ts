import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { shiftedClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { forgetNotifications, notify } from '../notifications/index.ts';
import { emitPaymentEvents } from './emit-event.ts';
import { forgetWebhooks } from './forget-webhooks.ts';

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

test('what came to its end is kept for its months, then forgotten; what waits is kept', async () => {
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
    await notify(tx, [{ merchantId, title: 'Pix recebido', body: 'R$ 1,00', data: {} }]);
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
    await forgetWebhooks({ db, clock });
    await forgetNotifications({ db, clock });
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
