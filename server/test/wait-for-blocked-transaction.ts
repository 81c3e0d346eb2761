import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';
import { isOnCluster } from './citus.ts';

/** Waits until a transaction of this database waits for another one, on any server of a cluster. */
export async function waitForBlockedTransaction(db: Db): Promise<void> {
  const activity = sql.table(isOnCluster() ? 'citus_stat_activity' : 'pg_stat_activity');
  for (;;) {
    const { rows } = await sql`
      select from ${activity}
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'
    `.execute(db);
    if (rows.length > 0) return;
    await sleep(5);
  }
}
