import { Logger as JobLogger, parseCronItems, run } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';

/** A job that runs rarely, in only one of all the gateway's processes. */
export type Job = {
  readonly name: string;
  /** The crontab schedule, in UTC: `17 * * * *`. */
  readonly cron: string;
  readonly work: () => Promise<void>;
};

export type Schedule = { stop(): Promise<void> };

/**
 * Runs jobs by the machine's clock, as the application's database role. The schedule is stored in the database, under
 * the names of the jobs. A failed job is retried with growing pauses.
 */
export async function startSchedule(
  databaseUrl: string,
  log: Logger,
  jobs: readonly Job[],
): Promise<Schedule> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3, application_name: 'jangada jobs' });
  let isStopping = false;
  const logLostConnection = (err: Error) => {
    if (!isStopping) log.warn({ err }, 'the job worker lost a database connection');
  };
  // The pool reports errors of idle connections, each client those of a connection in use.
  pool.on('error', logLostConnection).on('connect', (client) => client.on('error', logLostConnection));
  const runner = await run({
    pgPool: pool,
    concurrency: 1,
    noHandleSignals: true,
    logger: new JobLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ jobs: message }, 'a job logged a warning');
    }),
    taskList: Object.fromEntries(jobs.map(({ name, work }) => [name, () => work()])),
    parsedCronItems: parseCronItems(
      jobs.map(({ name, cron }) => ({
        task: name,
        match: cron,
        identifier: name,
        // The key prevents that a second run of the same job is queued. Runs missed while no process ran are not made
        // up.
        options: { jobKey: name, backfillPeriod: 0, maxAttempts: 5 },
      })),
    ),
  });
  return {
    async stop() {
      isStopping = true;
      await runner.stop();
      await pool.end();
    },
  };
}
