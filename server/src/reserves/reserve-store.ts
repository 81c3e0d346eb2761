import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** A share of a payment that is withheld until `dueAt`. The amount is in integer cents. */
export type Reserve = {
  readonly merchantId: number;
  readonly chargeId: string;
  readonly amountCents: number;
  readonly dueAt: Date;
};

export async function insertReserves(tx: Tx, reserves: readonly Reserve[]): Promise<void> {
  if (reserves.length === 0) return;
  await sql`
    insert into reserves (merchant_id, charge_id, amount_cents, due_at)
    select * from unnest(
      ${numberArray(reserves.map((reserve) => reserve.merchantId))}::bigint[], ${textArray(reserves.map((reserve) => reserve.chargeId))}::uuid[],
      ${numberArray(reserves.map((reserve) => reserve.amountCents))}::bigint[], ${reserves.map((reserve) => reserve.dueAt)}::timestamptz[])
  `.execute(tx.db);
}

/** Finds up to `limit` reserves that are due and not released, earliest first. */
export async function findDueReserves(
  tx: Tx,
  limit: number,
): Promise<Pick<Reserve, 'merchantId' | 'chargeId'>[]> {
  const { rows } = await sql<{ merchant_id: number; charge_id: string }>`
    select merchant_id, charge_id from reserves
    where released_at is null and due_at <= ${tx.now}
    order by due_at limit ${limit}
  `.execute(tx.db);
  return rows.map((row) => ({ merchantId: row.merchant_id, chargeId: row.charge_id }));
}

/**
 * Marks the reserves as released, except those that were released before. Returns the marked ones, each with the amount
 * that disputes have not taken from it. The merchants' balances must be locked.
 */
export async function markReservesReleased(
  tx: Tx,
  due: readonly Pick<Reserve, 'merchantId' | 'chargeId'>[],
): Promise<Omit<Reserve, 'dueAt'>[]> {
  const { rows } = await sql<{ merchant_id: number; charge_id: string; left_cents: number }>`
    update reserves set released_at = ${tx.now}
    from unnest(
      ${numberArray(due.map(({ merchantId }) => merchantId))}::bigint[], ${textArray(due.map(({ chargeId }) => chargeId))}::uuid[]
    ) due (merchant_id, charge_id)
    where reserves.merchant_id = due.merchant_id and reserves.charge_id = due.charge_id and released_at is null
    returning reserves.merchant_id, reserves.charge_id, amount_cents - claimed_cents as left_cents
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    amountCents: row.left_cents,
  }));
}
