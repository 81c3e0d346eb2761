import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from './pool.ts';
import { assertNoOpenTransaction, followCommits, inTransaction, type Tx } from './transaction.ts';

let database: TestDatabase;
let db: Db;
const broken: Error[] = [];

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 4, onError: (error) => broken.push(error) }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction({ db, clock: machineClock }, work);
const count = (key: string) =>
  db
    .selectFrom('throttles')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('key', 'like', `${key}%`)
    .executeTakeFirstOrThrow()
    .then(({ rows }) => rows);
const write = (tx: Tx, key: string) =>
  tx.db.insertInto('throttles').values({ key, window_ends_at: tx.now, attempts: 1 }).execute();

describe('a transaction', () => {
  test('is rolled back if its function throws', async () => {
    await expect(
      run(async (tx) => {
        await write(tx, 'thrown');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await count('thrown')).toBe(0);
  });

  test('fails if its connection breaks between two statements, and the pool recovers', async () => {
    await expect(
      run(async (tx) => {
        await write(tx, 'cut');
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
        while (broken.length === 0) await sleep(10);
        await write(tx, 'cut again');
      }),
    ).rejects.toThrow();
    expect(await count('cut')).toBe(0);
  });

  test('that was aborted by a deadlock is retried, and both succeed', async () => {
    await run((tx) => write(tx, 'one'));
    await run((tx) => write(tx, 'two'));
    const bump = (tx: Tx, key: string) =>
      tx.db
        .updateTable('throttles')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
        .where('key', '=', key)
        .execute();
    let arrived = 0;
    const crossing = (first: string, second: string) =>
      run(async (tx) => {
        await bump(tx, first);
        arrived += 1;
        while (arrived < 2) await sleep(5);
        await bump(tx, second);
      });
    await Promise.all([crossing('one', 'two'), crossing('two', 'one')]);
    const rows = await db
      .selectFrom('throttles')
      .select('attempts')
      .where('key', 'in', ['one', 'two'])
      .execute();
    expect(rows.map(({ attempts }) => attempts)).toEqual([3, 3]);
  });

  test('is never nested, and makes no network call', async () => {
    await expect(run(() => run(async () => 'inner'))).rejects.toThrow(/inside a transaction/);
    await expect(run(async () => assertNoOpenTransaction())).rejects.toThrow(/network call/);
    expect(() => assertNoOpenTransaction()).not.toThrow();
  });
});

test('a commit listener is called once after each commit that wrote messages, and not after a rollback', async () => {
  const heard: (string | undefined)[] = [];
  const rows: Promise<number>[] = [];
  followCommits(db, (among) => {
    heard.push(among);
    rows.push(count('followed'));
  });
  await run((tx) => write(tx, 'followed quietly'));
  await run(async (tx) => {
    tx.wakeAfterCommit();
    tx.wakeAfterCommit();
    await write(tx, 'followed messages');
  });
  await run(async (tx) => {
    tx.wakeAfterCommit();
    tx.wakeAfterCommit('orders');
    await write(tx, 'followed orders');
  });
  const thrown = run(async (tx) => {
    tx.wakeAfterCommit('orders');
    await write(tx, 'followed not');
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  expect(heard).toEqual([undefined, 'orders']);
  expect(await Promise.all(rows)).toEqual([2, 3]);
});
