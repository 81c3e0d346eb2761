// The switch that stops all money from leaving the bank account, that is, payouts and refunds. Only this file and the
// SQL function `detect_server_change` write it.
import { sql } from 'kysely';
import type pg from 'pg';
import { insertAuditEntry } from './audit/index.ts';
import type { Db } from './db/pool.ts';
import type { Tx, TxWithSecrets } from './db/transaction.ts';
import { PLATFORM } from './ledger/index.ts';
import { notifyAdministrators, payoutsStoppedNotification } from './notifications/index.ts';

/**
 * Why payouts are stopped, in SQL. They also count as stopped while the gateway's row names another server than the one
 * that responds: a connection to a standby survives its promotion, and `detect_server_change` may not have run since.
 */
const stopReason = sql<string | null>`coalesce(payouts_stopped_because,
  case when server is distinct from server_identity() then 'o banco de dados passou a outro servidor' end)`;

/** Returns why payouts are stopped; null while they are not. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select(stopReason.as('reason')).executeTakeFirstOrThrow();
  return row.reason;
}

/**
 * Returns why payouts are stopped (null while they are not), and locks the gateway's row until the transaction ends.
 * Meanwhile no other transaction claims a withdrawal or changes the stop: gateway-wide caps stay accurate, and every
 * later claim sees a committed stop.
 */
export async function lockPayoutsStop(tx: Tx): Promise<string | null> {
  const row = await tx.db
    .selectFrom('gateway')
    .select(stopReason.as('reason'))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.reason;
}

/**
 * Stops payouts for this reason until an operator resumes them, or resumes them if the reason is null. Either way,
 * cancels the automatic resumption after a failover.
 */
export async function writePayoutsStop(tx: Tx, reason: string | null): Promise<void> {
  await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason, compare_with_bank_at: null })
    .execute();
}

/**
 * Returns why payouts are stopped, or undefined while they are not. Takes a shared lock until the transaction ends:
 * readers do not block each other, but a new stop waits for them, and every later reader sees the stop.
 */
export async function readPayoutsStopWithSharedLock(tx: Tx): Promise<string | undefined> {
  const row = await tx.db.selectFrom('gateway').select(stopReason.as('reason')).forShare().executeTakeFirst();
  return row?.reason ?? undefined;
}

/**
 * Stops payouts for a reason that the gateway itself found, unless they are stopped already, and notifies the
 * administrators. Returns whether this call stopped them.
 */
export async function stopPayoutsUnlessStopped(tx: TxWithSecrets, reason: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason })
    .where('payouts_stopped_because', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await reportAutomaticStop(tx, reason);
  return true;
}

/** Records in the audit log that the gateway stopped payouts by itself, and notifies the administrators. */
export async function reportAutomaticStop(tx: TxWithSecrets, reason: string): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: PLATFORM,
    action: 'payouts stopped',
    subject_id: PLATFORM,
    reason,
    before: { stopped_because: null },
    after: { stopped_because: reason },
  });
  await notifyAdministrators(tx, payoutsStoppedNotification(reason));
}

/**
 * Claims the comparison with the bank that is due after a failover, so that no other process makes it within the next
 * minute. Returns why payouts are stopped, or undefined if no comparison is due. Uses the database server's clock, by
 * which `detect_server_change` set the due time; the sandbox's clock may show another date.
 */
export async function claimDueComparison(db: Db): Promise<string | undefined> {
  const row = await db
    .updateTable('gateway')
    .set({ compare_with_bank_at: sql`clock_timestamp() + interval '1 minute'` })
    .where('compare_with_bank_at', '<=', sql<Date>`clock_timestamp()`)
    .returning('payouts_stopped_because')
    .executeTakeFirst();
  return row?.payouts_stopped_because ?? undefined;
}

/** Stops payouts in a database that is being restored, before the gateway works with it. */
export async function stopPayoutsInRestoredDatabase(client: pg.Client, reason: string): Promise<void> {
  await client.query('update gateway set payouts_stopped_because = $1', [reason]);
}
