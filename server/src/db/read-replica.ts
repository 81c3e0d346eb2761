// A replica of the database takes load from the primary: exports, and the searches and lists of staff are read there.

import { sql } from 'kysely';
import type { Logger } from 'pino';
import { isDatabaseOutage } from './outage.ts';
import { createDb, createPool, type Db } from './pool.ts';
import { databaseErrorCode } from './transaction.ts';

/**
 * `behind`: it lags by more than the setting allows, so the primary is read. `not-a-replica`: the address leads to a
 * server that accepts writes, to another database, or to a replica on another timeline (of a former primary). It is not
 * read either.
 */
export type ReplicaState = 'ok' | 'behind' | 'unavailable' | 'not-a-replica';

export type ReadReplica = {
  /** While the replica is used, everything that was written longer ago than this has reached it. */
  readonly maxLagMs: number;
  /** The replica's connections while it is up to date enough. */
  readonly current: () => Db | undefined;
  /** Reports a failed read, so that the primary is read until the replica has been checked again. */
  readonly reportFailure: () => void;
  readonly health: () => { readonly state: ReplicaState; readonly lagMs: number | undefined };
  stop(): Promise<void>;
};

type ReplicaOptions = {
  readonly url: string;
  readonly primary: Db;
  /** Writes the server's time to `write_checks` at the primary. */
  readonly writeTime: () => Promise<unknown>;
  readonly maxLagMs: number;
  readonly log: Logger;
  readonly checkEveryMs?: number;
};

/** The lag was at most `lagMs` at `checkedAt`, by a monotonic clock. */
type Check = { readonly state: ReplicaState; readonly lagMs: number | undefined; readonly checkedAt: number };

/**
 * Connects to a replica and measures its lag every second: each check writes the time to the primary, and reads which
 * of these times has reached the replica. So the lag is an upper bound.
 */
export function createReadReplica({
  url,
  primary,
  writeTime,
  maxLagMs,
  log,
  checkEveryMs = 1000,
}: ReplicaOptions): ReadReplica {
  const pool = createPool({ url, readsByKey: true, max: 8, name: 'jangada replica' });
  const replica = createDb(pool);
  let last: Check = { state: 'unavailable', lagMs: undefined, checkedAt: 0 };
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const checked = await checkReplica(replica, primary, writeTime, maxLagMs);
    if (checked.state !== last.state)
      log.info({ state: checked.state, lag_ms: checked.lagMs }, 'the state of the read replica changed');
    last = checked;
  }

  async function repeatChecks(): Promise<void> {
    await check();
    if (!isStopped) timer = setTimeout(() => (running = repeatChecks()), checkEveryMs);
  }
  let running = repeatChecks();

  const isUsable = () =>
    last.state === 'ok' && (last.lagMs ?? 0) + performance.now() - last.checkedAt <= maxLagMs;

  return {
    maxLagMs,
    current: () => (isUsable() ? replica : undefined),
    reportFailure() {
      last = { ...last, state: 'unavailable' };
    },
    health: () => ({
      state: last.state === 'ok' && !isUsable() ? 'behind' : last.state,
      lagMs: last.lagMs === undefined ? undefined : last.lagMs + performance.now() - last.checkedAt,
    }),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await replica.destroy();
    },
  };
}

async function checkReplica(
  replica: Db,
  primary: Db,
  writeTime: () => Promise<unknown>,
  maxLagMs: number,
): Promise<Check> {
  const checkedAt = performance.now();
  try {
    await writeTime();
    const atPrimary = await readServer(primary);
    const atReplica = await readServer(replica);
    if (!atReplica.is_replica || atReplica.identity !== atPrimary.identity)
      return { state: 'not-a-replica', lagMs: undefined, checkedAt };
    if (atPrimary.written_at === null || atReplica.written_at === null)
      return { state: 'behind', lagMs: undefined, checkedAt };
    const lagMs = Math.max(atPrimary.written_at.getTime() - atReplica.written_at.getTime(), 0);
    return { state: lagMs <= maxLagMs ? 'ok' : 'behind', lagMs, checkedAt };
  } catch {
    return { state: 'unavailable', lagMs: undefined, checkedAt };
  }
}

type Server = { readonly is_replica: boolean; readonly identity: string; readonly written_at: Date | null };

/**
 * Identifies the database by its cluster and name, and its history by the timeline, which changes with each promotion.
 */
async function readServer(db: Db): Promise<Server> {
  const { rows } = await sql<Server>`
    select pg_is_in_recovery() as is_replica, (select written_at from write_checks) as written_at,
           concat_ws(' ', system_identifier, current_database(), case when pg_is_in_recovery()
             then (select min_recovery_end_timeline from pg_control_recovery())
             else (select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int) end) as identity
    from pg_control_system()`.execute(db);
  const [server] = rows;
  if (server === undefined) throw new Error('the server did not describe itself');
  return server;
}

// SQLSTATE of a statement that ran into its time limit. At the primary it would take too long again.
const statementTimeout = '57014';

/**
 * Runs reads whose results may be some seconds old: at the replica if there is one that is up to date enough, otherwise
 * at the primary. A read that fails at the replica is repeated at the primary, because the replica may lack a new
 * account, or a column that a newer version has just added. Never use it for reads that decide about money, or that
 * show merchants their own changes.
 */
export async function readOnReplica<
  ReadDeps extends { readonly db: Db; readonly replica?: ReadReplica },
  Result,
>(deps: ReadDeps, read: (deps: ReadDeps) => Promise<Result>): Promise<Result> {
  const replica = deps.replica?.current();
  if (replica === undefined) return read(deps);
  try {
    return await read({ ...deps, db: replica });
  } catch (error) {
    if (databaseErrorCode(error) === statementTimeout) throw error;
    if (isDatabaseOutage(error)) deps.replica?.reportFailure();
    return read(deps);
  }
}
