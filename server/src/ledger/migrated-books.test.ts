import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { readMigrations } from '../db/migrate.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { auditLedger, readBalances } from './index.ts';

const changing = '0013_cheaper_books.sql';

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

test('books that were kept with a row per account go on with the same balances', async () => {
  await owner.query('drop schema public cascade; create schema public');
  const migrations = await readMigrations();
  const at = migrations.findIndex(({ name }) => name === changing);
  for (const { sql } of migrations.slice(0, at)) await owner.query(sql);

  const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
  const transfer = (
    merchant: number | undefined,
    reference: string,
    from: string,
    to: string,
    cents: number,
  ) =>
    owner.query(
      `insert into ledger_transfers (merchant_id, at, event, reference, from_account, to_account, amount_cents)
       values ($1, '2026-11-20T12:00:00Z', 'before', $2, $3, $4, $5)`,
      [merchant, reference, from, to, cents],
    );
  await transfer(merchants[0], 'a', 'psp', 'available', 1000);
  await transfer(merchants[0], 'a', 'psp', 'fees', 10);
  await transfer(merchants[0], 'b', 'psp', 'reserved', 90);
  await transfer(merchants[0], 'c', 'available', 'in_transit', 300);
  await transfer(merchants[0], 'd', 'available', 'blocked', 50);
  await transfer(merchants[2], 'e', 'receivable', 'psp', 8);
  await transfer(merchants[0], 'f', 'adjustments', 'available', 4);
  await transfer(merchants[1], 'a', 'psp', 'available', 7);
  await owner.query(
    `insert into ledger_transfers (merchant_id, at, event, reference, from_account, to_account, amount_cents)
     values (0, now(), 'before', 'g', 'psp', 'suspense', 60)`,
  );

  for (const { sql } of migrations.slice(at)) await owner.query(sql);
  const nothing = {
    available: 0,
    reserved: 0,
    blocked: 0,
    in_transit: 0,
    suspense: 0,
    receivable: 0,
    fees: 0,
    adjustments: 0,
  };
  expect(await readBalances(db, merchants[0] ?? 0)).toEqual({
    available: 654,
    reserved: 90,
    blocked: 50,
    in_transit: 300,
    suspense: 0,
    receivable: 0,
    psp: -1100,
    fees: 10,
    adjustments: -4,
  });
  expect(await readBalances(db, merchants[1] ?? 0)).toEqual({ ...nothing, available: 7, psp: -7 });
  expect(await readBalances(db, merchants[2] ?? 0)).toEqual({ ...nothing, receivable: -8, psp: 8 });
  expect(await readBalances(db, 0)).toEqual({ ...nothing, suspense: 60, psp: -60 });

  await transfer(merchants[1], 'h', 'psp', 'available', 5);
  await expect(transfer(merchants[1], 'h', 'psp', 'available', 5)).rejects.toThrow(/ledger_event_once/);
  const differences = await auditLedger(db);
  // These books have no Pix, charges, reserves or disputes behind them.
  expect(
    differences.filter(
      ({ check }) => !/Pix|charge|withdrawal|reserve|suspense|dispute|a movement makes/.test(check),
    ),
  ).toEqual([]);
});
