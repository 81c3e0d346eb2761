import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { saveNotifications } from './index.ts';

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

const save = (merchantId: number, titles: readonly string[]) =>
  inTransaction({ db, clock }, async (tx) =>
    saveNotifications(
      tx,
      titles.map((title) => ({ merchantId, title, body: `"${title}"\n{}`, data: { about: title } })),
    ),
  );
const readStored = (merchantId: number) =>
  db.selectFrom('notifications').selectAll().where('merchant_id', '=', merchantId).orderBy('id').execute();

test('notifications are stored as sent, with ids in the order of creation', async () => {
  const merchantId = await insertMerchant(db);
  const titles = Array.from({ length: 300 }, (_, index) => `aviso ${index} \\ 'ã'\n`);
  const messages = await save(merchantId, titles);
  clock.shift(5);
  messages.push(...(await save(merchantId, ['later'])));
  const rows = await readStored(merchantId);
  expect(rows.map((row) => row.title)).toEqual([...titles, 'later']);
  expect(messages).toEqual(
    rows.map(({ id, title, body, data, created_at }) => ({
      merchantId,
      message: {
        type: 'notification',
        notification: { id, title, body, data, timestamp: created_at.toISOString(), read: false },
      },
    })),
  );
});

test('notifications with equal times have different ids', async () => {
  const merchantId = await insertMerchant(db);
  const now = new Date();
  for (let call = 0; call < 20; call += 1)
    await inTransaction({ db, clock: { now: () => now } }, (tx) =>
      saveNotifications(
        tx,
        Array.from({ length: 100 }, () => ({ merchantId, title: 'aviso', body: '', data: {} })),
      ),
    );
  expect(await readStored(merchantId)).toHaveLength(2000);
});
