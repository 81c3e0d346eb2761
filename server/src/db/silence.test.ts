import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, test as baseTest, beforeAll, expect } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type SilentProxy, startSilentProxy } from '../../test/silent-proxy.ts';
import { connectClient } from './client.ts';
import { DatabaseUnavailable } from './outage.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Each test has connections of its own, through a proxy of its own, so that all can run at once. */
const test = baseTest.extend<{ proxy: SilentProxy; pool: pg.Pool }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a fixture needs from its pattern.
  proxy: async ({}, use) => {
    const proxy = await startSilentProxy(database.appUrl);
    await use(proxy);
    await proxy.stop();
  },
  pool: async ({ proxy }, use) => {
    const pool = createPool({ url: proxy.url(database.appUrl), max: 3 });
    await use(pool);
    await pool.end();
  },
}).concurrent;

const backend = async (pool: pg.Pool) =>
  (await pool.query('select pg_backend_pid() as pid')).rows[0].pid as number;
/** Opens every connection of the pool. */
const openAll = (pool: pg.Pool) => Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.1)')));

test('when open connections go silent, a statement is answered over a new one', async ({ proxy, pool }) => {
  await openAll(pool);
  proxy.silenceOpen();
  const failures: unknown[] = [];
  for (;;) {
    const answered = await backend(pool).catch((error: unknown) => void failures.push(error));
    if (answered !== undefined) break;
  }
  for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailable);
  // The other connections at rest were given up with the first that was found silent.
  expect(failures).toHaveLength(1);
});

test('statements that were running when the connections went silent hold no connection either', async ({
  proxy,
  pool,
}) => {
  await openAll(pool);
  const held = Promise.allSettled([1, 2, 3].map(() => pool.query('select pg_sleep(1)')));
  await sleep(200);
  proxy.silenceOpen();
  expect((await held).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await backend(pool)).toBeGreaterThan(0);
});

test('a transaction whose connection went silent holds no lock at the server', async ({ proxy, pool }) => {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(77)');
  proxy.silenceOpen();
  await expect(client.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  client.release();
  const { rows } = await pool.query('select pg_advisory_lock(77), true as got');
  expect(rows).toMatchObject([{ got: true }]);
});

test('when the server answers nothing any more, what somebody waits for is refused long before its own limit', async ({
  proxy,
  pool,
}) => {
  await openAll(pool);
  const alone = await connectClient(proxy.url(database.ownerUrl));
  const long = alone.query('select 1').catch((error: unknown) => error);
  proxy.silenceOpen();
  proxy.setNewConnectionsSwallowed(true);
  await expect(pool.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  // Long work waits until the server can be asked.
  expect(await Promise.race([long, 'waits'])).toBe('waits');
  alone.abandon('the test ends');
});

test('a statement whose connection was given up does not go on at the server', async ({ pool }) => {
  const client = await pool.connect();
  const running = client.query('select pg_sleep(600)').catch((error: unknown) => error);
  const sleepers = async () =>
    (
      await pool.query(
        "select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(600)' and pid <> pg_backend_pid()",
      )
    ).rowCount;
  await expect.poll(sleepers).toBe(1);
  client.connection.stream.destroy();
  expect(await running).toBeInstanceOf(DatabaseUnavailable);
  client.release();
  await expect.poll(sleepers).toBe(0);
});

test('a long statement is left alone, in a pool and outside of one', async ({ proxy, pool }) => {
  const alone = await connectClient(proxy.url(database.ownerUrl));
  try {
    await Promise.all([pool.query('select pg_sleep(6)'), alone.query('select pg_sleep(6)')]);
  } finally {
    await alone.end();
  }
});

test('a connection outside any pool is given up too', async ({ proxy }) => {
  const alone = await connectClient(proxy.url(database.ownerUrl));
  proxy.silenceOpen();
  await expect(alone.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
});

test('a statement that had no answer in its time closes its connection', async ({ proxy }) => {
  // Long enough for setting up the session, which is limited too.
  const slow = createPool({ url: proxy.url(database.appUrl), max: 1, statementTimeoutMs: 500 });
  const client = await slow.connect();
  proxy.silenceOpen();
  proxy.setNewConnectionsSwallowed(true);
  await expect(client.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  client.release();
  expect(slow.totalCount).toBe(0);
  await slow.end();
});

test('a caller is refused after a few seconds when no connection is free, or none can be opened', async ({
  proxy,
  pool,
}) => {
  let isBusy = true;
  const busy = Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(8)'))).then(() => {
    isBusy = false;
  });
  await expect(pool.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(isBusy).toBe(true);
  await busy;
  proxy.setNewConnectionsSwallowed(true);
  const unreachable = createPool({ url: proxy.url(database.appUrl) });
  await expect(unreachable.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  await unreachable.end();
});
