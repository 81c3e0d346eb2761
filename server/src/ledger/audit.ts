import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { feeChecks } from './audit-fees.ts';
import { type DiscrepancyRow, obligationChecks } from './audit-obligations.ts';
import { accountKinds, chartOfAccounts } from './chart-of-accounts.ts';
import { knownChanges } from './known-changes.ts';

/** One violation of a ledger invariant, in words that an operator can act on. */
export type LedgerDiscrepancy = {
  readonly check: string;
  readonly merchantId: number;
  readonly detail: string;
};

/**
 * Recomputes balances from ledger entries, and counters from charges and withdrawals, and returns every discrepancy.
 * Reads one snapshot, so it may run while money moves. Amounts are integer cents.
 */
export async function auditLedger(db: Db): Promise<LedgerDiscrepancy[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const discrepancies: LedgerDiscrepancy[] = [];
      for (const [check, statement] of Object.entries(checks)) {
        const { rows } = await statement.execute(snapshot);
        for (const row of rows)
          discrepancies.push({ check, merchantId: row.merchant_id, detail: row.detail });
      }
      return discrepancies;
    });
}

/** The accounts that may not fall below zero. */
const kindsWithFloor = Object.entries(chartOfAccounts).flatMap(([kind, { mayGoBelowZero }]) =>
  mayGoBelowZero ? [] : [kind],
);

/**
 * Rows for a SQL `values` list, one for each account: its kind and its column of cents. The columns have the same names
 * in the table of balances and in the table of entries.
 */
const kindsWithCents = sql.join(
  accountKinds.map((kind) => sql`(${sql.lit(kind)}, ${sql.ref(`${kind}_cents`)})`),
);

/** A subquery with one row for each account: merchant_id, connection_id, kind, balance_cents. */
const accounts = sql`(
  select merchant_id, connection_id, kind, balance_cents
  from ledger_balances
  cross join lateral (values ${kindsWithCents})
    account (kind, balance_cents)
)`;

/**
 * A subquery with one row for each account that an entry changes: the columns of the entry, the kind of account, and
 * the change.
 */
const changes = sql`(
  select merchant_id, connection_id, posted_at, event, reference, kind, change
  from ledger_entries
  cross join lateral (values ${kindsWithCents})
    account (kind, change)
  where change <> 0
)`;

/**
 * Each query looks for violations of one invariant, so it must return no rows. Its key states the invariant and is
 * shown to operators. A `full join` also finds what only one of its two sides has. Some references in the ledger are an
 * id followed by a space and further text, so `split_part` extracts the id.
 */
const checks = {
  'every entry is one that a movement makes': sql<DiscrepancyRow>`
    select merchant_id, event || ' ' || reference || ': ' || kind || ' ' || change as detail
    from ${changes} changed
    where (event, kind, sign(change)) not in (${sql.join(
      knownChanges.map(
        ({ event, kind, sign }) => sql`(${sql.lit(event)}, ${sql.lit(kind)}, ${sql.lit(sign)})`,
      ),
    )})`,

  'a balance is the sum of its entries': sql<DiscrepancyRow>`
    select merchant_id, kind || ' at account ' || connection_id || ': balance ' || coalesce(account.balance_cents, 0)
           || ', entries ' || coalesce(moved.total, 0) as detail
    from ${accounts} account
    full join (
      select merchant_id, connection_id, kind, sum(change)::bigint as total
      from ${changes} changed group by merchant_id, connection_id, kind
    ) moved using (merchant_id, connection_id, kind)
    where coalesce(account.balance_cents, 0) <> coalesce(moved.total, 0)`,

  'all balances of a merchant at an account add up to zero': sql<DiscrepancyRow>`
    select merchant_id, 'sum ' || sum(balance_cents) || ' at account ' || connection_id as detail
    from ${accounts} account group by merchant_id, connection_id having sum(balance_cents) <> 0`,

  'no account is below its floor': sql<DiscrepancyRow>`
    select merchant_id, kind || ': ' || balance_cents as detail
    from ${accounts} account
    where balance_cents < 0 and kind in (${sql.join(kindsWithFloor.map((kind) => sql.lit(kind)))})
      and (kind <> 'available' or connection_id = 1)`,

  'a day is the sum of its entries': sql<DiscrepancyRow>`
    select merchant_id, day || ': kept ' || coalesce(stored.figures, '{}') || ', entries '
           || coalesce(moved.figures, '{}') as detail
    from (
      select merchant_id, connection_id, day,
             array[available_change_cents, available_in_cents, reserved_change_cents, reserved_in_cents,
                   blocked_change_cents, blocked_in_cents]::text as figures
      from ledger_days
    ) stored
    full join (
      select merchant_id, connection_id, (posted_at at time zone 'America/Sao_Paulo')::date as day,
             array[sum(available_cents), sum(greatest(available_cents, 0)), sum(reserved_cents),
                   sum(greatest(reserved_cents, 0)), sum(blocked_cents), sum(greatest(blocked_cents, 0))]::text as figures
      from ledger_entries
      where (available_cents, reserved_cents, blocked_cents) <> (0, 0, 0)
      group by 1, 2, 3
    ) moved using (merchant_id, connection_id, day)
    where coalesce(stored.figures, '{0,0,0,0,0,0}') <> coalesce(moved.figures, '{0,0,0,0,0,0}')`,

  'a received Pix is posted once, in full': sql<DiscrepancyRow>`
    select coalesce(pix.merchant_id, posted.merchant_id) as merchant_id,
           coalesce(pix.end_to_end_id, posted.reference) || ': received ' || coalesce(pix.amount_cents, 0)
           || ', posted ' || coalesce(posted.total, 0) as detail
    -- What is held at an account of a merchant's own, or was given back from there by the merchant, is not in the books.
    from (select * from received_pix where connection_id = 1 or outcome not in ('held', 'returned')) pix
    full join (
      select merchant_id, connection_id, reference, -psp_cents as total
      from ledger_entries where event in ('payment received', 'unmatched received', 'fees paid')
    ) posted on posted.reference = pix.end_to_end_id and posted.connection_id = pix.connection_id
            and posted.merchant_id = case when pix.outcome in ('credited', 'fees') or pix.connection_id <> 1 then pix.merchant_id
                                        else 0 end
    where coalesce(pix.amount_cents, 0) <> coalesce(posted.total, 0)`,

  'a payment is split by the terms of its charge': sql<DiscrepancyRow>`
    select merchant_id, coalesce(charge.id::text, reference) || ': net ' || coalesce(posted.net, 0) || ', fee '
           || coalesce(posted.fee, 0) || ', reserve ' || coalesce(posted.reserve, 0) || ' of '
           || coalesce(charge.amount_cents, 0) as detail
    from (
      -- Nothing is kept back of what arrived at an account of the merchant's own.
      select merchant_id, connection_id, id, end_to_end_id as reference, amount_cents,
             case when connection_id = 1 then fee_cents else 0 end as fee_cents, reserve_cents
      from charges where status in ('paid', 'refunded')
    ) charge
    full join (
      select merchant_id, connection_id, reference, available_cents as net, fees_cents as fee, reserved_cents as reserve
      from ledger_entries where event in ('payment received', 'unmatched assigned') and merchant_id <> 0
    ) posted using (merchant_id, connection_id, reference)
    where (coalesce(posted.net, 0), coalesce(posted.fee, 0), coalesce(posted.reserve, 0))
       <> (coalesce(amount_cents - fee_cents - reserve_cents, 0), coalesce(fee_cents, 0), coalesce(reserve_cents, 0))`,

  'suspense is what came in, belongs to nobody yet and is not on its way back': sql<DiscrepancyRow>`
    select merchant_id, 'suspense ' || suspense_cents || ', Pix in suspense ' || held as detail
    from ledger_balances
    cross join (
      select (select coalesce(sum(amount_cents), 0) from received_pix
              where outcome in ('suspense', 'returning', 'returned') and connection_id = 1)
           - (select coalesce(sum(amount_cents), 0) from refunds where merchant_id = 0 and status <> 'failed') as held
    ) pix
    where merchant_id = 0 and suspense_cents <> held`,

  'a Pix that nobody claimed is back when all of it is': sql<DiscrepancyRow>`
    select 0 as merchant_id,
           end_to_end_id || ': ' || outcome || ', ' || coalesce(refunding, 0) || ' on its way back, '
           || coalesce(refunded, 0) || ' back of ' || amount_cents as detail
    from (select * from received_pix where merchant_id = 0) pix
    left join (
      select end_to_end_id, sum(amount_cents) filter (where status = 'processing') as refunding,
             sum(amount_cents) filter (where status = 'completed') as refunded
      from refunds where merchant_id = 0
      group by end_to_end_id
    ) sums using (end_to_end_id)
    where outcome <> case when refunded = amount_cents then 'returned' when refunding > 0 then 'returning'
                          else 'suspense' end`,

  'a paid charge has its Pix, and a credited Pix its charge': sql<DiscrepancyRow>`
    select coalesce(charge.merchant_id, pix.merchant_id) as merchant_id,
           coalesce(charge.id, pix.charge_id) || ': ' || coalesce(charge.status, 'no charge') as detail
    from (select * from charges where status in ('paid', 'refunded')) charge
    full join (select * from received_pix where outcome in ('credited', 'assigned')) pix
      on pix.merchant_id = charge.merchant_id and pix.charge_id = charge.id
     and pix.end_to_end_id = charge.end_to_end_id and pix.connection_id = charge.connection_id and pix.amount_cents = charge.amount_cents
    where charge.id is null or pix.charge_id is null`,

  'a charge says of its refunds what they say': sql<DiscrepancyRow>`
    select merchant_id, charge_id || ': refunding ' || refunding_cents || ', refunded ' || refunded_cents || ', refunds '
           || coalesce(sums.refunding, 0) || ' and ' || coalesce(sums.refunded, 0) as detail
    from (select merchant_id, id as charge_id, refunding_cents, refunded_cents from charges) charge
    full join (
      select merchant_id, charge_id,
             sum(amount_cents) filter (where status = 'processing') as refunding,
             sum(amount_cents) filter (where status = 'completed') as refunded
      from refunds where charge_id is not null group by merchant_id, charge_id
    ) sums using (merchant_id, charge_id)
    where (coalesce(refunding_cents, 0), coalesce(refunded_cents, 0))
       <> (coalesce(sums.refunding, 0), coalesce(sums.refunded, 0))`,

  'a refund moved its money, once': sql<DiscrepancyRow>`
    select merchant_id, reference || ': ' || event || ' ' || coalesce(moved.cents, 0) || ' of '
           || coalesce(refund.cents, 0) as detail
    from (
      select merchant_id,
             connection_id,
             case origin when 'bank' then coalesce(rtr_id, end_to_end_id || ' ' || bank_refund_id)
                         else id::text end as reference,
             event, amount_cents as cents
      from refunds
      cross join lateral (values
        (merchant_id > 0 and origin <> 'bank', 'refund requested'),
        (merchant_id > 0 and origin <> 'bank' and status = 'completed', 'refund completed'),
        (merchant_id > 0 and status = 'failed', 'refund refused'),
        (merchant_id > 0 and origin = 'bank', 'dispute lost'),
        (merchant_id = 0, 'unmatched return requested'),
        (merchant_id = 0 and status = 'completed', 'unmatched returned'),
        (merchant_id = 0 and status = 'failed', 'unmatched return refused')
      ) step (applies, event)
      where applies
    ) refund
    full join (
      select merchant_id, connection_id, reference, event,
             case event when 'dispute lost' then psp_cents else abs(in_transit_cents) end as cents
      from ledger_entries
      where event in ('refund requested', 'refund completed', 'refund refused', 'dispute lost',
                      'unmatched return requested', 'unmatched returned', 'unmatched return refused')
    ) moved using (merchant_id, connection_id, reference, event)
    where coalesce(refund.cents, 0) <> coalesce(moved.cents, 0)`,

  'a withdrawal moved its money, once': sql<DiscrepancyRow>`
    select merchant_id, reference || ': ' || event || ' ' || coalesce(moved.cents, 0) || ' of '
           || coalesce(withdrawal.cents, 0) as detail
    from (
      select merchant_id, connection_id, id::text as reference, event, cents
      from withdrawals
      cross join lateral (values
        (true, 'withdrawal requested', amount_cents),
        (completed_at is not null, 'withdrawal completed', amount_cents),
        (status = 'failed' and completed_at is null, 'withdrawal refused', amount_cents),
        (returned_cents > 0, 'withdrawal returned', returned_cents)
      ) step (applies, event, cents)
      where applies
    ) withdrawal
    full join (
      select merchant_id, connection_id, split_part(reference, ' ', 1) as reference, event,
             sum(case event when 'withdrawal returned' then -psp_cents else abs(in_transit_cents) end)::bigint as cents
      from ledger_entries
      where event in ('withdrawal requested', 'withdrawal completed', 'withdrawal refused', 'withdrawal returned')
      group by 1, 2, 3, 4
    ) moved using (merchant_id, connection_id, reference, event)
    where coalesce(withdrawal.cents, 0) <> coalesce(moved.cents, 0)`,

  'what came back of a withdrawal is what its returns say': sql<DiscrepancyRow>`
    select merchant_id, id || ': returned ' || returned_cents || ', returns ' || coalesce(sums.cents, 0) as detail
    from withdrawals
    left join (
      select merchant_id, withdrawal_id as id, sum(amount_cents)::bigint as cents
      from withdrawal_returns group by merchant_id, withdrawal_id
    ) sums using (merchant_id, id)
    where returned_cents <> coalesce(sums.cents, 0)`,

  'in transit is what withdrawals and refunds under way hold': sql<DiscrepancyRow>`
    select merchant_id, 'in transit ' || in_transit_cents || ', under way ' || coalesce(under_way.cents, 0) as detail
    from ledger_balances
    left join (
      select merchant_id, connection_id, sum(amount_cents)::bigint as cents
      from (
        select merchant_id, connection_id, amount_cents from withdrawals where status in ('pending', 'processing')
        union all
        select merchant_id, connection_id, amount_cents from refunds where status = 'processing'
      ) held group by merchant_id, connection_id
    ) under_way using (merchant_id, connection_id)
    where in_transit_cents <> coalesce(under_way.cents, 0)`,

  'a counter is what the withdrawals say': sql<DiscrepancyRow>`
    select counter.merchant_id, 'counters differ from withdrawals' as detail
    from merchant_counters counter
    left join (
      select merchant_id,
             count(*) filter (where status in ('pending', 'processing')) as pending,
             sum(amount_cents) filter (where status in ('pending', 'processing')) as pending_cents,
             count(*) filter (where status = 'completed') as completed,
             sum(amount_cents - returned_cents) filter (where status = 'completed') as completed_cents,
             count(*) filter (where status = 'failed') as failed
      from withdrawals group by merchant_id
    ) counted using (merchant_id)
    where (counter.pending_withdrawals_count, counter.pending_withdrawals_cents, counter.completed_withdrawals_count,
           counter.completed_withdrawals_cents, counter.failed_withdrawals_count)
      <> (coalesce(counted.pending, 0), coalesce(counted.pending_cents, 0), coalesce(counted.completed, 0),
          coalesce(counted.completed_cents, 0), coalesce(counted.failed, 0))`,

  ...feeChecks,

  ...obligationChecks,

  'an adjustment is what its entry in the audit log says': sql<DiscrepancyRow>`
    select merchant_id, 'entry ' || reference || ': ' || coalesce(entry.cents, 0) || ', posted '
           || coalesce(posted.cents, 0) as detail
    from (
      select subject_id as merchant_id, id::text as reference,
             (after ->> 'balance_cents')::bigint - (before ->> 'balance_cents')::bigint as cents
      from audit_log where action = 'balance adjusted'
    ) entry
    full join (
      select merchant_id, reference, available_cents as cents from ledger_entries where event = 'balance adjusted'
    ) posted using (merchant_id, reference)
    where coalesce(entry.cents, 0) <> coalesce(posted.cents, 0)`,

  'what moved at the bank beside Pix is posted once, in full': sql<DiscrepancyRow>`
    select coalesce(posted.merchant_id, 0) as merchant_id,
           coalesce(movement.id::text, posted.reference) || ': recorded ' || coalesce(movement.amount_cents, 0)
           || ', posted ' || coalesce(posted.amount_cents, 0) as detail
    from (
      select id, amount_cents, case kind when 'tariff' then 'bank tariff' when 'fees-taken' then 'fees taken'
                                         else 'topped up' end as event
      from bank_movements
    ) movement
    full join (
      select merchant_id, reference, event, abs(psp_cents) as amount_cents from ledger_entries
      where event in ('bank tariff', 'fees taken', 'topped up')
    ) posted on posted.reference = movement.id::text and posted.event = movement.event and posted.merchant_id = 0
    where coalesce(movement.amount_cents, 0) <> coalesce(posted.amount_cents, 0)`,

  'a counter is what the charges say': sql<DiscrepancyRow>`
    select counter.merchant_id, 'counters differ from charges' as detail
    from merchant_counters counter
    left join (
      select merchant_id,
             count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'paid') as paid,
             count(*) filter (where status = 'expired') as expired,
             count(*) filter (where status = 'refunded') as refunded,
             count(*) filter (where status = 'error') as error,
             sum(amount_cents) filter (where status in ('paid', 'refunded')) as gross,
             sum(amount_cents - fee_cents) filter (where status in ('paid', 'refunded')) as net,
             sum(refunded_cents) as given_back
      from charges group by merchant_id
    ) counted using (merchant_id)
    where (counter.pending_count, counter.paid_count, counter.expired_count, counter.refunded_count,
           counter.error_count, counter.gross_received_cents, counter.net_received_cents, counter.refunded_cents)
      <> (coalesce(counted.pending, 0), coalesce(counted.paid, 0), coalesce(counted.expired, 0),
          coalesce(counted.refunded, 0), coalesce(counted.error, 0), coalesce(counted.gross, 0),
          coalesce(counted.net, 0), coalesce(counted.given_back, 0))`,

  'a charge is listed under its status': sql<DiscrepancyRow>`
    select merchant_id, id || ': ' || coalesce(charge.status, 'no charge') || ', listed as '
           || coalesce(listed.status, 'nothing') || coalesce(' at account ' || listed.connection_id, '') as detail
    from (
      select merchant_id, id, status, case status when 'pending' then next_check_at end as next_check_at,
             case status when 'pending' then connection_id end as connection_id
      from charges
    ) charge
    full join (
      select merchant_id, charge_id as id, 'pending' as status, next_check_at, connection_id from open_charges
      union all
      select merchant_id, charge_id, status, null, null from ended_charges
    ) listed using (merchant_id, id)
    where (charge.status, charge.next_check_at, charge.connection_id)
      is distinct from (listed.status, listed.next_check_at, listed.connection_id)`,

  'a run counts the charges that were made in it': sql<DiscrepancyRow>`
    select run.merchant_id, 'run after ' || after_id || ': kept ' || run.charges || ', charges ' || counted.charges as detail
    from (
      select merchant_id, after_id, charges,
             lead(after_id, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
               over (partition by merchant_id order by after_id) as until_id
      from (
        select merchant_id, after_id, charges from charge_runs
        union all select merchant_id, open_run_after, open_run_count from merchant_counters
      ) stored
    ) run
    cross join lateral (
      select count(*) as charges from charges
      where charges.merchant_id = run.merchant_id and id > after_id and id <= until_id
    ) counted
    where run.charges <> counted.charges`,

  'a day counts what was paid on it': sql<DiscrepancyRow>`
    select merchant_id, day || ': kept ' || coalesce(stored.received_cents, 0) || ', charges '
           || coalesce(counted.cents, 0) as detail
    from merchant_days stored
    full join (
      select merchant_id, (paid_at at time zone 'America/Sao_Paulo')::date as day,
             sum(amount_cents)::bigint as cents, count(*) as number
      from charges where status in ('paid', 'refunded') group by 1, 2
    ) counted using (merchant_id, day)
    where (coalesce(stored.received_cents, 0), coalesce(stored.received_count, 0))
       <> (coalesce(counted.cents, 0), coalesce(counted.number, 0))`,
};
