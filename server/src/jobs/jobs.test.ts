import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type Loop, type LoopOptions, startLoop } from './loop.ts';
import { startSchedule } from './schedule.ts';

const log = pino({ level: 'silent' });

describe('a loop', () => {
  let loop: Loop | undefined;
  afterEach(() => loop?.stop());
  const start = (options: Partial<LoopOptions>) => {
    loop = startLoop(log, { name: 'test', everyMs: 3_600_000, work: async () => 0, ...options });
    return loop;
  };

  test('runs immediately, and again while there may be more work', async () => {
    const remaining = [3, 2, 1, 0, 99];
    start({ work: async () => remaining.shift() ?? 0 });
    await expect.poll(() => remaining).toEqual([99]);
  });

  test('runs again after its interval', async () => {
    let runs = 0;
    start({
      everyMs: 1,
      work: async () => {
        runs += 1;
        return 0;
      },
    });
    await expect.poll(() => runs).toBeGreaterThan(3);
  });

  test('never overlaps itself, and a wake during a run leads to one more', async () => {
    let concurrentRuns = 0;
    let maxConcurrentRuns = 0;
    let runs = 0;
    const { wake } = start({
      work: async () => {
        concurrentRuns += 1;
        runs += 1;
        maxConcurrentRuns = Math.max(maxConcurrentRuns, concurrentRuns);
        if (runs === 1) for (let wakes = 0; wakes < 10; wakes += 1) queueMicrotask(() => wake());
        await new Promise((resolve) => setTimeout(resolve, 5));
        concurrentRuns -= 1;
        return 0;
      },
    });
    await expect.poll(() => runs).toBe(2);
    wake();
    await expect.poll(() => runs).toBe(3);
    expect(maxConcurrentRuns).toBe(1);
  });

  test('continues after a failure, and still counts as healthy', async () => {
    let runs = 0;
    const failing = start({
      everyMs: 1,
      work: async () => {
        runs += 1;
        throw new Error('bank away');
      },
    });
    await expect.poll(() => runs).toBeGreaterThan(1);
    expect(failing.healthy()).toBe(true);
  });

  test('stops after the current run', async () => {
    const gate = Promise.withResolvers<number>();
    let runs = 0;
    const loopToStop = start({
      everyMs: 1,
      work: () => {
        runs += 1;
        return gate.promise;
      },
    });
    let hasEnded = false;
    const stop = loopToStop.stop().then(() => (hasEnded = true));
    loopToStop.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasEnded).toBe(false);
    gate.resolve(5);
    await stop;
    expect(runs).toBe(1);
    expect(loopToStop.healthy()).toBe(false);
  });
});

describe('the schedule', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('runs its jobs as the application role', async () => {
    const done = Promise.withResolvers<void>();
    const schedule = await startSchedule(database.appUrl, log, [
      { name: 'prune', cron: '0 0 1 1 *', work: async () => done.resolve() },
    ]);
    const client = new pg.Client({ connectionString: database.appUrl });
    await client.connect();
    await client.query("select graphile_worker.add_job('prune')");
    await done.promise;
    const { rows } = await client.query('select identifier from graphile_worker._private_known_crontabs');
    expect(rows).toEqual([{ identifier: 'prune' }]);
    await client.end();
    await schedule.stop();
  });
});
