import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** A merchant's available balance, and its obligations: debt (`owedCents`) and dispute shortfall. In integer cents. */
export type LockedBalances = {
  readonly merchantId: number;
  readonly availableCents: number;
  readonly owedCents: number;
  readonly shortfallCents: number;
};

/**
 * Locks the balances of merchants, in the order of their ids. The same lock protects a merchant's reserves and the
 * amounts its disputes block, so it must be taken before either changes. Rows of charges, withdrawals and refunds must
 * be locked before it, never after.
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
