import { transactionFeed } from '@jangada/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { readMigrations } from '../db/migrate.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { auditLedger } from '../ledger/index.ts';
import { listTransactions } from './list-transactions.ts';

const config = { publicUrl: 'http://localhost' };

const counting = '0015_runs_of_charges.sql';

let database: TestDatabase;
let db: Db;
let owner: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.ownerUrl }));
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});

afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

test('charges from before there were runs are found at any offset, among those that come after, and before', async () => {
  await owner.query('drop schema public cascade; create schema public');
  const migrations = await readMigrations();
  const at = migrations.findIndex(({ name }) => name === counting);
  for (const { sql } of migrations.slice(0, at)) await owner.query(sql);

  const [busy, quiet, idle] = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
  const insertCharges = (merchantId: number, count: number, from: number, seconds: number) =>
    owner.query(
      `insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                            reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
       select $1::bigint, id, id::text, 'pending', 150, 0, 0, 0, 0, 0, 0, now(),
              timestamptz '2026-11-20 03:00Z' + floor($3::int + random() * $4::int) * interval '1 second', now()
       from (select gen_random_uuid() as id from generate_series(1, $2::int)) made`,
      [merchantId, count, from, seconds],
    );
  await insertCharges(busy, 4300, 1000, 2000);
  // More than a run holds, at one moment.
  await insertCharges(busy, 2300, 2000, 0);
  await insertCharges(quiet, 3, 1000, 50);

  for (const { sql } of migrations.slice(at)) await owner.query(sql);
  expect(await auditLedger(db)).toEqual([]);
  for (const merchantId of [busy, quiet, idle]) {
    await insertCharges(merchantId, 700, 0, 5000);
    await insertCharges(merchantId, 800, 3000, 1000);
  }
  expect(await auditLedger(db)).toEqual([]);
  for (const merchantId of [busy, quiet, idle]) {
    const { rows } = await sql<{ id: string }>`
      select id from charges where merchant_id = ${merchantId} order by created_at desc, id desc`.execute(db);
    for (let offset = 0; offset < rows.length; offset += 61) {
      const page = await listTransactions(
        { db, clock: machineClock, config },
        merchantId,
        transactionFeed.query.parse({ offset }),
      );
      expect(page.data.map(({ id }) => id)).toEqual(rows.slice(offset, offset + 10).map(({ id }) => id));
    }
  }
});
