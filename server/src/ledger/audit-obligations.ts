import { sql } from 'kysely';

/** A row that a check returns: the merchant concerned (0: the platform), and the figures that differ. */
export type DiscrepancyRow = { merchant_id: number; detail: string };

/**
 * The part of the ledger's audit (`audit.ts`) that concerns reserves and disputes. Each query looks for violations of
 * one invariant, so it must return no rows. Its key states the invariant and is shown to operators.
 *
 * A reserve is a share of a payment that is withheld for some days. A dispute blocks the disputed amount in the
 * merchant's balance and, as far as that does not suffice, takes from reserves; the rest is its shortfall. In the
 * ledger, the reference of a dispute's entry is the dispute's id, or begins with it and a space; only the reference of
 * `dispute lost` is the bank's return. A `full join` also finds what only one of its two sides has.
 */
export const obligationChecks = {
  'reserved is what the open reserves keep': sql<DiscrepancyRow>`
    select merchant_id, 'reserved ' || reserved_cents || ', open reserves ' || coalesce(open.total, 0) as detail
    from (select * from ledger_balances where connection_id = 1) balances
    left join (
      select merchant_id, sum(amount_cents - claimed_cents)::bigint as total
      from reserves where released_at is null group by merchant_id
    ) open using (merchant_id)
    where reserved_cents <> coalesce(open.total, 0)`,

  'a reserve was posted when it came free, on its day': sql<DiscrepancyRow>`
    select merchant_id, reference || ': ' || coalesce(posted.cents, 0) || ' of ' || coalesce(reserve.cents, 0)
           || ' posted, due ' || due_at as detail
    from (
      select merchant_id, charge_id::text as reference, due_at, released_at, amount_cents - claimed_cents as cents
      from reserves where released_at is not null
    ) reserve
    full join (
      select merchant_id, reference, available_cents as cents from ledger_entries where event = 'reserve released'
    ) posted using (merchant_id, reference)
    where coalesce(reserve.cents, 0) <> coalesce(posted.cents, 0) or released_at < due_at`,

  'what is taken from a reserve is what disputes took from it and did not give back': sql<DiscrepancyRow>`
    select merchant_id, charge_id || ': taken ' || coalesce(claimed_cents, 0) || ', disputes ' || coalesce(held.cents, 0)
           as detail
    from reserves
    full join (
      select merchant_id, charge_id, sum(taken_cents - given_back_cents)::bigint as cents
      from reserve_claims group by merchant_id, charge_id
    ) held using (merchant_id, charge_id)
    where coalesce(claimed_cents, 0) <> coalesce(held.cents, 0)`,

  'a dispute took from reserves, and gave back, what was posted for it': sql<DiscrepancyRow>`
    select merchant_id, dispute_id || ': took ' || coalesce(claim.taken, 0) || ', posted ' || coalesce(posted.taken, 0)
           || '; gave back ' || coalesce(claim.given, 0) || ', posted ' || coalesce(posted.given, 0) as detail
    from (
      select merchant_id, dispute_id::text as dispute_id, sum(taken_cents)::bigint as taken,
             sum(given_back_cents)::bigint as given
      from reserve_claims group by merchant_id, dispute_id
    ) claim
    full join (
      select merchant_id, split_part(reference, ' ', 1) as dispute_id,
             sum(-reserved_cents) filter (where reserved_cents < 0)::bigint as taken,
             sum(reserved_cents) filter (where reserved_cents > 0)::bigint as given
      from ledger_entries
      where event in ('dispute opened', 'shortfall covered', 'dispute released') and reserved_cents <> 0
      group by 1, 2
    ) posted using (merchant_id, dispute_id)
    where (coalesce(claim.taken, 0), coalesce(claim.given, 0)) <> (coalesce(posted.taken, 0), coalesce(posted.given, 0))`,

  'blocked is what disputes block, and a shortfall what they miss': sql<DiscrepancyRow>`
    select merchant_id, 'blocked ' || blocked_cents || ', disputes ' || coalesce(disputed.blocked, 0) || '; shortfall '
           || balances.shortfall_cents || ', disputes ' || coalesce(disputed.short, 0) as detail
    from ledger_balances balances
    left join (
      select merchant_id, connection_id, sum(blocked_cents)::bigint as blocked, sum(shortfall_cents)::bigint as short
      from disputes group by merchant_id, connection_id
    ) disputed using (merchant_id, connection_id)
    where (blocked_cents, balances.shortfall_cents) <> (coalesce(disputed.blocked, 0), coalesce(disputed.short, 0))`,

  'an open dispute blocks and misses all that it claims, and one that was not lost nothing': sql<DiscrepancyRow>`
    select merchant_id, id || ' (' || status || '): claimed ' || claimed_cents || ', blocked ' || blocked_cents
           || ', missing ' || shortfall_cents as detail
    from disputes
    where status <> 'lost'
      and blocked_cents + shortfall_cents <> case when status = 'open' then claimed_cents else 0 end`,

  'disputes claim all that is left of a Pix to claim, and no more': sql<DiscrepancyRow>`
    select merchant_id, end_to_end_id || ': ' || left_cents || ' left, claimed ' || claimed || ', contested and not claimed '
           || unclaimed as detail
    from (
      select merchant_id, connection_id, end_to_end_id, sum(blocked_cents + shortfall_cents)::bigint as claimed,
             -- A lost dispute counts only until the bank takes money for it. What it takes beyond the claim is debt.
             coalesce(sum(disputed_cents - blocked_cents - shortfall_cents) filter (
               where status = 'open' or (status = 'lost' and due_at is not null and pix_returned_cents = 0)
             ), 0)::bigint as unclaimed
      from (
        select *, sum(returned_cents)
                    over (partition by merchant_id, connection_id, end_to_end_id) as pix_returned_cents
        from disputes where charge_id is not null
      ) dispute
      group by merchant_id, connection_id, end_to_end_id
    ) dispute
    join (
      select merchant_id, connection_id, end_to_end_id, amount_cents - refunded_cents - refunding_cents as left_cents
      from charges
    ) charge using (merchant_id, connection_id, end_to_end_id)
    where claimed > left_cents or (unclaimed > 0 and claimed < left_cents)`,

  'a dispute blocks what was posted for it, less what came free or was taken': sql<DiscrepancyRow>`
    select coalesce(disputed.merchant_id, posted.merchant_id) as merchant_id,
           coalesce(disputed.end_to_end_id, posted.end_to_end_id) || ': blocked ' || coalesce(disputed.blocked, 0)
           || ', posted ' || coalesce(posted.total, 0) as detail
    from (
      select merchant_id, connection_id, end_to_end_id, sum(blocked_cents)::bigint as blocked
      from disputes group by merchant_id, connection_id, end_to_end_id
    ) disputed
    full join (
      select merchant_id, connection_id, end_to_end_id, sum(change)::bigint as total
      from (
        select entry.merchant_id, entry.connection_id, end_to_end_id, entry.blocked_cents as change
        from ledger_entries entry
        left join disputes on disputes.merchant_id = entry.merchant_id
                          and disputes.id::text = split_part(reference, ' ', 1)
        where event in ('dispute opened', 'shortfall covered', 'dispute released')
        union all
        select entry.merchant_id, entry.connection_id, end_to_end_id, entry.blocked_cents
        from ledger_entries entry
        left join refunds on refunds.merchant_id = entry.merchant_id and refunds.origin = 'bank'
                         and refunds.connection_id = entry.connection_id
                         and coalesce(rtr_id, end_to_end_id || ' ' || bank_refund_id) = reference
        where event = 'dispute lost' and entry.blocked_cents <> 0
      ) moved group by merchant_id, connection_id, end_to_end_id
    ) posted on posted.merchant_id = disputed.merchant_id and posted.connection_id = disputed.connection_id
            and posted.end_to_end_id = disputed.end_to_end_id
    where coalesce(disputed.blocked, 0) <> coalesce(posted.total, 0)`,
};
