import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';

/**
 * The number of deadlocks in this database so far. The gateway retries a transaction after a deadlock, so a race test
 * that checks only results would miss it. Tests expect 0.
 */
export async function countDeadlocks(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]?.deadlocks ?? Number.NaN;
}
