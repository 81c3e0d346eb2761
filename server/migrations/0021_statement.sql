-- The statement of a balance (available, reserved, blocked): its movements by time, and what came in and went out on
-- each day.

-- Nobody writes transfers while they are summed: what an older process began before is waited for.
lock table ledger_transfers in share row exclusive mode;

-- One entry for each transfer that moves such a balance, found by its event, newest or oldest first: a page of any kind
-- reads as many entries of each event as it shows lines. What moved at one moment is put in order when it is read: a
-- reference in each entry would cost every payment twice as much. (The platform's own transfers are read by their cause.)
create index ledger_transfers_by_event on ledger_transfers (merchant_id, event, to_account, at)
where from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked');

-- What went out is what came in less the change.
alter table ledger_days
  add column available_in_cents bigint not null default 0,
  add column reserved_change_cents bigint not null default 0,
  add column reserved_in_cents bigint not null default 0,
  add column blocked_change_cents bigint not null default 0,
  add column blocked_in_cents bigint not null default 0;

insert into ledger_days as known (
  merchant_id, day, available_in_cents, reserved_change_cents, reserved_in_cents, blocked_change_cents, blocked_in_cents)
select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
       coalesce(sum(amount_cents) filter (where to_account = 'available'), 0)::bigint,
       coalesce(sum(case 'reserved' when to_account then amount_cents when from_account then -amount_cents end), 0)::bigint,
       coalesce(sum(amount_cents) filter (where to_account = 'reserved'), 0)::bigint,
       coalesce(sum(case 'blocked' when to_account then amount_cents when from_account then -amount_cents end), 0)::bigint,
       coalesce(sum(amount_cents) filter (where to_account = 'blocked'), 0)::bigint
from ledger_transfers
where from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked')
group by 1, 2
on conflict (merchant_id, day) do update
set available_in_cents = excluded.available_in_cents,
    reserved_change_cents = excluded.reserved_change_cents,
    reserved_in_cents = excluded.reserved_in_cents,
    blocked_change_cents = excluded.blocked_change_cents,
    blocked_in_cents = excluded.blocked_in_cents;

-- As in 0013, with all of a day's figures.
create or replace function apply_transfers() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved integer;
begin
  update ledger_balances balance
  set available_cents = balance.available_cents + coalesce(change.available, 0)::bigint,
      reserved_cents = balance.reserved_cents + coalesce(change.reserved, 0)::bigint,
      blocked_cents = balance.blocked_cents + coalesce(change.blocked, 0)::bigint,
      in_transit_cents = balance.in_transit_cents + coalesce(change.in_transit, 0)::bigint,
      suspense_cents = balance.suspense_cents + coalesce(change.suspense, 0)::bigint,
      receivable_cents = balance.receivable_cents + coalesce(change.receivable, 0)::bigint,
      psp_cents = balance.psp_cents + coalesce(change.psp, 0)::bigint,
      fees_cents = balance.fees_cents + coalesce(change.fees, 0)::bigint,
      adjustments_cents = balance.adjustments_cents + coalesce(change.adjustments, 0)::bigint
  from (
    select sums.*
    from (
      select merchant_id,
             sum(case 'available' when target then cents when source then -cents end) as available,
             sum(case 'reserved' when target then cents when source then -cents end) as reserved,
             sum(case 'blocked' when target then cents when source then -cents end) as blocked,
             sum(case 'in_transit' when target then cents when source then -cents end) as in_transit,
             sum(case 'suspense' when target then cents when source then -cents end) as suspense,
             sum(case 'receivable' when target then cents when source then -cents end) as receivable,
             sum(case 'psp' when target then cents when source then -cents end) as psp,
             sum(case 'fees' when target then cents when source then -cents end) as fees,
             sum(case 'adjustments' when target then cents when source then -cents end) as adjustments
      from (
        select merchant_id, from_account as source, to_account as target, amount_cents as cents from written
      ) transfer
      group by merchant_id
    ) sums
    join ledger_balances locked using (merchant_id)
    order by merchant_id
    for no key update of locked
  ) change
  where balance.merchant_id = change.merchant_id;
  get diagnostics moved = row_count;

  -- In place of a foreign key, which would lock the busiest rows once more for every transfer.
  if moved <> (select count(distinct merchant_id) from written) then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  insert into ledger_days as known (
    merchant_id, day, available_change_cents, available_in_cents, reserved_change_cents, reserved_in_cents,
    blocked_change_cents, blocked_in_cents)
  select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
         coalesce(sum(case 'available' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'available' then cents end), 0)::bigint,
         coalesce(sum(case 'reserved' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'reserved' then cents end), 0)::bigint,
         coalesce(sum(case 'blocked' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'blocked' then cents end), 0)::bigint
  from (select merchant_id, at, from_account, to_account, amount_cents as cents from written) transfer
  where from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked')
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day) do update
  set available_change_cents = known.available_change_cents + excluded.available_change_cents,
      available_in_cents = known.available_in_cents + excluded.available_in_cents,
      reserved_change_cents = known.reserved_change_cents + excluded.reserved_change_cents,
      reserved_in_cents = known.reserved_in_cents + excluded.reserved_in_cents,
      blocked_change_cents = known.blocked_change_cents + excluded.blocked_change_cents,
      blocked_in_cents = known.blocked_in_cents + excluded.blocked_in_cents;

  return null;
end $$;
