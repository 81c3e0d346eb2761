import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobLogger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createPool } from '../db/pool.ts';

/** A job that runs rarely, in only one of all the gateway's processes. */
export type Job = {
  readonly name: string;
  /** The crontab schedule, in UTC: `17 * * * *`. */
  readonly cron: string;
  readonly work: () => Promise<void>;
};

export type Schedule = {
  /** Returns whether the worker keeps looking for due jobs, and no job has been running for too long. */
  healthy(): boolean;
  stop(): Promise<void>;
};

/** The worker looks for due jobs every two seconds. If it has not looked for this long, it counts as stuck. */
const maxSinceLookMs = 60_000;
const maxRunMs = 3_600_000;
const retryMs = 1000;

/**
 * Runs jobs by the machine's clock, as the application's database role. The schedule is stored in the database, under
 * the names of the jobs. A failed job is retried with growing pauses. While the database is unavailable the schedule
 * waits, and then resumes by itself.
 */
export async function startSchedule(
  databaseUrl: string,
  log: Logger,
  jobs: readonly Job[],
): Promise<Schedule> {
  let isStopping = false;
  const pool = createPool({
    url: databaseUrl,
    max: 3,
    name: 'jangada jobs',
    onError: (err) => isStopping || log.warn({ err }, 'the job worker lost a database connection'),
  });
  const activity = followActivity();
  const start = () => startRunner({ pool, log, jobs, events: activity.events });
  let runner = await start().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  waitForDatabase(pool, () => isStopping);

  async function restartUntilStopped(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => {});
      if (isStopping) return;
      log.warn('the job worker has ended and is started again');
      runner = await restart();
    }
  }

  async function restart(): Promise<Runner> {
    for (;;) {
      try {
        // A job whose end could not be recorded would otherwise count as running for hours.
        await pool.query('select graphile_worker.force_unlock_workers($1)', [activity.workers()]);
        activity.beginAgain();
        return await start();
      } catch (err) {
        if (isStopping) throw err;
        log.warn({ err }, 'the job worker could not be started again yet');
        await sleep(retryMs);
      }
    }
  }

  const ended = restartUntilStopped().catch((err: unknown) => {
    if (!isStopping) log.error({ err }, 'the job worker has ended');
  });
  return {
    healthy: () => !isStopping && activity.isRecent(),
    async stop() {
      isStopping = true;
      await runner
        .stop()
        .catch((err: unknown) => log.warn({ err }, 'the job worker did not end as it should'));
      await ended;
      await pool.end();
    },
  };
}

type RunnerParts = {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly jobs: readonly Job[];
  readonly events: WorkerEvents;
};

function startRunner({ pool, log, jobs, events }: RunnerParts): Promise<Runner> {
  return run({
    pgPool: pool,
    events,
    noHandleSignals: true,
    logger: new JobLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ jobs: message }, 'a job logged a warning');
    }),
    // With these delays set, even to 0, a failure to record the end of a job ends the runner, which is then restarted.
    // Without them nothing handles such a failure, and it would end the process.
    preset: { worker: { concurrentJobs: 1, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: Object.fromEntries(jobs.map(({ name, work }) => [name, () => work()])),
    parsedCronItems: parseCronItems(
      jobs.map(({ name, cron }) => ({
        task: name,
        match: cron,
        identifier: name,
        // The key keeps a second run of the same job out of the queue. Runs that were due while no process was running
        // are not made up.
        options: { jobKey: name, backfillPeriod: 0, maxAttempts: 5 },
      })),
    ),
  });
}

/**
 * Makes `pool.connect` wait until the database is available instead of failing. After failures graphile-worker would
 * pause for longer and longer, up to a minute.
 */
function waitForDatabase(pool: pg.Pool, isStopping: () => boolean): void {
  const connect = pool.connect.bind(pool);
  const connectPatiently = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        if (isStopping() || pool.ending) throw error;
        await sleep(retryMs);
      }
    }
  };
  type Callback = (error?: Error, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void;
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return connectPatiently();
    return void connectPatiently().then(
      (client) => process.nextTick(callback, undefined, client, client.release),
      (error: Error) => process.nextTick(callback, error),
    );
  }) as pg.Pool['connect'];
}

/** Records when the runners last looked for due jobs, and the worker names under which they lock jobs. */
function followActivity() {
  const events: WorkerEvents = new EventEmitter();
  let lookedAt = performance.now();
  let runningSince: number | undefined;
  let workers: string[] = [];
  const look = () => {
    lookedAt = performance.now();
    runningSince = undefined;
  };
  events.on('pool:create', ({ workerPool }) => void workers.push(workerPool.id));
  events.on('worker:getJob:empty', look);
  events.on('job:complete', look);
  events.on('job:start', () => {
    runningSince = performance.now();
  });
  return {
    events,
    isRecent() {
      if (runningSince !== undefined) return performance.now() - runningSince < maxRunMs;
      return performance.now() - lookedAt < maxSinceLookMs;
    },
    workers: (): readonly string[] => workers,
    beginAgain() {
      look();
      workers = [];
    },
  };
}
