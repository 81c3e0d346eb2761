// The switch that stops all money from leaving the bank account, that is payouts and refunds. Only this file writes it.
import { sql } from 'kysely';
import type pg from 'pg';
import { insertAuditEntry } from './audit/index.ts';
import type { Db } from './db/pool.ts';
import type { KeyedTx, Tx } from './db/transaction.ts';
import { PLATFORM } from './ledger/index.ts';
import { notifyAdministrators, payoutsStoppedNotification } from './notifications/index.ts';

/**
 * Why payouts are stopped. They are also stopped on a server that the database has not recognized yet: a connection that
 * was opened to a standby stays open when the standby is promoted.
 */
const stopReason = sql<string | null>`coalesce(payouts_stopped_because,
  case when server is distinct from server_identity() then 'o banco de dados passou a outro servidor' end)`;

/** Returns why payouts are stopped; null while they are not. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select(stopReason.as('reason')).executeTakeFirstOrThrow();
  return row.reason;
}

/**
 * Returns why payouts are stopped (null while they are not), and locks the gateway's row until the transaction ends, so
 * that nobody else sends or stops payouts: gateway-wide limits stay accurate, and every later send sees a committed
 * stop.
 */
export async function lockPayoutsStop(tx: Tx): Promise<string | null> {
  const row = await tx.db
    .selectFrom('gateway')
    .select(stopReason.as('reason'))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.reason;
}

/** Stops payouts for this reason until an operator resumes them, or resumes them if the reason is null. */
export async function writePayoutsStop(tx: Tx, reason: string | null): Promise<void> {
  await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason, compare_with_bank_at: null })
    .execute();
}

/**
 * Returns why payouts are stopped, or undefined while they are not, under a shared lock: a stop waits for the
 * transactions that read this, and every later reader sees the stop.
 */
export async function readPayoutsStopForShare(tx: Tx): Promise<string | undefined> {
  const row = await tx.db.selectFrom('gateway').select(stopReason.as('reason')).forShare().executeTakeFirst();
  return row?.reason ?? undefined;
}

/**
 * Stops payouts because the gateway itself found a reason, unless they are stopped already, and tells the administrators.
 * Returns whether they were stopped by this call.
 */
export async function stopPayoutsUnlessStopped(tx: KeyedTx, reason: string): Promise<boolean> {
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
export async function reportAutomaticStop(tx: KeyedTx, reason: string): Promise<void> {
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
 * Takes the comparison with the bank that is due after a failover, so that no other process makes it within a minute.
 * Returns why payouts are stopped; undefined if none is due. Measured by the server's clock, which began the wait: the
 * clock of the sandbox may stand at another date.
 */
export async function takeDueComparison(db: Db): Promise<string | undefined> {
  const row = await db
    .updateTable('gateway')
    .set({ compare_with_bank_at: sql`clock_timestamp() + interval '1 minute'` })
    .where('compare_with_bank_at', '<=', sql<Date>`clock_timestamp()`)
    .returning('payouts_stopped_because')
    .executeTakeFirst();
  return row?.payouts_stopped_because ?? undefined;
}

/** Stops payouts in a database that is being restored, before the gateway works with it. */
export async function stopRestoredPayouts(client: pg.Client, reason: string): Promise<void> {
  await client.query('update gateway set payouts_stopped_because = $1', [reason]);
}
