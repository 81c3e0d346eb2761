import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APP_ROLE, createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { migrate } from './migrate.ts';

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
