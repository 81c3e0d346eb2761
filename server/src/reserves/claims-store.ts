import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';

type ClaimingDispute = { readonly merchantId: number; readonly id: string };

const reservesAtOnce = 200;

/**
 * Takes up to `cents` for a dispute from its merchant's reserves, oldest first, and records from which. Returns the
 * amount taken. The merchant's balances must be locked.
 */
export async function takeFromReserves(
  tx: Tx,
  { merchantId, id }: ClaimingDispute,
  cents: number,
): Promise<number> {
  let taken = 0;
  while (taken < cents) {
    const { rows } = await sql<{ taken_cents: number }>`
      with taken as (
        update reserves set claimed_cents = claimed_cents + taken_cents
        from (
          select charge_id, least(kept_cents, ${cents - taken} - before_cents)::bigint as taken_cents
          from (
            select charge_id, kept_cents,
                   sum(kept_cents) over (order by due_at, charge_id) - kept_cents as before_cents
            from (
              select charge_id, due_at, amount_cents - claimed_cents as kept_cents
              from reserves
              where merchant_id = ${merchantId} and released_at is null and claimed_cents < amount_cents
              order by due_at, charge_id
              limit ${reservesAtOnce}
            ) oldest
          ) kept
          where before_cents < ${cents - taken}
        ) taking
        where reserves.merchant_id = ${merchantId} and reserves.charge_id = taking.charge_id
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
    for (const { taken_cents } of rows) taken += taken_cents;
  }
  return taken;
}

/**
 * Gives back to the reserves, each with its day, what a dispute took from them, as far as it still blocks it: the bank
 * takes what came from `available` first, and of the reserves the oldest, as the dispute did. What would go to a reserve
 * that fell due meanwhile is not given back: it is free. Answers how much went back. The merchant's balances are locked.
 */
export async function giveBackToReserves(
  tx: Tx,
  { merchantId, id, blockedCents }: ClaimingDispute & { readonly blockedCents: number },
): Promise<number> {
  if (blockedCents === 0) return 0;
  const { rows } = await sql<{ given_cents: number }>`
    with giving as (
      select charge_id, least(held_cents, ${blockedCents}::bigint - before_cents)::bigint as given_cents
      from (
        select charge_id, released_at, due_at, held_cents,
               sum(held_cents) over (order by due_at desc, charge_id desc) - held_cents as before_cents
        from (
          select merchant_id, charge_id, taken_cents - given_back_cents as held_cents
          from reserve_claims where merchant_id = ${merchantId} and dispute_id = ${id}
        ) held
        join reserves using (merchant_id, charge_id)
      ) held
      where released_at is null and due_at > ${tx.now} and held_cents > 0 and before_cents < ${blockedCents}
    ), given as (
      update reserve_claims set given_back_cents = given_back_cents + given_cents
      from giving
      where reserve_claims.merchant_id = ${merchantId} and dispute_id = ${id}
        and reserve_claims.charge_id = giving.charge_id
    )
    update reserves set claimed_cents = claimed_cents - given_cents
    from giving
    where reserves.merchant_id = ${merchantId} and reserves.charge_id = giving.charge_id
    returning given_cents
  `.execute(tx.db);
  return rows.reduce((sum, { given_cents }) => sum + given_cents, 0);
}
