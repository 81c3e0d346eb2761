import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { APP_ROLE, createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { auditLedger } from '../ledger/index.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Applies the migration once more, without what it made the first time. */
async function applyAgain(name: string, undo: string): Promise<void> {
  await client.query(`${undo}; delete from schema_migrations where name = '${name}'`);
  await migrate({ ownerUrl: database.ownerUrl, appRole: { name: APP_ROLE } });
}

/** Counts the failed transactions in this database, once all other sessions have ended. */
async function countFailedTransactions(): Promise<number> {
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      return rows.length;
    })
    .toBe(0);
  const { rows } = await client.query<{ failed: string }>(
    'select xact_rollback as failed from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.failed);
}

test('concurrent first starts migrate an empty database without a failed statement', async () => {
  const options = { ownerUrl: database.ownerUrl, appRole: { name: APP_ROLE } };
  await Promise.all([migrate(options), migrate(options), migrate(options)]);
  const { rows } = await client.query('select count(*) > 0 as applied from graphile_worker.migrations');
  expect(rows).toEqual([{ applied: true }]);
  expect(await countFailedTransactions()).toBe(0);
});

test('a start does not wait for working processes: it locks none of their tables', async () => {
  const options = { ownerUrl: database.ownerUrl, appRole: { name: APP_ROLE } };
  await migrate(options);
  const tables = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)",
  );
  // Locks every table as a writing process does, except the tables that list the migrations.
  const workTables = tables.rows.map(({ name }) => name).filter((name) => !/migrations$/.test(name));
  await client.query(`begin; lock table ${workTables.join(', ')} in row exclusive mode`);
  // The lock timeout makes a start that waits for one of these tables fail, instead of hanging.
  const urlWithTimeout = new URL(database.ownerUrl);
  urlWithTimeout.searchParams.set('options', '-c lock_timeout=2000');
  await migrate({ ...options, ownerUrl: urlWithTimeout.href });
  await client.query('rollback');
});

test('a charge that moved before 0019 is listed at its new account', async () => {
  const db = createDb(createPool({ url: database.ownerUrl, max: 1 }));
  const merchantId = await insertMerchant(db);
  const now = new Date();
  const [from, to] = [
    await insertConnection(db, merchantId, 'a@example.com'),
    await insertConnection(db, merchantId, 'b@example.com'),
  ];
  await client.query(
    `insert into charges (merchant_id, id, txid, connection_id, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                          reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at, next_check_at)
     values ($1, $3, 'txid', $2, 'pending', 100, 0, 0, 0, 0, 0, 0, $4, $4, $4, $4)`,
    [merchantId, from, newChargeIds(merchantId, now).id, now],
  );
  await client.query("update charges set connection_id = $1, txid = 'other'", [to]);
  await client.query('update open_charges set connection_id = $1', [from]);
  expect(await auditLedger(db)).toMatchObject([{ merchantId }]);
  await applyAgain('0019_moved_charges.sql', 'drop function list_moved_charge cascade');
  expect(await auditLedger(db)).toEqual([]);
  await db.destroy();
});
