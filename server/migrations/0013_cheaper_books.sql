-- The books, and the figures of charges, are kept with less work for each payment, and guarantee what they did.

-- One row per merchant with a column per account: a payment, which touches three accounts, locks and writes one row.
-- Half of each page stays free, so that a new state of a row is written beside the last one and no index learns of it.
create table ledger_balances (
  merchant_id bigint primary key references users (id),
  available_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  blocked_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  suspense_cents bigint not null default 0,
  receivable_cents bigint not null default 0,
  psp_cents bigint not null default 0,
  fees_cents bigint not null default 0,
  adjustments_cents bigint not null default 0,
  -- What a merchant owes, and the platform's own side, may go below zero. Nothing else may.
  constraint ledger_floor check (
    available_cents >= 0 and reserved_cents >= 0 and blocked_cents >= 0 and in_transit_cents >= 0
    and suspense_cents >= 0),
  -- What one account gains another loses: a transfer that moved only one of them is refused.
  constraint ledger_balanced check (
    available_cents + reserved_cents + blocked_cents + in_transit_cents + suspense_cents + receivable_cents + psp_cents
    + fees_cents + adjustments_cents = 0)
) with (fillfactor = 50);

-- Nobody writes while balances are carried over: what an older process began before is waited for.
lock table ledger_transfers, ledger_accounts in share row exclusive mode;

insert into ledger_balances (
  merchant_id, available_cents, reserved_cents, blocked_cents, in_transit_cents, suspense_cents, receivable_cents,
  psp_cents, fees_cents, adjustments_cents)
select merchant_id,
       sum(balance_cents) filter (where kind = 'available'),
       sum(balance_cents) filter (where kind = 'reserved'),
       sum(balance_cents) filter (where kind = 'blocked'),
       sum(balance_cents) filter (where kind = 'in_transit'),
       sum(balance_cents) filter (where kind = 'suspense'),
       sum(balance_cents) filter (where kind = 'receivable'),
       sum(balance_cents) filter (where kind = 'psp'),
       sum(balance_cents) filter (where kind = 'fees'),
       sum(balance_cents) filter (where kind = 'adjustments')
from ledger_accounts
group by merchant_id;

drop trigger open_ledger_accounts on users;
drop function open_ledger_accounts();
drop table ledger_accounts;

create function open_ledger_balances() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_balances (merchant_id) values (new.id);
  return null;
end $$;
create trigger open_ledger_balances after insert on users
for each row execute function open_ledger_balances();

alter table ledger_days set (fillfactor = 50);
alter table merchant_counters set (fillfactor = 50);
alter table merchant_days set (fillfactor = 50);

-- A transfer is known by its cause, and by nothing else: one index instead of two. It begins with the reference, so
-- that what happens at the same time lies together.
alter table ledger_transfers
  drop constraint ledger_transfers_pkey,
  drop constraint ledger_event_once,
  drop column id,
  alter column event type text collate "C",
  alter column reference type text collate "C",
  alter column from_account type text collate "C",
  alter column to_account type text collate "C";
alter table ledger_transfers
  add constraint ledger_event_once primary key (reference, merchant_id, event, from_account, to_account),
  add constraint ledger_transfers_account_exists check (
    from_account in ('available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                     'adjustments')
    and to_account in ('available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                       'adjustments'));

-- Rows are locked in one order by everybody, so two writers wait for each other but never in a circle: in each
-- function below an inner query locks them in the order of their merchants, and the update changes what is locked.
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

  insert into ledger_days as known (merchant_id, day, available_change_cents)
  select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
         sum(case when to_account = 'available' then amount_cents else -amount_cents end)::bigint
  from written
  where 'available' in (from_account, to_account)
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day)
  do update set available_change_cents = known.available_change_cents + excluded.available_change_cents;

  return null;
end $$;

-- How a charge begins, and how it may change, is asked of each row by the statement itself; a function is called only
-- to refuse. The figures below rely on it.
drop trigger guard_charges on charges;
drop function guard_charges();

create function refuse_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a charge begins as pending'
                                  else 'a charge does not change this way' end
  using errcode = 'check_violation';
end $$;

create trigger guard_new_charges before insert on charges
for each row when (new.status not in ('pending', 'error'))
execute function refuse_charge();

create trigger guard_charges before update on charges
for each row when (
  (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
   new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
   old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at)
  or (new.status <> old.status
      and (old.status, new.status) not in (
        ('pending', 'paid'), ('pending', 'expired'), ('pending', 'error'),
        ('expired', 'paid'), ('error', 'paid'), ('paid', 'refunded')))
  or (old.end_to_end_id is not null
      and (new.end_to_end_id, new.paid_at) is distinct from (old.end_to_end_id, old.paid_at))
  or new.refunded_cents < old.refunded_cents
  or (new.status in ('paid', 'refunded')) <> (new.end_to_end_id is not null)
  or (new.end_to_end_id is null) <> (new.paid_at is null))
execute function refuse_charge();

create or replace function count_new_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  counted integer;
begin
  update merchant_counters counter
  set pending_count = counter.pending_count + made.pending, error_count = counter.error_count + made.error
  from (
    select counts.*
    from (
      select merchant_id,
             count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'error') as error
      from written
      group by merchant_id
    ) counts
    join merchant_counters locked using (merchant_id)
    order by merchant_id
    for no key update of locked
  ) made
  where counter.merchant_id = made.merchant_id;
  get diagnostics counted = row_count;

  if counted <> (select count(distinct merchant_id) from written) then
    raise exception 'a charge names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- A charge's amounts stay, and its status only goes forward: what a figure gains is its sum over the new rows less
-- that over the old ones, and when no sum differs, nothing that is counted has changed.
create or replace function count_changed_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update merchant_counters counter
  set pending_count = counter.pending_count + change.pending,
      paid_count = counter.paid_count + change.paid,
      expired_count = counter.expired_count + change.expired,
      refunded_count = counter.refunded_count + change.refunded,
      error_count = counter.error_count - change.pending - change.paid - change.expired - change.refunded,
      gross_received_cents = counter.gross_received_cents + change.gross,
      net_received_cents = counter.net_received_cents + change.net,
      refunded_cents = counter.refunded_cents + change.given_back,
      last_transaction_at = greatest(counter.last_transaction_at, change.newest)
  from (
    select sums.*
    from (
      select merchant_id,
             coalesce(sum(sign) filter (where status = 'pending'), 0) as pending,
             coalesce(sum(sign) filter (where status = 'paid'), 0) as paid,
             coalesce(sum(sign) filter (where status = 'expired'), 0) as expired,
             coalesce(sum(sign) filter (where status = 'refunded'), 0) as refunded,
             coalesce(sum(sign * amount_cents) filter (where paid_at is not null), 0)::bigint as gross,
             coalesce(sum(sign * (amount_cents - fee_cents)) filter (where paid_at is not null), 0)::bigint as net,
             sum(sign * refunded_cents)::bigint as given_back,
             max(paid_at) filter (where sign = 1) as newest
      from (
        select 1 as sign, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from written
        union all
        select -1, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from was
      ) part
      group by merchant_id
    ) sums
    join merchant_counters locked using (merchant_id)
    where (sums.pending, sums.paid, sums.expired, sums.refunded, sums.given_back) <> (0, 0, 0, 0, 0)
    order by merchant_id
    for no key update of locked
  ) change
  where counter.merchant_id = change.merchant_id;
  if not found then
    return null;
  end if;

  insert into merchant_days as known (merchant_id, day, received_cents, received_count)
  select merchant_id, (paid_at at time zone 'America/Sao_Paulo')::date, sum(sign * amount_cents)::bigint, sum(sign)
  from (
    select 1 as sign, merchant_id, amount_cents, paid_at from written where paid_at is not null
    union all
    select -1, merchant_id, amount_cents, paid_at from was where paid_at is not null
  ) part
  group by 1, 2
  having sum(sign) <> 0
  order by 1, 2
  on conflict (merchant_id, day)
  do update set received_cents = known.received_cents + excluded.received_cents,
                received_count = known.received_count + excluded.received_count;
  return null;
end $$;
