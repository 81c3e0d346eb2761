import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** What can be claimed of a merchant, and what claims it. In integer cents. */
export type LockedBalances = {
  readonly merchantId: number;
  readonly availableCents: number;
  readonly owedCents: number;
  readonly shortfallCents: number;
};

/**
 * Locks the balances of merchants, in their order. A merchant's row is the lock of all that claims it: whoever takes
 * from its reserves, or changes what its disputes block, holds it first. Charges, withdrawals and refunds are locked
 * before it.
 */
export async function lockBalances(tx: Tx, merchantIds: readonly number[]): Promise<LockedBalances[]> {
  const { rows } = await sql<{
    merchant_id: number;
    available_cents: number;
    receivable_cents: number;
    shortfall_cents: number;
  }>`select * from lock_balances(${numbers(merchantIds)}::bigint[])`.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    availableCents: row.available_cents,
    owedCents: 0 - row.receivable_cents,
    shortfallCents: row.shortfall_cents,
  }));
}
