import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from './bank.ts';
import { deferHints, finishHints, type Hint, leaseHints, pruneHints, storeHints } from './hints.ts';

let database: TestDatabase;
let db: Db;
const clock = createAdjustableClock();
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 8 }));
});
beforeEach(() => db.deleteFrom('bank_hints').execute());
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const store = (...hints: Hint[]) => storeAt(HOUSE_CONNECTION, ...hints);
const storeAt = (connectionId: number, ...hints: Hint[]) =>
  storeHints({ db, now: clock.now() }, connectionId, hints);
const take = (kind: Hint['kind'] = 'payout', limit = 10) => takeAt(HOUSE_CONNECTION, kind, limit);
const takeAt = (connectionId: number, kind: Hint['kind'] = 'payout', limit = 10) =>
  inTransaction({ db, clock }, (tx) => leaseHints(tx, connectionId, kind, limit));
const readStored = () =>
  db.selectFrom('bank_hints').select(['kind', 'reference']).orderBy('reference').execute();
const payout = { kind: 'payout', reference: 'envio1' } as const;

test('a repeated hint stays one row, and is taken under its own kind only', async () => {
  const refund = { kind: 'return', reference: 'envio1' } as const;
  await store(payout, payout, refund);
  await store(refund, payout);
  expect(await readStored()).toHaveLength(2);
  expect(await take()).toMatchObject([{ ...payout, attempts: 1 }]);
  expect(await take('dispute')).toEqual([]);
});

test('the same hint of two banks is two hints, and each is taken and ended at its own bank only', async () => {
  await storeAt(2, payout);
  expect(await take()).toEqual([]);
  await store(payout);
  const [ofHouse, ofSecond] = [await take(), await takeAt(2)];
  expect(ofHouse).toMatchObject([{ ...payout, connectionId: HOUSE_CONNECTION, timesReceived: 1 }]);
  expect(ofSecond).toMatchObject([{ ...payout, connectionId: 2, timesReceived: 1 }]);
  await inTransaction({ db, clock }, (tx) => finishHints(tx, ofHouse));
  clock.shift(60_000);
  expect(await take()).toEqual([]);
  await inTransaction({ db, clock }, async (tx) => deferHints(tx, await leaseHints(tx, 2, 'payout', 10)));
  clock.shift(1000);
  expect(await takeAt(2)).toEqual([]);
  clock.shift(1000);
  expect(await takeAt(2)).toMatchObject([{ attempts: 3 }]);
});

test('a leased hint is not leased again before its lease expires', async () => {
  await store(payout);
  const leased = await Promise.all([take(), take(), take()]);
  expect(leased.flat()).toHaveLength(1);
  clock.shift(59_000);
  expect(await take()).toEqual([]);
  clock.shift(1000);
  expect(await take()).toMatchObject([{ attempts: 2 }]);
});

test('a processed hint is deleted; a hint that arrived again in the meantime is processed again', async () => {
  await store(payout, { kind: 'payout', reference: 'envio2' });
  const leased = await take();
  await store(payout);
  await inTransaction({ db, clock }, (tx) => finishHints(tx, leased));
  expect(await readStored()).toEqual([payout]);
  expect(await take()).toMatchObject([{ ...payout, attempts: 1 }]);
});

test('a deferred hint waits longer each time, up to 15 minutes, and is due immediately when it arrives again', async () => {
  await store(payout);
  const waits: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const leased = await take();
    await inTransaction({ db, clock }, (tx) => deferHints(tx, leased));
    const { due_at: dueAt } = await db.selectFrom('bank_hints').select('due_at').executeTakeFirstOrThrow();
    waits.push(Math.round((dueAt.getTime() - clock.now().getTime()) / 1000));
    clock.follow(new Date(dueAt.getTime() + 1));
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  const leased = await take();
  await store(payout);
  await inTransaction({ db, clock }, (tx) => deferHints(tx, leased));
  expect(await take()).toMatchObject([{ attempts: 1 }]);
});

test('the hints that became due first are taken first', async () => {
  for (const reference of ['c', 'a', 'b']) {
    await store({ kind: 'payout', reference });
    clock.shift(1);
  }
  expect((await take('payout', 2)).map(({ reference }) => reference).sort()).toEqual(['a', 'c']);
});

test('hints without a result are deleted after two days', async () => {
  await store(payout);
  clock.shift(47 * 3_600_000);
  await store({ kind: 'payout', reference: 'envio2' });
  clock.shift(2 * 3_600_000);
  await inTransaction({ db, clock }, pruneHints);
  expect(await readStored()).toEqual([{ kind: 'payout', reference: 'envio2' }]);
});

test('a merchant’s own bank has no more than 5,000 hints stored, which takes no room from others', async () => {
  const hintsFrom = (start: number): Hint[] =>
    Array.from({ length: 1000 }, (_, n) => ({ kind: 'return', reference: `E${start + n}` }));
  const count = async () => (await readStored()).length;
  for (let start = 0; start < 8000; start += 1000) await storeAt(2, ...hintsFrom(start));
  expect(await count()).toBe(5000);
  await storeAt(3, ...hintsFrom(0));
  for (let start = 0; start < 8000; start += 1000) await store(...hintsFrom(start));
  expect(await count()).toBe(14_000);
});

test('concurrent storing and processing of the same hints does not conflict', async () => {
  const references = Array.from({ length: 40 }, (_, n) => `envio${n}`);
  const hints = references.map((reference) => ({ kind: 'payout', reference }) as const);
  const shuffled = () => hints.toSorted(() => Math.random() - 0.5);
  const processHints = async () => {
    const leased = await take('payout', 40);
    const reversed = leased.toSorted((a, b) => (a.reference < b.reference ? 1 : -1));
    await inTransaction({ db, clock }, (tx) =>
      (Math.random() < 0.5 ? finishHints : deferHints)(tx, reversed),
    );
  };
  await Promise.all(Array.from({ length: 30 }).flatMap(() => [store(...shuffled()), processHints()]));
});
