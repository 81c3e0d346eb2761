import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { databaseErrorCode } from '../db/transaction.ts';
import { tryWithTimeout } from './live-warnings.ts';

/**
 * The result of the last test write. `read-only`: the server is a standby, or was made read-only. `full`: the server's
 * disk is full.
 */
export type WriteState = 'ok' | 'read-only' | 'full' | 'unavailable';

/**
 * Returns whether this process can write to the database. A result is kept for some seconds, so most calls write
 * nothing.
 */
export type WriteCheck = () => Promise<WriteState>;

/** The warnings for the health call about a failed write, if the cause is known. */
export function databaseWarnings(state: WriteState): string[] {
  return state === 'read-only' || state === 'full' ? [`database-${state}`] : [];
}

/** How long a successful result is kept. */
const keepMs = 10_000;
/** A failed check is repeated sooner, but not at once: a flood of health calls must not become a flood of writes. */
const keepFailureMs = 1000;

type WriteCheckParts = {
  readonly db: Db;
  /** A monotonic clock, in milliseconds since any moment; tests replace it. */
  readonly elapsedMs?: () => number;
};

export function createWriteCheck({ db, elapsedMs = () => performance.now() }: WriteCheckParts): WriteCheck {
  let last: { readonly state: WriteState; readonly endsAt: number } | undefined;
  let running: Promise<WriteState> | undefined;

  async function check(): Promise<WriteState> {
    const state = await writeSomething(db).then(() => 'ok' as const, writeStateFromError);
    last = { state, endsAt: elapsedMs() + (state === 'ok' ? keepMs : keepFailureMs) };
    return state;
  }

  return async () => {
    if (last !== undefined && elapsedMs() < last.endsAt) return last.state;
    running ??= check().finally(() => {
      running = undefined;
    });
    return (await tryWithTimeout(running)) ?? 'unavailable';
  };
}

/** SQLSTATE codes of PostgreSQL. */
const readOnlyTransaction = '25006';
const diskFull = '53100';

function writeStateFromError(error: unknown): WriteState {
  const code = databaseErrorCode(error);
  if (code === readOnlyTransaction) return 'read-only';
  return code === diskFull ? 'full' : 'unavailable';
}

/**
 * Writes a row, then makes PostgreSQL write a temporary file, by generating more rows than a small `work_mem` holds.
 * The row alone would not reveal a full disk, because an updated row fits into space that the table already has.
 */
async function writeSomething(db: Db): Promise<void> {
  await writeTime(db);
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx);
    await sql`select count(*) from generate_series(1, ${20_000}::int)`.execute(tx);
  });
}

/** Writes the server's time. The lag of a read replica is measured by it (`db/read-replica.ts`). */
export async function writeTime(db: Db): Promise<void> {
  const written_at = sql<Date>`clock_timestamp()`;
  await db
    .insertInto('write_checks')
    .values({ written_at })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ written_at }))
    .execute();
}
