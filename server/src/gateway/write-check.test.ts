import { adminSystemHealth } from '@jangada/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdmin, parseSuccess } from '../../test/given.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { createWriteCheck, type WriteCheck } from './write-check.ts';

let database: TestDatabase;
let owner: pg.Client;
let pool: pg.Pool;
let db: Db;
let elapsedMs: number;
let check: WriteCheck;
const passTime = () => {
  elapsedMs += 10_000;
};

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
beforeEach(() => {
  pool = createPool({ url: database.appUrl, max: 1 });
  db = createDb(pool);
  elapsedMs = 0;
  check = createWriteCheck({ db, elapsedMs: () => elapsedMs });
});
afterEach(async () => {
  await owner.query('drop function if exists fail() cascade');
  await db.destroy();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const written = async () => (await owner.query('select written_at from write_checks')).rows;

test('one row is written, only when nobody has asked for a while, and once for all who ask together', async () => {
  expect(await Promise.all([check(), check(), check()])).toEqual(['ok', 'ok', 'ok']);
  const first = await written();
  expect(first).toHaveLength(1);
  expect(await check()).toBe('ok');
  expect(await written()).toEqual(first);
  passTime();
  expect(await check()).toBe('ok');
  const second = await written();
  expect(second).toHaveLength(1);
  expect(second).not.toEqual(first);
});

test.each([
  ['full', '53100'],
  ['read-only', '25006'],
  ['unavailable', '57P01'],
])(
  'a write that fails because the database is %s is told, and so is the next that succeeds',
  async (state, code) => {
    expect(await check()).toBe('ok');
    await owner.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'a failure' using errcode = '${code}'; end $$`);
    await owner.query('create trigger fails before insert on write_checks execute function fail()');
    passTime();
    expect(await check()).toBe(state);
    await owner.query('drop function fail() cascade');
    passTime();
    expect(await check()).toBe('ok');
  },
);

test('a session that is read-only, like a standby, is told', async () => {
  await pool.query('set default_transaction_read_only = on');
  expect(await check()).toBe('read-only');
});

test('statements that a pooler has lost are told', async () => {
  expect(await check()).toBe('ok');
  await pool.query('deallocate all');
  passTime();
  expect(await check()).toBe('unavailable');
});

test('more is written to a temporary file than fits into memory, so that a full disk shows', async () => {
  const countFiles = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      'select temp_files as files from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0].files);
  };
  const before = await countFiles();
  expect(await check()).toBe('ok');
  expect(await countFiles()).toBe(before + 1);
});

test('the health of a gateway that cannot write says so, while reading works', async () => {
  const gateway: TestGateway = await startTestGateway();
  const admin = await givenAdmin(gateway);
  expect((await gateway.api('GET', '/health')).status).toBe(200);
  const superior = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await superior.connect();
  await superior.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'a failure' using errcode = '53100'; end $$`);
  await superior.query('create trigger fails before insert on write_checks execute function fail()');
  const other = await startTestGateway({ sharedGateway: gateway });
  expect(await other.api('GET', '/health')).toMatchObject({
    status: 503,
    body: {
      error: { details: { database: 'unavailable', warnings: expect.arrayContaining(['database-full']) } },
    },
  });
  const report = await other.api('GET', '/admin/health', undefined, { token: admin.token });
  expect(parseSuccess(adminSystemHealth.response, report)).toMatchObject({
    database: 'unavailable',
    warnings: expect.arrayContaining(['database-full']),
  });
  await superior.query('drop function fail() cascade');
  await superior.end();
  await other.stop();
  await gateway.stop();
});
