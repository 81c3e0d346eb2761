import type { Client } from 'pg';

/**
 * Computes counters, lists by status, daily figures and balances from the loaded rows. Triggers, which were off during
 * the load, would have kept them for each row.
 */
export async function deriveFigures(client: Client): Promise<void> {
  for (const statement of figures) await client.query(statement);
}

const figures = [
  `update merchant_counters counter
   set pending_count = pending, paid_count = paid, expired_count = expired, refunded_count = refunded,
       error_count = error, gross_received_cents = gross, net_received_cents = net, refunded_cents = given_back,
       last_transaction_at = newest
   from (
     select merchant_id,
            count(*) filter (where status = 'pending') as pending,
            count(*) filter (where status = 'paid') as paid,
            count(*) filter (where status = 'expired') as expired,
            count(*) filter (where status = 'refunded') as refunded,
            count(*) filter (where status = 'error') as error,
            coalesce(sum(amount_cents) filter (where end_to_end_id is not null), 0) as gross,
            coalesce(sum(amount_cents - fee_cents) filter (where end_to_end_id is not null), 0) as net,
            sum(refunded_cents) as given_back, max(paid_at) as newest
     from charges group by merchant_id
   ) counted where counter.merchant_id = counted.merchant_id`,
  `delete from open_charges`,
  `insert into open_charges (merchant_id, charge_id, next_check_at)
   select merchant_id, id, next_check_at from charges where status = 'pending' order by 1, 2`,
  `delete from ended_charges`,
  `insert into ended_charges (merchant_id, status, charge_id)
   select merchant_id, status, id from charges where status <> 'pending' order by 1, 2, 3`,
  `delete from merchant_days`,
  `insert into merchant_days (merchant_id, day, received_cents, received_count)
   select merchant_id, (paid_at at time zone 'America/Sao_Paulo')::date, sum(amount_cents), count(*)
   from charges where end_to_end_id is not null group by 1, 2`,
  `update ledger_balances balance
   set available_cents = coalesce(moved.available, 0),
       reserved_cents = coalesce(moved.reserved, 0),
       blocked_cents = coalesce(moved.blocked, 0),
       in_transit_cents = coalesce(moved.in_transit, 0),
       suspense_cents = coalesce(moved.suspense, 0),
       receivable_cents = coalesce(moved.receivable, 0),
       psp_cents = coalesce(moved.psp, 0),
       fees_cents = coalesce(moved.fees, 0),
       adjustments_cents = coalesce(moved.adjustments, 0)
   from (
     select merchant_id, sum(available_cents) as available,
            sum(reserved_cents) as reserved,
            sum(blocked_cents) as blocked,
            sum(in_transit_cents) as in_transit,
            sum(suspense_cents) as suspense,
            sum(receivable_cents) as receivable,
            sum(psp_cents) as psp,
            sum(fees_cents) as fees,
            sum(adjustments_cents) as adjustments
     from ledger_entries group by 1
   ) moved where balance.merchant_id = moved.merchant_id`,
  `delete from ledger_days`,
  `insert into ledger_days (
     merchant_id, day, available_change_cents, available_in_cents, reserved_change_cents, reserved_in_cents,
     blocked_change_cents, blocked_in_cents)
   select merchant_id, (posted_at at time zone 'America/Sao_Paulo')::date,
          sum(available_cents), sum(greatest(available_cents, 0)), sum(reserved_cents), sum(greatest(reserved_cents, 0)),
          sum(blocked_cents), sum(greatest(blocked_cents, 0))
   from ledger_entries
   where (available_cents, reserved_cents, blocked_cents) <> (0, 0, 0) group by 1, 2`,
  // `charge_runs` holds the number of charges in each run of about a thousand; the feed uses it to find an offset.
  // The newest run gets only five charges, so that offset 10,000 lies at the far end of a run, the most expensive case.
  `delete from charge_runs`,
  `insert into charge_runs (merchant_id, after_id, charges)
   select merchant_id,
          lag(newest_id, 1, '00000000-0000-0000-0000-000000000000') over (partition by merchant_id order by run desc), charges
   from (
     select merchant_id, run, (array_agg(id order by id desc))[1] as newest_id, count(*) as charges
     from (
       select merchant_id, id, (rank() over (partition by merchant_id order by id desc) + 994) / 1000 as run from charges
     ) ranked group by merchant_id, run
   ) run`,
  `update merchant_counters counter set open_run_after = newest.after_id, open_run_count = newest.charges
   from (select distinct on (merchant_id) * from charge_runs order by merchant_id, after_id desc) newest
   where counter.merchant_id = newest.merchant_id`,
  `delete from charge_runs run using merchant_counters counter
   where run.merchant_id = counter.merchant_id and run.after_id = counter.open_run_after`,
];
