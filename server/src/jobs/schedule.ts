import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as JobLogger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createPool } from '../db/pool.ts';

/** A job that runs rarely. Each run happens in only one of the gateway's processes. */
export type Job = {
  readonly name: string;
  /** The crontab schedule, in UTC: `17 * * * *`. */
  readonly cron: string;
  readonly work: () => Promise<void>;
};

export type Schedule = {
  /** True while the worker looks for due jobs and no job has run for too long; false once the schedule is stopped. */
  healthy(): boolean;
  stop(): Promise<void>;
};

/** The worker looks for due jobs every two seconds. After this long without a look it counts as stuck. */
const maxPollGapMs = 60_000;
/** A job that has run for this long makes the schedule unhealthy. It is not interrupted. */
const maxRunMs = 3_600_000;
/** After this many looks for due jobs in a row that failed, the worker is restarted. */
const maxFailedLooks = 3;
/** The pause before another attempt to connect to the database or to restart the worker. */
const retryMs = 1000;

/**
 * Runs jobs at the times of their crontab schedules, by the machine's clock. The job queue remembers in the database,
 * by the names of the jobs, when each ran last. A failed job is retried with growing pauses. While the database is
 * unavailable the schedule waits, and then resumes by itself.
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
  const activity = trackActivity();
  unlockUnheardJobs(pool, activity, log);
  const start = () => startRunner({ pool, log, jobs, events: activity.events });
  let runner = await start().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  // After the first start, so that a database that is unavailable at the start is reported at once.
  retryConnecting(pool, () => isStopping);

  // The worker asks once for the ids of its tasks and keeps a failure of that question for ever, so that each look fails.
  activity.onLooksFailing(() => {
    log.warn('the job worker cannot look for due jobs, and is stopped to start anew');
    runner.stop().catch((err: unknown) => log.warn({ err }, 'the job worker did not stop cleanly'));
  });

  async function restartUntilStopped(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => {});
      if (isStopping) return;
      log.warn('the job worker ended unexpectedly and is restarted');
      runner = await restart();
    }
  }

  async function restart(): Promise<Runner> {
    for (;;) {
      try {
        // A job whose end could not be recorded would otherwise count as running for hours.
        await pool.query('select graphile_worker.force_unlock_workers($1)', [activity.workerPoolIds()]);
        activity.reset();
        return await start();
      } catch (err) {
        if (isStopping) throw err;
        log.warn({ err }, 'the job worker could not be restarted; trying again');
        await sleep(retryMs);
      }
    }
  }

  const supervision = restartUntilStopped().catch((err: unknown) => {
    if (!isStopping) log.error({ err }, 'the job worker has ended');
  });
  return {
    healthy: () => !isStopping && activity.isHealthy(),
    async stop() {
      isStopping = true;
      await runner.stop().catch((err: unknown) => log.warn({ err }, 'the job worker did not stop cleanly'));
      await supervision;
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
      if (level === 'error' || level === 'warning')
        log.warn({ message, level }, 'the job queue reported a problem');
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
        // The key keeps a second run of the same job out of the queue. Runs that were missed while no process was
        // running are skipped.
        options: { jobKey: name, backfillPeriod: 0, maxAttempts: 5 },
      })),
    ),
  });
}

/**
 * Unlocks jobs that the database locked for a worker that did not hear of it, because the connection broke before the
 * answer came. They would stay locked for four hours. The worker that has just found no job is running none, so what is
 * locked in its name is such a job. A lock of the last second may belong to its next look.
 */
function unlockUnheardJobs(
  pool: pg.Pool,
  { events, workerPoolIds }: ReturnType<typeof trackActivity>,
  log: Logger,
): void {
  let hasLostConnection = false;
  pool.on('remove', () => {
    hasLostConnection = true;
  });
  events.on('worker:getJob:empty', () => {
    if (!hasLostConnection) return;
    hasLostConnection = false;
    pool
      .query(
        `update graphile_worker._private_jobs set locked_by = null, locked_at = null
         where locked_by = any($1) and locked_at < now() - interval '1 second'`,
        [workerPoolIds()],
      )
      .catch((err: unknown) => {
        hasLostConnection = true;
        log.warn({ err }, 'jobs that a lost connection locked could not be unlocked; trying again');
      });
  });
}

/**
 * Makes `pool.connect` wait until the database is available instead of failing: graphile-worker itself would pause for
 * longer after each failure, up to a minute.
 */
function retryConnecting(pool: pg.Pool, isStopping: () => boolean): void {
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

/**
 * Tracks when the worker last looked for due jobs, how long the current job has run, and the ids that hold job locks.
 */
function trackActivity() {
  const events: WorkerEvents = new EventEmitter();
  let lastPollAt = performance.now();
  let runningSince: number | undefined;
  let workerPoolIds: string[] = [];
  let failedLooks = 0;
  let handleLooksFailing = () => {};
  const recordPoll = () => {
    lastPollAt = performance.now();
    runningSince = undefined;
    failedLooks = 0;
  };
  events.on('pool:create', ({ workerPool }) => void workerPoolIds.push(workerPool.id));
  events.on('worker:getJob:empty', recordPoll);
  events.on('job:complete', recordPoll);
  events.on('worker:getJob:error', () => {
    failedLooks += 1;
    if (failedLooks === maxFailedLooks) handleLooksFailing();
  });
  events.on('job:start', () => {
    runningSince = performance.now();
    failedLooks = 0;
  });
  return {
    events,
    isHealthy() {
      if (runningSince !== undefined) return performance.now() - runningSince < maxRunMs;
      return performance.now() - lastPollAt < maxPollGapMs;
    },
    workerPoolIds: (): readonly string[] => workerPoolIds,
    onLooksFailing(handle: () => void) {
      handleLooksFailing = handle;
    },
    reset() {
      recordPoll();
      workerPoolIds = [];
    },
  };
}
