-- What every payment writes is written with less: no lock on its merchant's account for each row, no index that
-- nobody reads, no figure that is computed by joining what was with what is.

-- Whoever has an account keeps it, whoever asks. So the rows below need no foreign key to it, which would look the
-- busiest accounts up, and lock them, once more for every row: their merchant is that of a charge or of an account of
-- the books, and those exist only with one.
create trigger users_stay before delete on users
for each row execute function refuse_change();
create trigger users_stay_all before truncate on users
for each statement execute function refuse_change();
alter table charges drop constraint charges_merchant_id_fkey;
alter table received_pix drop constraint received_pix_merchant_id_fkey;
alter table notifications drop constraint notifications_merchant_id_fkey;
alter table outbox drop constraint outbox_merchant_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_merchant_id_fkey;
alter table webhook_lanes drop constraint webhook_lanes_merchant_id_fkey;
alter table ledger_days drop constraint ledger_days_merchant_id_fkey;
alter table merchant_days drop constraint merchant_days_merchant_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_merchant_id_fkey;

-- Queues are read in the order in which they were written: one index does.
alter table outbox drop constraint outbox_pkey, add primary key (id, merchant_id);
drop index outbox_oldest;
-- A row holds what one transaction tells a merchant.
alter table outbox add column messages json;
update outbox set messages = json_build_array(message);
alter table outbox alter column messages set not null, drop column message;
alter table webhook_lane_changes drop constraint webhook_lane_changes_pkey, add primary key (id, merchant_id);
drop index webhook_lane_changes_oldest;

-- Ids of notifications begin with their time, and those of deliveries with what they tell of: their keys give the
-- newest, and the story of one charge. What is forgotten by age lies together, and is found by a few pages of summary.
drop index notifications_newest;
drop index notifications_oldest;
create index notifications_age on notifications using brin (created_at);
drop index webhook_deliveries_subject;
drop index psp_inbox_finished;
create index psp_inbox_age on psp_inbox using brin (received_at);

-- Kept to the letter.
alter table psp_inbox alter column notice type json;

-- These statements go from what was written to the few rows that it touches, by their keys. The planner, which sees
-- small tables at first and keeps its plan, would read the whole table of balances for each payment.
create or replace function apply_transfers() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  legs integer;
  moved integer;
begin
  -- Rows are locked in one order by everybody, so two writers wait for each other but never in a circle.
  perform 1
  from ledger_accounts
  where (merchant_id, kind) in (
    select merchant_id, from_account from written union select merchant_id, to_account from written)
  order by merchant_id, kind
  for no key update;

  update ledger_accounts account
  set balance_cents = account.balance_cents + leg.change
  from (
    select merchant_id, kind, sum(change)::bigint as change
    from (
      select merchant_id, from_account as kind, -amount_cents as change from written
      union all
      select merchant_id, to_account, amount_cents from written
    ) legs
    group by merchant_id, kind
  ) leg
  where account.merchant_id = leg.merchant_id and account.kind = leg.kind;
  get diagnostics moved = row_count;

  -- In place of foreign keys, which would lock the busiest rows once more for every transfer.
  select count(*) into legs from (
    select merchant_id, from_account from written union select merchant_id, to_account from written) named;
  if moved <> legs then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  insert into ledger_days as known (merchant_id, day, available_change_cents)
  select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
         sum(case when to_account = 'available' then amount_cents else -amount_cents end)
  from written
  where 'available' in (from_account, to_account)
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day)
  do update set available_change_cents = known.available_change_cents + excluded.available_change_cents;

  return null;
end $$;

create or replace function count_new_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  merchants integer;
  counted integer;
begin
  if exists (select from written where status not in ('pending', 'error')) then
    raise exception 'a charge begins as pending' using errcode = 'check_violation';
  end if;

  perform 1 from merchant_counters
  where merchant_id in (select merchant_id from written) order by merchant_id for no key update;

  update merchant_counters counter
  set pending_count = pending_count + made.pending, error_count = error_count + made.error
  from (
    select merchant_id,
           count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'error') as error
    from written group by merchant_id
  ) made
  where counter.merchant_id = made.merchant_id;
  get diagnostics counted = row_count;

  select count(distinct merchant_id) into merchants from written;
  if counted <> merchants then
    raise exception 'a charge names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- How a charge may change is asked of each row; the figures below rely on it.
create or replace function guard_charges() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
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
     or (new.end_to_end_id is null) <> (new.paid_at is null)
  then
    raise exception 'a charge does not change this way' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- A charge's amounts stay, and its status only goes forward: what a figure gains is its sum over the new rows less
-- that over the old ones, and when no sum differs, nothing that is counted has changed.
create or replace function count_changed_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if (select row(count(*) filter (where status = 'pending'), count(*) filter (where status = 'paid'),
                 count(*) filter (where status = 'expired'), count(*) filter (where status = 'refunded'),
                 sum(refunded_cents)) from was)
     is not distinct from
     (select row(count(*) filter (where status = 'pending'), count(*) filter (where status = 'paid'),
                 count(*) filter (where status = 'expired'), count(*) filter (where status = 'refunded'),
                 sum(refunded_cents)) from written)
  then
    return null;
  end if;

  perform 1 from merchant_counters
  where merchant_id in (select merchant_id from written) order by merchant_id for no key update;

  update merchant_counters counter
  set pending_count = counter.pending_count + change.pending,
      paid_count = counter.paid_count + change.paid,
      expired_count = counter.expired_count + change.expired,
      refunded_count = counter.refunded_count + change.refunded,
      error_count = counter.error_count + change.error,
      gross_received_cents = counter.gross_received_cents + change.gross,
      net_received_cents = counter.net_received_cents + change.net,
      refunded_cents = counter.refunded_cents + change.given_back,
      last_transaction_at = greatest(counter.last_transaction_at, change.newest)
  from (
    select merchant_id,
           coalesce(sum(sign) filter (where status = 'pending'), 0) as pending,
           coalesce(sum(sign) filter (where status = 'paid'), 0) as paid,
           coalesce(sum(sign) filter (where status = 'expired'), 0) as expired,
           coalesce(sum(sign) filter (where status = 'refunded'), 0) as refunded,
           coalesce(sum(sign) filter (where status = 'error'), 0) as error,
           coalesce(sum(sign * amount_cents) filter (where status in ('paid', 'refunded')), 0) as gross,
           coalesce(sum(sign * (amount_cents - fee_cents)) filter (where status in ('paid', 'refunded')), 0) as net,
           sum(sign * refunded_cents) as given_back,
           max(paid_at) filter (where sign = 1) as newest
    from (
      select 1 as sign, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from written
      union all
      select -1, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from was
    ) part
    group by merchant_id
  ) change
  where counter.merchant_id = change.merchant_id;

  insert into merchant_days as known (merchant_id, day, received_cents, received_count)
  select merchant_id, (paid_at at time zone 'America/Sao_Paulo')::date, sum(sign * amount_cents), sum(sign)
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
