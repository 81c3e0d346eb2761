import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';

// A reserve is a share of a payment that is withheld for some days. A dispute may take money from reserves. The money
// that it took from a reserve and has not given back is its claim on that reserve.

type ClaimingDispute = { readonly merchantId: number; readonly id: string };

/** A merchant may have very many small reserves, so one statement takes from this many at most. */
const reservesPerStatement = 200;

/**
 * Takes up to `cents` for a dispute from its merchant's reserves, oldest first, and records how much came from each.
 * Returns the total taken. The merchant's balances must be locked.
 */
export async function takeFromReserves(
  tx: Tx,
  { merchantId, id }: ClaimingDispute,
  cents: number,
): Promise<number> {
  let takenCents = 0;
  while (takenCents < cents) {
    // `older_cents`: the amount left in all reserves older than this row's, from which money is taken first.
    const { rows } = await sql<{ taken_cents: number }>`
      with taken as (
        update reserves set claimed_cents = claimed_cents + taken_cents
        from (
          select charge_id, least(left_cents, ${cents - takenCents} - older_cents)::bigint as taken_cents
          from (
            select charge_id, left_cents,
                   sum(left_cents) over (order by due_at, charge_id) - left_cents as older_cents
            from (
              select charge_id, due_at, amount_cents - claimed_cents as left_cents
              from reserves
              where merchant_id = ${merchantId} and released_at is null and claimed_cents < amount_cents
              order by due_at, charge_id
              limit ${reservesPerStatement}
            ) oldest
          ) summed
          where older_cents < ${cents - takenCents}
        ) portion
        where reserves.merchant_id = ${merchantId} and reserves.charge_id = portion.charge_id
        returning reserves.charge_id, taken_cents
      ), written as (
        insert into reserve_claims (merchant_id, dispute_id, charge_id, taken_cents)
        select ${merchantId}::bigint, ${id}::uuid, charge_id, taken_cents from taken
        on conflict (merchant_id, dispute_id, charge_id)
        do update set taken_cents = reserve_claims.taken_cents + excluded.taken_cents
      )
      select taken_cents from taken
    `.execute(tx.db);
    if (rows.length === 0) break;
    for (const { taken_cents } of rows) takenCents += taken_cents;
  }
  return takenCents;
}

/**
 * Gives back to reserves the money that a dispute took from them and still blocks (`blockedCents`).
 *
 * If the bank has taken a part of the blocked money, that part counts as money from `available` first, then from the
 * oldest reserves, so the newest reserves get their money back first. A reserve that fell due meanwhile gets nothing,
 * because its money now belongs to the merchant's available balance. Returns the amount given back. The merchant's
 * balances must be locked.
 */
export async function giveBackToReserves(
  tx: Tx,
  { merchantId, id, blockedCents }: ClaimingDispute & { readonly blockedCents: number },
): Promise<number> {
  if (blockedCents === 0) return 0;
  // `newer_cents`: the dispute's claims on all reserves newer than this row's, which get their money back first.
  const { rows } = await sql<{ given_cents: number }>`
    with portion as (
      select charge_id, least(open_cents, ${blockedCents}::bigint - newer_cents)::bigint as given_cents
      from (
        select charge_id, released_at, due_at, open_cents,
               sum(open_cents) over (order by due_at desc, charge_id desc) - open_cents as newer_cents
        from (
          select merchant_id, charge_id, taken_cents - given_back_cents as open_cents
          from reserve_claims where merchant_id = ${merchantId} and dispute_id = ${id}
        ) claim
        join reserves using (merchant_id, charge_id)
      ) summed
      where released_at is null and due_at > ${tx.now} and open_cents > 0 and newer_cents < ${blockedCents}
    ), written as (
      update reserve_claims set given_back_cents = given_back_cents + given_cents
      from portion
      where reserve_claims.merchant_id = ${merchantId} and dispute_id = ${id}
        and reserve_claims.charge_id = portion.charge_id
    )
    update reserves set claimed_cents = claimed_cents - given_cents
    from portion
    where reserves.merchant_id = ${merchantId} and reserves.charge_id = portion.charge_id
    returning given_cents
  `.execute(tx.db);
  return rows.reduce((sum, { given_cents }) => sum + given_cents, 0);
}
