import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../src/db/pool.ts';

/** Waits until a transaction of this database waits for another one. */
export async function waitForBlockedTransaction(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'
    `.execute(db);
    if (rows.length > 0) return;
    await sleep(5);
  }
}
