-- Figures: totals and lists that screens read without counting rows.
--
-- Everything in this file is kept only for speed. Triggers update a figure in the same statement that changes the
-- counted rows, so no code can forget to. `npm run ledger:verify` compares the figures with the rows, and they could be
-- rebuilt from the rows. No decision about money depends on them, and the only thing that these triggers refuse is a
-- row of a merchant who does not exist.
--
-- The application's role may not write these tables (grants.sql); the trigger functions write them as their owner. As
-- in `post`, and for the same reasons, rows are changed in the order of their merchants, and plans that scan whole
-- tables are off.

create table merchant_counters (
  merchant_id bigint primary key references users (id),
  -- The number of charges in each status.
  pending_count bigint not null default 0,
  paid_count bigint not null default 0,
  expired_count bigint not null default 0,
  refunded_count bigint not null default 0,
  error_count bigint not null default 0,
  gross_received_cents bigint not null default 0,
  net_received_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- Withdrawals under way, completed and failed. Amounts that came back are subtracted from the completed ones.
  pending_withdrawals_count bigint not null default 0,
  pending_withdrawals_cents bigint not null default 0,
  completed_withdrawals_count bigint not null default 0,
  completed_withdrawals_cents bigint not null default 0,
  failed_withdrawals_count bigint not null default 0,
  -- When a payment last came in or a withdrawal was last completed. A new charge does not count as a transaction.
  last_transaction_at timestamptz,
  -- The newest run of charges, which is still open (see charge_runs). It is kept in this row because every new charge
  -- writes the row anyway.
  open_run_after uuid not null default '00000000-0000-0000-0000-000000000000',
  open_run_count bigint not null default 0
) with (fillfactor = 50);

-- The payments received on each day (in America/Sao_Paulo).
create table merchant_days (
  merchant_id bigint not null,
  day date not null,
  received_cents bigint not null default 0,
  received_count bigint not null default 0,
  primary key (merchant_id, day)
) with (fillfactor = 50);

-- The number of a merchant's charges in each run. A run is a thousand or more charges that follow each other in the
-- order of their ids, which is the order of time. To find a page deep in the list, the counts of the newest runs are
-- added up until they reach the page, and only the run in which it begins is read row by row. A charge keeps its id and
-- is never deleted, so a closed run changes only when a charge is stored late.
create table charge_runs (
  merchant_id bigint not null,
  -- The run has the charges whose ids are higher than this one, up to and including the `after_id` of the next run.
  after_id uuid not null,
  charges bigint not null,
  primary key (merchant_id, after_id)
) with (fillfactor = 50);

create function open_merchant_counters() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into merchant_counters (merchant_id) values (new.id);
  return null;
end $$;
create trigger open_merchant_counters after insert on users
for each row execute function open_merchant_counters();

-- The first migration inserted the platform before this trigger existed.
insert into merchant_counters (merchant_id) values (0);

-- Locks the counters of merchants, for a transaction that both creates charges and marks charges as paid, of several
-- merchants. A settlement with a Pix of a counter code does so. Each of its statements locks the counters of its
-- merchants in order, but the second could lock a merchant that comes before those of the first; so all are locked
-- beforehand.
create function lock_merchant_counters(merchants bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  merchant bigint;
begin
  for merchant in select distinct one from unnest(merchants) one order by one loop
    perform from merchant_counters where merchant_id = merchant for no key update;
  end loop;
end $$;


-- Charges ---------------------------------------------------------------------------------------------------------------

-- Counts new charges, and adds them to the lists by status (open_charges and ended_charges). The first statement locks
-- the merchant's counters, and that lock also protects the merchant's runs.
create function count_new_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  counted integer;
  some_are_late boolean;
  some_run_is_full boolean;
begin
  with counted as (
    update merchant_counters counter
    set pending_count = counter.pending_count + made.pending, error_count = counter.error_count + made.error,
        open_run_count = counter.open_run_count + made.pending + made.error
    from (
      select merchant_id,
             count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'error') as error,
             (array_agg(id order by id))[1] as oldest
      from new_rows
      group by merchant_id
      order by merchant_id
    ) made
    where counter.merchant_id = made.merchant_id
    returning made.oldest <= counter.open_run_after as is_late, counter.open_run_count >= 1000 as is_full
  )
  select count(*), bool_or(is_late), bool_or(is_full) into counted, some_are_late, some_run_is_full from counted;

  -- Replaces a foreign key, which would look up and lock the busiest accounts once more for every charge.
  if counted <> (select count(distinct merchant_id) from new_rows) then
    raise exception 'a charge names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;

  insert into open_charges (merchant_id, charge_id, next_check_at)
  select merchant_id, id, next_check_at from new_rows where status = 'pending';
  insert into ended_charges (merchant_id, status, charge_id)
  select merchant_id, status, id from new_rows where status <> 'pending';

  -- A late charge has an id from before the open run began, because processes race and their clocks differ. It is
  -- counted in the closed run to which its id belongs.
  if some_are_late then
    with late as (
      select made.merchant_id, after_id, count(*) as charges
      from new_rows made
      join merchant_counters counter
        on counter.merchant_id = made.merchant_id and made.id <= counter.open_run_after
      cross join lateral (
        select after_id from charge_runs
        where merchant_id = made.merchant_id and after_id < made.id
        order by after_id desc limit 1
      ) run
      group by made.merchant_id, after_id
    ), gained as (
      update charge_runs run set charges = run.charges + late.charges
      from late
      where run.merchant_id = late.merchant_id and run.after_id = late.after_id
    )
    update merchant_counters counter set open_run_count = counter.open_run_count - lost.charges
    from (select merchant_id, sum(charges)::bigint as charges from late group by merchant_id) lost
    where counter.merchant_id = lost.merchant_id;
  end if;

  -- A full run is closed, and the next one begins after the newest charge. A charge that another transaction is storing
  -- still waits for the lock on the counters. If its id is lower than the newest one, it is then counted as late.
  if some_run_is_full then
    with closed as (
      insert into charge_runs (merchant_id, after_id, charges)
      select merchant_id, open_run_after, open_run_count
      from merchant_counters
      where merchant_id in (select merchant_id from new_rows) and open_run_count >= 1000
      returning merchant_id
    )
    update merchant_counters counter
    set open_run_count = 0,
        open_run_after = (
          select id from charges where charges.merchant_id = counter.merchant_id order by id desc limit 1)
    from closed
    where counter.merchant_id = closed.merchant_id;
  end if;
  return null;
end $$;
create trigger count_new_charges after insert on charges
referencing new table as new_rows
for each statement execute function count_new_charges();

-- Counts changes of charges. The amount and fee of a charge never change, and its status only moves forward
-- (guard_charges). So each figure changes by its sum over the new rows less its sum over the old rows, and if the sums
-- of a merchant are equal, no counted value has changed.
create function count_changed_charges() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  some_are_open boolean;
  some_have_ended boolean;
begin
  -- The old and new rows are not joined: the transition tables have no index, and with hash and merge joins off, the
  -- time of a join would grow with the square of their number.
  select bool_or(status = 'pending'), bool_or(status <> 'pending') into some_are_open, some_have_ended from new_rows;
  if some_are_open then
    update open_charges listed set next_check_at = new_rows.next_check_at
    from new_rows
    where listed.merchant_id = new_rows.merchant_id and listed.charge_id = new_rows.id and new_rows.status = 'pending'
      and listed.next_check_at is distinct from new_rows.next_check_at;
  end if;
  if some_have_ended then
    delete from open_charges listed using new_rows
    where listed.merchant_id = new_rows.merchant_id and listed.charge_id = new_rows.id and new_rows.status <> 'pending';
    insert into ended_charges (merchant_id, status, charge_id)
    select merchant_id, status, id from new_rows where status <> 'pending'
    on conflict do nothing;
  end if;

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
        select 1 as sign, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from new_rows
        union all
        select -1, merchant_id, status, amount_cents, fee_cents, refunded_cents, paid_at from old_rows
      ) part
      group by merchant_id
    ) sums
    where (sums.pending, sums.paid, sums.expired, sums.refunded, sums.given_back) <> (0, 0, 0, 0, 0)
    order by merchant_id
  ) change
  where counter.merchant_id = change.merchant_id;
  if not found then
    return null;
  end if;

  insert into merchant_days as known (merchant_id, day, received_cents, received_count)
  select merchant_id, (paid_at at time zone 'America/Sao_Paulo')::date, sum(sign * amount_cents)::bigint, sum(sign)
  from (
    select 1 as sign, merchant_id, amount_cents, paid_at from new_rows where paid_at is not null
    union all
    select -1, merchant_id, amount_cents, paid_at from old_rows where paid_at is not null
  ) part
  group by 1, 2
  having sum(sign) <> 0
  order by 1, 2
  on conflict (merchant_id, day)
  do update set received_cents = known.received_cents + excluded.received_cents,
                received_count = known.received_count + excluded.received_count;
  return null;
end $$;
create trigger count_changed_charges after update on charges
referencing old table as old_rows new table as new_rows
for each statement execute function count_changed_charges();

-- Removes a charge from the list of its previous status when an ended charge changes again: an expired one is paid, or
-- a paid one refunded. Few charges do, so a call for each row costs little.
create function unlist_ended_charge() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  delete from ended_charges
  where merchant_id = old.merchant_id and status = old.status and charge_id = old.id;
  return null;
end $$;
create trigger unlist_ended_charges after update of status on charges
for each row when (old.status <> 'pending' and new.status <> old.status) execute function unlist_ended_charge();


-- Withdrawals -----------------------------------------------------------------------------------------------------------

create function count_new_withdrawals() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  counted integer;
begin
  update merchant_counters counter
  set pending_withdrawals_count = counter.pending_withdrawals_count + made.number,
      pending_withdrawals_cents = counter.pending_withdrawals_cents + made.cents
  from (
    select merchant_id, count(*) as number, sum(amount_cents)::bigint as cents
    from new_rows
    group by merchant_id
    order by merchant_id
  ) made
  where counter.merchant_id = made.merchant_id;
  get diagnostics counted = row_count;

  if counted <> (select count(distinct merchant_id) from new_rows) then
    raise exception 'a withdrawal names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger count_new_withdrawals after insert on withdrawals
referencing new table as new_rows
for each statement execute function count_new_withdrawals();

-- Counts changes of withdrawals by the sums over new rows less those over old rows, as for charges.
create function count_changed_withdrawals() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update merchant_counters counter
  set pending_withdrawals_count = counter.pending_withdrawals_count + change.pending,
      pending_withdrawals_cents = counter.pending_withdrawals_cents + change.pending_cents,
      completed_withdrawals_count = counter.completed_withdrawals_count + change.completed,
      completed_withdrawals_cents = counter.completed_withdrawals_cents + change.completed_cents,
      failed_withdrawals_count = counter.failed_withdrawals_count + change.failed,
      last_transaction_at = greatest(counter.last_transaction_at, change.newest)
  from (
    select sums.*
    from (
      select merchant_id,
             coalesce(sum(sign) filter (where status in ('pending', 'processing')), 0) as pending,
             coalesce(sum(sign * amount_cents) filter (where status in ('pending', 'processing')), 0)::bigint
               as pending_cents,
             coalesce(sum(sign) filter (where status = 'completed'), 0) as completed,
             coalesce(sum(sign * (amount_cents - returned_cents)) filter (where status = 'completed'), 0)::bigint
               as completed_cents,
             coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
             max(completed_at) filter (where sign = 1) as newest
      from (
        select 1 as sign, merchant_id, status, amount_cents, returned_cents, completed_at from new_rows
        union all
        select -1, merchant_id, status, amount_cents, returned_cents, completed_at from old_rows
      ) part
      group by merchant_id
    ) sums
    where (sums.pending, sums.completed, sums.completed_cents, sums.failed) <> (0, 0, 0, 0)
    order by merchant_id
  ) change
  where counter.merchant_id = change.merchant_id;
  return null;
end $$;
create trigger count_changed_withdrawals after update on withdrawals
referencing old table as old_rows new table as new_rows
for each statement execute function count_changed_withdrawals();
