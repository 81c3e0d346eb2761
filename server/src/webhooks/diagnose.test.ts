import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createSecrets } from '../secrets.ts';
import { diagnose } from './diagnose.ts';

const secrets = createSecrets(randomBytes(32));
let database: TestDatabase;
let db: Db;
let merchantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  merchantId = await insertMerchant(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
};
const ask = (body: string) =>
  diagnose({ db, clock: createAdjustableClock(), secrets }, merchantId, { headers, body, computed: 'AAAA' });

test.each([
  ['deep lists', `${'['.repeat(4600)}${']'.repeat(4600)}`],
  ['deep objects', `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`],
  ['deep lists behind a mark', `\ufeff${'['.repeat(4600)}${']'.repeat(4600)}`],
  ['too many values', `[${'0,'.repeat(16_000)}0]`],
])('the doctor refuses %s before parsing them', async (_name, body) => {
  await expect(ask(body)).rejects.toMatchObject({ code: 'INVALID_BODY', status: 400 });
});

test('the doctor accepts any text that is not JSON', async () => {
  expect(await ask('a,'.repeat(10_000))).toMatchObject({ ok: false });
});
