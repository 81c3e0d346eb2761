import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';
import { DatabaseUnavailable } from './db/outage.ts';
import { BrokenInvariant, invariant } from './invariant.ts';

/** Creates work whose runs block until they are released, and which records the batches that it receives. */
function createBlockedWork() {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  return {
    batches,
    work: async (items: readonly number[]) => {
      batches.push([...items]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return items.map((item) => item * 10);
    },
    releaseOldest: () => gates.shift()?.resolve(),
  };
}

describe('items', () => {
  test('that wait too long while all runs are busy are refused, and those that run are not', async () => {
    const { batches, work, releaseOldest } = createBlockedWork();
    const batcher = createBatcher({ work, maxBatchSize: 10, maxConcurrentRuns: 1, maxWaitMs: 10 });
    const running = batcher.add(1);
    await nextTurn();
    const waiting = Promise.allSettled([batcher.add(2), batcher.add(3)]);
    expect(await waiting).toMatchObject([
      { status: 'rejected', reason: expect.any(DatabaseUnavailable) },
      { status: 'rejected', reason: expect.any(DatabaseUnavailable) },
    ]);
    releaseOldest();
    expect(await running).toBe(10);
    const next = batcher.add(4);
    await nextTurn();
    releaseOldest();
    expect(await next).toBe(40);
    expect(batches).toEqual([[1], [4]]);
  });

  test('start without waiting for timers or I/O if there is only one', async () => {
    const { batches, work } = createBlockedWork();
    void createBatcher({ work, maxBatchSize: 10, maxConcurrentRuns: 1 }).add(1);
    // Runs microtasks only, before any timer or I/O.
    await Promise.resolve();
    expect(batches).toEqual([[1]]);
  });

  test('added in the same turn run together', async () => {
    const { batches, work } = createBlockedWork();
    const { add } = createBatcher({ work, maxBatchSize: 10, maxConcurrentRuns: 1 });
    for (const item of [1, 2, 3]) void add(item);
    await Promise.resolve();
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('added during a run form the next batches, in order', async () => {
    const { batches, work, releaseOldest } = createBlockedWork();
    const { add } = createBatcher({ work, maxBatchSize: 3, maxConcurrentRuns: 1 });
    const first = add(1);
    await nextTurn();
    const results = Promise.all([first, ...[2, 3, 4, 5].map(add)]);
    for (let turn = 0; turn < 3; turn += 1) {
      releaseOldest();
      await nextTurn();
    }
    expect(await results).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  test('added after a large batch wait for more items; those added after a single item do not', async () => {
    const { batches, work, releaseOldest } = createBlockedWork();
    const { add } = createBatcher({ work, maxBatchSize: 10, maxConcurrentRuns: 1, pauseMs: 60_000 });
    for (const item of [1, 2, 3]) {
      void add(item);
      await nextTurn();
      releaseOldest();
      await nextTurn();
    }
    expect(batches).toEqual([[1], [2], [3]]);
    for (const item of [4, 5, 6, 7]) void add(item);
    await nextTurn();
    releaseOldest();
    await nextTurn();
    void add(8);
    await nextTurn();
    expect(batches).toEqual([[1], [2], [3], [4, 5, 6, 7]]);
  });

  test('run in a limited number of concurrent batches', async () => {
    const { batches, work, releaseOldest } = createBlockedWork();
    const { add } = createBatcher({ work, maxBatchSize: 10, maxConcurrentRuns: 2 });
    const first = [add(1)];
    await nextTurn();
    first.push(add(2));
    await nextTurn();
    const results = Promise.all([...first, add(3), add(4)]);
    await nextTurn();
    expect(batches).toEqual([[1], [2]]);
    releaseOldest();
    await nextTurn();
    expect(batches).toEqual([[1], [2], [3, 4]]);
    releaseOldest();
    releaseOldest();
    expect(await results).toEqual([10, 20, 30, 40]);
  });
});

describe('a failure', () => {
  const failWith = (isPoison: (item: number) => boolean, error: () => Error) => {
    const batches: number[][] = [];
    const { add } = createBatcher<number, number>({
      maxBatchSize: 100,
      maxConcurrentRuns: 1,
      work: async (items) => {
        batches.push([...items]);
        await nextTurn();
        if (items.some(isPoison)) throw error();
        return [...items];
      },
    });
    return { add, batches };
  };

  test('affects only the faulty item of a batch', async () => {
    const poison = new RangeError('poison');
    const { add } = failWith(
      (item) => item === 37,
      () => poison,
    );
    const results = await Promise.allSettled(Array.from({ length: 64 }, (_, item) => add(item)));
    const failed = results.flatMap((result, item) => (result.status === 'rejected' ? [item] : []));
    expect(failed).toEqual([37]);
  });

  test.each([
    ['the connection ended', () => new Error('Connection terminated unexpectedly')],
    ['the connection broke while written to', () => Object.assign(new Error('write'), { code: 'EPIPE' })],
    ['the connection is refused', () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    [
      'PostgreSQL is shut down',
      () => Object.assign(new TypeError('shutdown'), { code: '57P01', severity: 'FATAL' }),
    ],
  ])('affects the whole batch, without retries, if %s', async (_, error) => {
    const { add, batches } = failWith(() => true, error);
    const results = await Promise.allSettled([1, 2, 3, 4].map(add));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(batches).toEqual([[1, 2, 3, 4]]);
  });

  test('of work that returns too few results is reported as a defect', async () => {
    const { add } = createBatcher<number, number>({
      maxBatchSize: 9,
      maxConcurrentRuns: 1,
      work: async () => [],
    });
    const [result] = await Promise.allSettled([add(1)]);
    invariant(result?.status === 'rejected', 'the item does not fail');
    expect(result.reason).toBeInstanceOf(BrokenInvariant);
  });

  test('does not stop later items', async () => {
    const { add } = failWith(
      (item) => item === 1,
      () => new RangeError('poison'),
    );
    await expect(add(1)).rejects.toThrow('poison');
    expect(await add(2)).toBe(2);
  });
});
