-- A page deep in the feed is found without walking over all that is newer: a merchant's charges are counted in runs of
-- a thousand or more, by the time at which they were made. A charge keeps that time and is never deleted, so a run only
-- ever gains charges that were stored late.

-- Whoever writes charges is waited for, and waits: none is to be stored by the old way of counting after this has counted.
lock table charges in share row exclusive mode;

create table charge_runs (
  merchant_id bigint not null,
  -- Holds the charges made from here until the next run begins. A merchant's first run has no beginning.
  begins_at timestamptz not null,
  charges bigint not null,
  primary key (merchant_id, begins_at)
) with (fillfactor = 50);

-- Charges made at one moment are of one run.
insert into charge_runs (merchant_id, begins_at, charges)
select merchant_id,
       case when run = max(run) over (partition by merchant_id) then '-infinity' else min(created_at) end,
       count(*)
from (
  select merchant_id, created_at,
         (rank() over (partition by merchant_id order by created_at desc) - 1) / 1000 as run
  from charges
) ranked
group by merchant_id, run;

-- The newest run, which is still open, stands in the row that every new charge is counted in anyway.
alter table merchant_counters
  add column open_run_begins_at timestamptz not null default '-infinity',
  add column open_run_count bigint not null default 0;

update merchant_counters counter
set open_run_begins_at = newest.created_at + interval '1 microsecond'
from (
  select merchant_id,
         (select max(created_at) from charges where charges.merchant_id = merchant_counters.merchant_id) as created_at
  from merchant_counters
) newest
where counter.merchant_id = newest.merchant_id and newest.created_at is not null;

-- Whatever changes a merchant's runs holds the lock on the merchant's counters, which it takes first.
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
      select counts.*
      from (
        select merchant_id,
               count(*) filter (where status = 'pending') as pending,
               count(*) filter (where status = 'error') as error,
               min(created_at) as oldest
        from written
        group by merchant_id
      ) counts
      join merchant_counters locked using (merchant_id)
      order by merchant_id
      for no key update of locked
    ) made
    where counter.merchant_id = made.merchant_id
    returning made.oldest < counter.open_run_begins_at as is_late, counter.open_run_count >= 1000 as is_full
  )
  select count(*), bool_or(is_late), bool_or(is_full) into counted, some_are_late, some_run_is_full from counted;

  if counted <> (select count(distinct merchant_id) from written) then
    raise exception 'a charge names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;

  -- Made before the open run began, and stored after: processes race, and their clocks differ.
  if some_are_late then
    with late as (
      select made.merchant_id, begins_at, count(*) as charges
      from written made
      join merchant_counters counter
        on counter.merchant_id = made.merchant_id and made.created_at < counter.open_run_begins_at
      cross join lateral (
        select begins_at from charge_runs
        where merchant_id = made.merchant_id and begins_at <= made.created_at
        order by begins_at desc limit 1
      ) run
      group by made.merchant_id, begins_at
    ), gained as (
      update charge_runs run set charges = run.charges + late.charges
      from late
      where run.merchant_id = late.merchant_id and run.begins_at = late.begins_at
    )
    update merchant_counters counter set open_run_count = counter.open_run_count - lost.charges
    from (select merchant_id, sum(charges)::bigint as charges from late group by merchant_id) lost
    where counter.merchant_id = lost.merchant_id;
  end if;

  -- The next run begins after all that is counted. Who is not counted yet waits for the lock, and is late then.
  if some_run_is_full then
    with closed as (
      insert into charge_runs (merchant_id, begins_at, charges)
      select merchant_id, open_run_begins_at, open_run_count
      from merchant_counters
      where merchant_id in (select merchant_id from written) and open_run_count >= 1000
      returning merchant_id
    )
    update merchant_counters counter
    set open_run_count = 0,
        open_run_begins_at = interval '1 microsecond'
          + (select max(created_at) from charges where charges.merchant_id = counter.merchant_id)
    from closed
    where counter.merchant_id = closed.merchant_id;
  end if;
  return null;
end $$;
