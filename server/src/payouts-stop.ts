// The switch that stops everything that leaves the bank account: its only writer.
import type pg from 'pg';
import type { Db } from './db/pool.ts';
import type { Tx } from './db/transaction.ts';

/** Why payouts are stopped; null while they are not. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select('payouts_stopped_because').executeTakeFirstOrThrow();
  return row.payouts_stopped_because;
}

/**
 * Like `readPayoutsStop`, but locks the row until the transaction ends, so that nobody else sends or stops:
 * gateway-wide limits stay accurate, and a committed stop is seen by every later send.
 */
export async function lockPayoutsStop(tx: Tx): Promise<string | null> {
  const row = await tx.db
    .selectFrom('gateway')
    .select('payouts_stopped_because')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.payouts_stopped_because;
}

export async function writePayoutsStop(tx: Tx, because: string | null): Promise<void> {
  await tx.db.updateTable('gateway').set({ payouts_stopped_because: because }).execute();
}

/** Why payouts are stopped. Takes a shared lock: a stop waits for its readers, and every later reader sees it. */
export async function readPayoutsStopForShare(tx: Tx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('gateway')
    .select('payouts_stopped_because')
    .forShare()
    .executeTakeFirst();
  return row?.payouts_stopped_because ?? undefined;
}

/** Stops all payouts unless they are already stopped. Returns whether it did. */
export async function stopPayoutsUnlessStopped(tx: Tx, because: string): Promise<boolean> {
  const stopped = await tx.db
    .updateTable('gateway')
    .set({ payouts_stopped_because: because })
    .where('payouts_stopped_because', 'is', null)
    .executeTakeFirst();
  return stopped.numUpdatedRows > 0n;
}

/** In a database that is being restored, before the gateway works with it. */
export async function stopRestoredPayouts(client: pg.Client, because: string): Promise<void> {
  await client.query('update gateway set payouts_stopped_because = $1', [because]);
}
