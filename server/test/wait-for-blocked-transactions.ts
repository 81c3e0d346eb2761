import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';
import { isOnCluster } from './citus.ts';

/** Waits until so many transactions of this database wait for others, on any server of a cluster. */
export async function waitForBlockedTransactions(db: Db, count = 1): Promise<void> {
  const activity = sql.table(isOnCluster() ? 'citus_stat_activity' : 'pg_stat_activity');
  for (;;) {
    const { rows } = await sql`
      select from ${activity}
      where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')
    `.execute(db);
    if (rows.length >= count) return;
    await sleep(5);
  }
}
