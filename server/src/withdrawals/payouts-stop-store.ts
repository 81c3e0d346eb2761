import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

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
