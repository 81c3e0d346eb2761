import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { readMigrations } from '../db/migrate.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { auditLedger } from '../ledger/index.ts';

const recording = '0042_reserves_given_back.sql';

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

test('what disputes took before it was written down counts as taken from the oldest reserves, one after another', async () => {
  await owner.query('drop schema public cascade; create schema public');
  const migrations = await readMigrations();
  const at = migrations.findIndex(({ name }) => name === recording);
  for (const { sql } of migrations.slice(0, at)) await owner.query(sql);

  const merchantId = await insertMerchant(db);
  const [first, second] = [randomUUID(), randomUUID()];
  const transfer = (day: number, event: string, reference: string, from: string, to: string, cents: number) =>
    owner.query(
      `insert into ledger_transfers (merchant_id, at, event, reference, from_account, to_account, amount_cents)
       values ($1, timestamptz '2026-11-20Z' + $2 * interval '1 day', $3, $4, $5, $6, $7)`,
      [merchantId, day, event, reference, from, to, cents],
    );
  await transfer(0, 'payment received', 'E1', 'psp', 'reserved', 35);
  await transfer(1, 'dispute opened', first, 'reserved', 'blocked', 12);
  await transfer(2, 'dispute opened', second, 'reserved', 'blocked', 8);
  const reserve = async (dueIn: number, amountCents: number, claimedCents: number) => {
    const id = randomUUID();
    await owner.query(
      `insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                            reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
       values ($1, $2::uuid, $2::text, 'pending', 150, 0, 0, 0, 0, 0, 0, now(), now(), now())`,
      [merchantId, id],
    );
    await owner.query(
      `insert into reserves (merchant_id, charge_id, amount_cents, claimed_cents, due_at)
       values ($1, $2, $3, $4, timestamptz '2026-12-01Z' + $5 * interval '1 day')`,
      [merchantId, id, amountCents, claimedCents, dueIn],
    );
    return id;
  };
  await reserve(3, 5, 0);
  const [older, newer] = [await reserve(1, 10, 10), await reserve(2, 20, 10)];

  for (const { sql } of migrations.slice(at)) await owner.query(sql);
  const claims = await db
    .selectFrom('reserve_claims')
    .select(['dispute_id', 'charge_id', 'taken_cents', 'given_back_cents'])
    .orderBy('taken_cents')
    .execute();
  expect(claims).toEqual([
    { dispute_id: first, charge_id: newer, taken_cents: 2, given_back_cents: 0 },
    { dispute_id: second, charge_id: newer, taken_cents: 8, given_back_cents: 0 },
    { dispute_id: first, charge_id: older, taken_cents: 10, given_back_cents: 0 },
  ]);
  const found = (await auditLedger(db)).filter(({ check }) => /taken from a reserve|took from/.test(check));
  expect(found).toEqual([]);
});
