import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * A merchant's available balance and obligations, in integer cents. `owedCents`: the debt. `shortfallCents`: the
 * disputed amounts that could not be blocked.
 */
export type LockedBalances = {
  readonly merchantId: number;
  readonly availableCents: number;
  readonly owedCents: number;
  readonly shortfallCents: number;
};

/**
 * Locks the balances of merchants at one account, in the order of their ids. The lock also protects a merchant's
 * reserves and the amounts that its disputes block, so take it before changing either. Rows of charges, withdrawals and
 * refunds must be locked first, never afterwards: two transactions with opposite orders would deadlock.
 */
export async function lockBalances(
  tx: Tx,
  merchantIds: readonly number[],
  connectionId: number,
): Promise<LockedBalances[]> {
  const { rows } = await sql<{
    merchant_id: number;
    available_cents: number;
    receivable_cents: number;
    shortfall_cents: number;
  }>`select * from lock_balances(${numberArray(merchantIds)}::bigint[], ${connectionId})`.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    availableCents: row.available_cents,
    // A subtraction, because negating 0 would give -0.
    owedCents: 0 - row.receivable_cents,
    shortfallCents: row.shortfall_cents,
  }));
}
