import type { Db } from '../db/pool.ts';

/** Returns the accounts at which a dispute is due. */
export async function findBanksWithDueDisputes(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('disputes')
    .select('connection_id')
    .distinct()
    .where('due_at', '<=', now)
    .execute();
  return rows.map((row) => row.connection_id);
}
