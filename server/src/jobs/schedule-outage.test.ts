import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type SilentProxy, startSilentProxy } from '../../test/silent-proxy.ts';
import { createPool } from '../db/pool.ts';
import { type Schedule, startSchedule } from './schedule.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let proxy: SilentProxy;
let schedule: Schedule;
/** Not through the proxy, as the same role. */
let direct: pg.Pool;
let runs: number;
/** What the job does each time it runs. */
let work: () => Promise<void>;
const rejections: unknown[] = [];
const keep = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  database = await createTestDatabase();
  direct = createPool({ url: database.appUrl });
  process.on('unhandledRejection', keep);
});
beforeEach(async () => {
  proxy = await startSilentProxy(database.appUrl);
  runs = 0;
  work = async () => {};
  schedule = await startPruning();
});
afterEach(async () => {
  await schedule.stop();
  await proxy.stop();
  expect(rejections).toEqual([]);
});
afterAll(async () => {
  process.off('unhandledRejection', keep);
  await direct.end();
  await database.drop();
});

const startPruning = () =>
  startSchedule(proxy.url(database.appUrl), log, [
    {
      name: 'prune',
      cron: '0 0 1 1 *',
      work: async () => {
        runs += 1;
        await work();
      },
    },
  ]);
const addJob = () => direct.query("select graphile_worker.add_job('prune')");
const waitingJobs = async () =>
  (await direct.query('select from graphile_worker._private_jobs')).rowCount ?? 0;

test('a job that ends while the database is away leaves the process running, and the schedule goes on by itself', async () => {
  const isAway = Promise.withResolvers<void>();
  work = () => isAway.promise;
  await addJob();
  await expect.poll(() => runs).toBe(1);
  proxy.setConnectionsRefused(true);
  isAway.resolve();
  await sleep(1500);
  proxy.setConnectionsRefused(false);
  await addJob();
  await expect.poll(() => runs).toBeGreaterThan(1);
  await expect.poll(waitingJobs).toBe(0);
  expect(schedule.healthy()).toBe(true);
});

test('a job whose end is lost with its connection is run again', async () => {
  const locked = Promise.withResolvers<void>();
  work = () => locked.promise;
  await addJob();
  await expect.poll(() => runs).toBe(1);
  const other = await direct.connect();
  await other.query('begin');
  await other.query('select from graphile_worker._private_jobs for update');
  locked.resolve();
  const endWaiting = () =>
    direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'jangada jobs %' and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await endWaiting()).rowCount).toBe(1);
  await other.query('commit');
  other.release();
  await expect.poll(() => runs).toBe(2);
  await expect.poll(waitingJobs).toBe(0);
});

test('when its connections go silent, the schedule finds due jobs again, and hears of new ones', async () => {
  const findListeners = async () => {
    const { rows } = await direct.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database()
       and application_name like 'jangada jobs %' and query ilike 'listen%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  await expect.poll(findListeners).toHaveLength(1);
  const before = await findListeners();
  proxy.silenceOpen();
  await addJob();
  await expect.poll(() => runs).toBe(1);
  await expect
    .poll(async () => (await findListeners()).filter((pid) => !before.includes(pid)))
    .toHaveLength(1);
});

test('a schedule whose connections go silent while it asks for its tasks finds due jobs all the same', async () => {
  await schedule.stop();
  const other = await direct.connect();
  await other.query('begin; lock table graphile_worker._private_tasks in exclusive mode');
  schedule = await startPruning();
  const findWaiting = () =>
    direct.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and application_name like 'jangada jobs %' and query like '%_private_tasks%'`,
    );
  await expect.poll(async () => (await findWaiting()).rowCount).toBe(1);
  proxy.silenceOpen();
  await other.query('rollback');
  other.release();
  await addJob();
  await expect.poll(() => runs).toBe(1);
});

test('a job that was locked for a worker whose connection broke before it heard of it is run all the same', async () => {
  const findLocks = async () =>
    (await direct.query<{ locked_by: string }>('select locked_by from graphile_worker._private_jobs')).rows;
  let workerId: string | undefined;
  work = async () => {
    workerId = (await findLocks())[0]?.locked_by;
  };
  await addJob();
  await expect.poll(waitingJobs).toBe(0);
  expect(workerId).toBeDefined();
  await direct.query("select graphile_worker.add_job('prune', run_at => now() + interval '1 hour')");
  await direct.query(
    `update graphile_worker._private_jobs
     set run_at = now(), locked_by = $1, locked_at = now() - interval '2 seconds'`,
    [workerId],
  );
  proxy.silenceOpen();
  await expect.poll(() => runs).toBe(2);
});
