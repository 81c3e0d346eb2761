import { sql } from 'kysely';
import type { DiscrepancyRow } from './audit-obligations.ts';

/**
 * The part of the ledger's audit (`audit.ts`) that concerns the fees that merchants owe, and the monthly statements of
 * them. Each query looks for violations of one invariant, so it must return no rows.
 */
export const feeChecks = {
  'the fee of a payment or withdrawal at an account of the merchant’s own is due': sql<DiscrepancyRow>`
    select merchant_id, reference || ': due ' || coalesce(posted.fee, 0) || ' of ' || coalesce(charged.fee, 0) as detail
    from (
      select merchant_id, id::text as reference, fee_cents as fee
      from charges where status in ('paid', 'refunded') and connection_id <> 1
      union all
      select merchant_id, id::text, fee_cents from withdrawals where completed_at is not null and connection_id <> 1
    ) charged
    full join (
      select merchant_id, reference, -fees_due_cents as fee from ledger_entries where event = 'fee accrued'
    ) posted using (merchant_id, reference)
    where coalesce(charged.fee, 0) <> coalesce(posted.fee, 0)`,

  'the statements have fees that fell due, each once': sql<DiscrepancyRow>`
    select merchant_id, day || ': statements ' || closed.fees || ' fees, ' || closed.cents || '; accrued '
           || coalesce(accrued.fees, 0) || ', ' || coalesce(accrued.cents, 0) as detail
    from (
      select merchant_id, day, sum(fee_count) as fees, sum(amount_cents)::bigint as cents
      from fee_statement_days group by merchant_id, day
    ) closed
    left join (
      select merchant_id, (posted_at at time zone 'America/Sao_Paulo')::date as day, count(*) as fees,
             -sum(fees_due_cents)::bigint as cents
      from ledger_entries where fees_due_cents < 0 and connection_id = 1 group by 1, 2
    ) accrued using (merchant_id, day)
    where closed.fees > coalesce(accrued.fees, 0) or closed.cents > coalesce(accrued.cents, 0)`,

  'a fee statement is what its days say': sql<DiscrepancyRow>`
    select merchant_id, number || ': ' || statement.fee_count || ' fees, ' || statement.amount_cents || '; days '
           || coalesce(days.fees, 0) || ', ' || coalesce(days.cents, 0) as detail
    from (select * from fee_statements) statement
    left join (
      select merchant_id, statement_id as id, sum(fee_count) as fees, sum(amount_cents)::bigint as cents
      from fee_statement_days group by merchant_id, statement_id
    ) days using (merchant_id, id)
    where (statement.fee_count, statement.amount_cents) <> (coalesce(days.fees, 0), coalesce(days.cents, 0))`,

  'a fee statement is paid once, in full, and each such payment has its statement': sql<DiscrepancyRow>`
    select merchant_id, reference || ': ' || event || ' ' || coalesce(posted.cents, 0) || ' of '
           || coalesce(statement.cents, 0) as detail
    from (
      select merchant_id, coalesce(end_to_end_id, id::text) as reference, amount_cents as cents,
             case when end_to_end_id is null then 'fees paid elsewhere' else 'fees paid' end as event
      from fee_statements where state = 'paid'
    ) statement
    full join (
      select merchant_id, reference, event, fees_due_cents as cents from ledger_entries
      where event in ('fees paid', 'fees paid elsewhere')
    ) posted using (merchant_id, reference, event)
    where coalesce(statement.cents, 0) <> coalesce(posted.cents, 0)`,
};
