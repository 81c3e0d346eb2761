import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { RETIRED, updateConnection } from './store.ts';

/** An account that its owner gives up. */
export type RetiringConnection = { readonly id: number; readonly merchantId: number; readonly bank: string };

export async function listRetiring(db: Db): Promise<RetiringConnection[]> {
  return await db
    .selectFrom('bank_connections')
    .select(['id', 'merchant_id as merchantId', 'bank'])
    .where('state', '=', 'retiring')
    .orderBy('id')
    .execute();
}

/** Locks an account. Returns false if it is no longer about to be retired. */
export async function lockRetiring(tx: Tx, { id }: RetiringConnection): Promise<boolean> {
  const row = await tx.db
    .selectFrom('bank_connections')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'retiring')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether something may still happen at an account: a charge that can be paid, what was abandoned and is not removed yet,
 * a mandate, an order or a dispute without its end, a notice that is not processed, or a movement in its books since this day, which can be returned to its payer.
 */
export async function hasUnfinished(
  tx: Tx,
  { id, merchantId }: RetiringConnection,
  sinceDay: string,
): Promise<boolean> {
  const ofAccount = (table: string, condition: string) => sql<boolean>`exists (
    select from ${sql.table(table)}
    where merchant_id = ${merchantId} and connection_id = ${id} and ${sql.raw(condition)})`;
  // One statement for each table, because a cluster keeps some of them on other servers.
  for (const found of [
    ofAccount('open_charges', 'true'),
    ofAccount('abandoned_charges', 'next_check_at is not null'),
    ofAccount('withdrawals', "status in ('pending', 'processing')"),
    ofAccount('mandates', 'check_at is not null'),
    ofAccount('refunds', "status = 'processing'"),
    ofAccount('disputes', "(status = 'open' or due_at is not null)"),
    sql<boolean>`exists (select from ledger_days
      where merchant_id = ${merchantId} and connection_id = ${id} and day >= ${sinceDay}::date)`,
    sql<boolean>`exists (select from psp_inbox where connection_id = ${id} and state = 'waiting')`,
  ]) {
    const { rows } = await sql<{ found: boolean }>`select ${found} as found`.execute(tx.db);
    if (rows[0]?.found === true) return true;
  }
  return false;
}

/** Ends a locked account for good, and erases its credentials. Every process then closes its connection to the bank. */
export async function markRetired(tx: Tx, { id }: RetiringConnection): Promise<void> {
  await updateConnection(tx, id, RETIRED);
}
