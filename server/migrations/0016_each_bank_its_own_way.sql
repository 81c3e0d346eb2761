-- Each account at a bank goes its own way: what is due is found by account, what is looked at again and again has its next
-- time in a table, and payouts can be stopped at one account alone. So a bank that is slow, silent or broken delays nobody
-- else, and a thousand accounts at rest cost next to nothing.


-- What is due, by account -----------------------------------------------------------------------------------------------

-- The account of a pending charge, so that due charges at a bank that does not answer can be passed over.
do $$ begin
  alter table open_charges add column connection_id integer not null default 1;
  drop index open_charges_due;
  create index open_charges_due on open_charges (next_check_at, connection_id);
end $$;
update open_charges listed set connection_id = charges.connection_id
from charges
where charges.merchant_id = listed.merchant_id and charges.id = listed.charge_id and charges.connection_id <> 1;

-- As in 0006_figures.sql, with the account.
create or replace function count_new_charges() returns trigger
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

  insert into open_charges (merchant_id, charge_id, connection_id, next_check_at)
  select merchant_id, id, connection_id, next_check_at from new_rows where status = 'pending';
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


-- The orders of an account are read without those of the others.
do $$ begin
  create index withdrawals_due_by_connection on withdrawals (connection_id, due_at) where due_at is not null;
  create index refunds_due_by_connection on refunds (connection_id, due_at) where due_at is not null;
  create index withdrawals_sent_from_own on withdrawals (connection_id, first_sent_at)
  where first_sent_at is not null and connection_id <> 1;
end $$;


-- What is looked at again and again -------------------------------------------------------------------------------------

-- When the lists of a merchant's own account are next read. The operator's own account has no rows: it is always looked at.
create table bank_looks (
  connection_id integer not null,
  -- What is looked at (server/src/psp/looks.ts).
  kind text not null,
  due_at timestamptz not null,
  -- Until then something is expected, and the account is looked at as often as the operator's own.
  active_until timestamptz,
  -- How many looks in a row failed.
  failures integer not null default 0,
  primary key (connection_id, kind)
);
create index bank_looks_due on bank_looks (kind, due_at);


-- Payouts that are stopped at one account -------------------------------------------------------------------------------

-- The accounts from which nothing is sent until their bank has said what it sent and returned. The stop of all payouts is
-- in `gateway`.
create table stopped_connections (
  connection_id integer primary key,
  stopped_because text not null,
  -- When the bank is next asked.
  compare_at timestamptz not null
);
create index stopped_connections_due on stopped_connections (compare_at);
