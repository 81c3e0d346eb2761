// A replica of the database takes load from the primary: exports, and the searches and lists of staff are read there.

import { sql } from 'kysely';
import type { Logger } from 'pino';
import { isDatabaseOutage } from './outage.ts';
import { createDb, createPool, type Db } from './pool.ts';
import { databaseErrorCode } from './transaction.ts';

/**
 * `behind`: it lags by more than the setting allows, so the primary is read. `not-a-replica`: the address leads to a
 * server that accepts writes, which may be a former primary, so it is not read either.
 */
export type ReplicaState = 'ok' | 'behind' | 'unavailable' | 'not-a-replica';

export type ReadReplica = {
  /** What is older than this is at the replica while it is used. */
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
  /** Writes the server's time to `write_checks` at the primary, and returns it. */
  readonly writeTime: () => Promise<Date>;
  readonly maxLagMs: number;
  readonly log: Logger;
  readonly checkEveryMs?: number;
};

/** The lag was at most `lagMs` at `checkedAt`, by a monotonic clock. */
type Check = { readonly state: ReplicaState; readonly lagMs: number | undefined; readonly checkedAt: number };

/**
 * Connects to a replica and measures its lag every second: each check writes the time to the primary, and reads which
 * of these times has reached the replica. So the lag is an upper bound, even if the replica follows no primary any more.
 */
export function createReadReplica({
  url,
  writeTime,
  maxLagMs,
  log,
  checkEveryMs = 1000,
}: ReplicaOptions): ReadReplica {
  const pool = createPool({ url, byKey: true, max: 8, name: 'jangada replica' });
  const replica = createDb(pool);
  let last: Check = { state: 'unavailable', lagMs: undefined, checkedAt: 0 };
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const checked = await measure(replica, writeTime, maxLagMs);
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
    health: () => ({ state: last.state === 'ok' && !isUsable() ? 'behind' : last.state, lagMs: last.lagMs }),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await replica.destroy();
    },
  };
}

async function measure(replica: Db, writeTime: () => Promise<Date>, maxLagMs: number): Promise<Check> {
  const checkedAt = performance.now();
  try {
    const now = await writeTime();
    const { rows } = await sql<{ written_at: Date | null; is_replica: boolean }>`
      select (select written_at from write_checks) as written_at, pg_is_in_recovery() as is_replica`.execute(
      replica,
    );
    const [row] = rows;
    if (row?.is_replica !== true) return { state: 'not-a-replica', lagMs: undefined, checkedAt };
    if (row.written_at === null) return { state: 'behind', lagMs: undefined, checkedAt };
    const lagMs = Math.max(now.getTime() - row.written_at.getTime(), 0);
    return { state: lagMs <= maxLagMs ? 'ok' : 'behind', lagMs, checkedAt };
  } catch {
    return { state: 'unavailable', lagMs: undefined, checkedAt };
  }
}

/** On a replica: the read took so long that the replica had to remove rows that it still saw. */
const recoveryConflict = '40001';

/**
 * Runs reads whose results may be some seconds old: at the replica if there is one that is up to date enough, otherwise
 * at the primary. If the replica fails, the primary is read instead. Never use it for what decides about money, or for
 * what shows merchants their own changes.
 */
export async function readOnReplica<
  Parts extends { readonly db: Db; readonly replica?: ReadReplica },
  Result,
>(parts: Parts, read: (parts: Parts) => Promise<Result>): Promise<Result> {
  const replica = parts.replica?.current();
  if (replica === undefined) return read(parts);
  try {
    return await read({ ...parts, db: replica });
  } catch (error) {
    if (!isDatabaseOutage(error) && databaseErrorCode(error) !== recoveryConflict) throw error;
    parts.replica?.reportFailure();
    return read(parts);
  }
}
