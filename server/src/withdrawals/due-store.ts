// At which accounts there is something to send, or to look up.
import type { Db } from '../db/pool.ts';

/**
 * Returns the accounts from which a withdrawal is due to be sent. Reads without a lock, so that a poll that finds nothing
 * locks nothing.
 */
export async function findBanksToSendFrom(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('connection_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('operator_hold_reason', 'is', null)
    .where('due_at', '<=', now)
    .execute();
  return rows.map((row) => row.connection_id);
}

/** Returns the accounts at which a sent withdrawal is due for a look-up. */
export async function findBanksToLookUpAt(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('connection_id')
    .distinct()
    .where('status', 'in', ['processing', 'completed'])
    .where('due_at', '<=', now)
    .execute();
  return rows.map((row) => row.connection_id);
}

/** When a withdrawal was first sent from an account since then; undefined if none was. */
export async function readFirstSentAt(db: Db, connectionId: number, since: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .select('first_sent_at')
    .where('connection_id', '=', connectionId)
    .where('first_sent_at', '>=', since)
    .orderBy('first_sent_at')
    .limit(1)
    .executeTakeFirst();
  return row?.first_sent_at ?? undefined;
}
