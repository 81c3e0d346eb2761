import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from './pool.ts';
import { assertNoOpenTransaction, inTransaction, setWakeCallback, type Tx } from './transaction.ts';

let database: TestDatabase;
let db: Db;
const connectionErrors: Error[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(
    createPool({ url: database.appUrl, max: 4, onError: (error) => connectionErrors.push(error) }),
  );
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const runTransaction = <T>(work: (tx: Tx) => Promise<T>) => inTransaction({ db, clock: machineClock }, work);
const countRows = (key: string) =>
  db
    .selectFrom('throttles')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('key', 'like', `${key}%`)
    .executeTakeFirstOrThrow()
    .then(({ rows }) => rows);
const writeRow = (tx: Tx, key: string) =>
  tx.db.insertInto('throttles').values({ key, window_ends_at: tx.now, attempts: 1 }).execute();

describe('a transaction', () => {
  test('is rolled back if its function throws', async () => {
    await expect(
      runTransaction(async (tx) => {
        await writeRow(tx, 'thrown');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await countRows('thrown')).toBe(0);
  });

  test('fails if its connection breaks between two statements, and the pool recovers', async () => {
    await expect(
      runTransaction(async (tx) => {
        await writeRow(tx, 'cut');
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
        while (connectionErrors.length === 0) await sleep(10);
        await writeRow(tx, 'cut again');
      }),
    ).rejects.toThrow();
    expect(await countRows('cut')).toBe(0);
  });

  test('that was aborted by a deadlock is retried, and both transactions succeed', async () => {
    await runTransaction((tx) => writeRow(tx, 'one'));
    await runTransaction((tx) => writeRow(tx, 'two'));
    const incrementAttempts = (tx: Tx, key: string) =>
      tx.db
        .updateTable('throttles')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
        .where('key', '=', key)
        .execute();
    let arrived = 0;
    const updateBoth = (first: string, second: string) =>
      runTransaction(async (tx) => {
        await incrementAttempts(tx, first);
        arrived += 1;
        while (arrived < 2) await sleep(5);
        await incrementAttempts(tx, second);
      });
    await Promise.all([updateBoth('one', 'two'), updateBoth('two', 'one')]);
    const rows = await db
      .selectFrom('throttles')
      .select('attempts')
      .where('key', 'in', ['one', 'two'])
      .execute();
    expect(rows.map(({ attempts }) => attempts)).toEqual([3, 3]);
  });

  test('is never nested, and makes no network call', async () => {
    await expect(runTransaction(() => runTransaction(async () => 'inner'))).rejects.toThrow(
      /inside a transaction/,
    );
    await expect(runTransaction(async () => assertNoOpenTransaction())).rejects.toThrow(/network call/);
    expect(() => assertNoOpenTransaction()).not.toThrow();
  });
});

test('a commit listener is called once after each commit that wrote messages, and not after a rollback', async () => {
  const kinds: { hasOrders: boolean; merchantIds: number[] }[] = [];
  const rowCounts: Promise<number>[] = [];
  setWakeCallback(db, ({ hasOrders, merchantIds }) => {
    kinds.push({ hasOrders, merchantIds: [...merchantIds] });
    rowCounts.push(countRows('followed'));
  });
  await runTransaction((tx) => writeRow(tx, 'followed quietly'));
  await runTransaction(async (tx) => {
    tx.wakeAfterCommit();
    tx.wakeAfterCommit({ merchantIds: [7, 8] });
    tx.wakeAfterCommit({ merchantIds: [8] });
    await writeRow(tx, 'followed messages');
  });
  expect(await Promise.all(rowCounts)).toEqual([2]);
  await runTransaction(async (tx) => {
    tx.wakeAfterCommit();
    tx.wakeAfterCommit({ hasOrders: true });
    await writeRow(tx, 'followed orders');
  });
  const failing = runTransaction(async (tx) => {
    tx.wakeAfterCommit({ hasOrders: true });
    await writeRow(tx, 'followed not');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(kinds).toEqual([
    { hasOrders: false, merchantIds: [7, 8] },
    { hasOrders: true, merchantIds: [] },
  ]);
  expect(await Promise.all(rowCounts)).toEqual([2, 3]);
});
