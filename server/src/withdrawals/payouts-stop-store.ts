import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** Why nothing is sent; null when orders leave. */
export async function readPayoutsStop(db: Db | Tx['db']): Promise<string | null> {
  const row = await db.selectFrom('gateway').select('payouts_stopped_because').executeTakeFirstOrThrow();
  return row.payouts_stopped_because;
}

/**
 * The same, and nobody else sends or stops until this transaction ends: what the caps of the whole gateway count stays
 * as it is, and a stop that was committed is seen by whatever is sent after it.
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
