// The switch that stops all money from leaving the bank account, that is payouts and refunds. Only this file writes it.
import type pg from 'pg';
import type { Db } from './db/pool.ts';
import type { Tx } from './db/transaction.ts';

/** Returns why payouts are stopped; null while they are not. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select('payouts_stopped_because').executeTakeFirstOrThrow();
  return row.payouts_stopped_because;
}

/**
 * Returns why payouts are stopped (null while they are not), and locks the gateway's row until the transaction ends, so
 * that nobody else sends or stops payouts: gateway-wide limits stay accurate, and every later send sees a committed
 * stop.
 */
export async function lockPayoutsStop(tx: Tx): Promise<string | null> {
  const row = await tx.db
    .selectFrom('gateway')
    .select('payouts_stopped_because')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.payouts_stopped_because;
}

/** Stops payouts for this reason, or resumes them if the reason is null. */
export async function writePayoutsStop(tx: Tx, reason: string | null): Promise<void> {
  await tx.db.updateTable('gateway').set({ payouts_stopped_because: reason }).execute();
}

/**
 * Returns why payouts are stopped, or undefined while they are not, under a shared lock: a stop waits for the
 * transactions that read this, and every later reader sees the stop.
 */
export async function readPayoutsStopForShare(tx: Tx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('gateway')
    .select('payouts_stopped_because')
    .forShare()
    .executeTakeFirst();
  return row?.payouts_stopped_because ?? undefined;
}

/** Stops payouts for this reason unless they are stopped already. Returns whether they were stopped by this call. */
export async function stopPayoutsUnlessStopped(tx: Tx, reason: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: reason })
    .where('payouts_stopped_because', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Stops payouts in a database that is being restored, before the gateway works with it. */
export async function stopRestoredPayouts(client: pg.Client, reason: string): Promise<void> {
  await client.query('update gateway set payouts_stopped_because = $1', [reason]);
}
