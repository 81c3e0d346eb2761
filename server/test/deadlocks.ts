import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';

/**
 * Deadlocks that PostgreSQL had to break in this database. Transactions are run again after one, so a race test that
 * looks only at results would not see them; ours asks for none.
 */
export async function countDeadlocks(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]?.deadlocks ?? Number.NaN;
}
