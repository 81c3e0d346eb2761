-- The functions of server/migrations/0006_figures.sql for a cluster (docs/cluster.md): the same figures, counted row by row.
-- They are replaced again after every migration, which may have brought those for one server. Their triggers: triggers.sql.
--
-- On one server, a trigger counts all rows of a statement at once, from transition tables. In a cluster a trigger runs on
-- the server that has the row, and there a statement over transition tables and a distributed table cannot be planned.
-- Each statement below names one merchant, so it runs on that server alone, in the transaction of the change.
-- `npm run ledger:verify` compares these figures with the rows, as on one server.

create or replace function count_new_charges() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counter merchant_counters;
begin
  update merchant_counters
  set pending_count = pending_count + (new.status = 'pending')::int,
      error_count = error_count + (new.status = 'error')::int,
      open_run_count = open_run_count + 1
  where merchant_id = new.merchant_id
  returning * into counter;
  if not found then
    raise exception 'a charge names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  if new.status = 'pending' then
    insert into open_charges (merchant_id, charge_id, connection_id, next_check_at)
    values (new.merchant_id, new.id, new.connection_id, new.next_check_at);
  else
    insert into ended_charges (merchant_id, status, charge_id) values (new.merchant_id, new.status, new.id);
  end if;
  -- A late charge is counted in the closed run to which its id belongs. A full run is closed after the newest charge.
  if new.id <= counter.open_run_after then
    update charge_runs set charges = charges + 1
    where merchant_id = new.merchant_id and after_id = (
      select after_id from charge_runs where merchant_id = new.merchant_id and after_id < new.id order by after_id desc limit 1);
    update merchant_counters set open_run_count = open_run_count - 1 where merchant_id = new.merchant_id;
  elsif counter.open_run_count >= 1000 then
    insert into charge_runs (merchant_id, after_id, charges)
    values (new.merchant_id, counter.open_run_after, counter.open_run_count);
    update merchant_counters
    set open_run_count = 0,
        open_run_after = (select id from charges where merchant_id = new.merchant_id order by id desc limit 1)
    where merchant_id = new.merchant_id;
  end if;
  return null;
end $$;

create or replace function count_changed_charges() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_payment constant boolean := new.paid_at is not null and old.paid_at is null;
begin
  if new.status = 'pending' then
    if new.next_check_at is distinct from old.next_check_at or old.status <> 'pending' then
      insert into open_charges (merchant_id, charge_id, connection_id, next_check_at)
      values (new.merchant_id, new.id, new.connection_id, new.next_check_at)
      on conflict (merchant_id, charge_id) do update set next_check_at = excluded.next_check_at;
    end if;
  elsif new.status <> old.status then
    delete from open_charges where merchant_id = new.merchant_id and charge_id = new.id;
    if old.status <> 'pending' then
      delete from ended_charges where merchant_id = old.merchant_id and status = old.status and charge_id = old.id;
    end if;
    insert into ended_charges (merchant_id, status, charge_id) values (new.merchant_id, new.status, new.id)
    on conflict do nothing;
  end if;
  if (new.status, new.refunded_cents) = (old.status, old.refunded_cents) then
    return null;
  end if;
  update merchant_counters
  set pending_count = pending_count + (new.status = 'pending')::int - (old.status = 'pending')::int,
      paid_count = paid_count + (new.status = 'paid')::int - (old.status = 'paid')::int,
      expired_count = expired_count + (new.status = 'expired')::int - (old.status = 'expired')::int,
      refunded_count = refunded_count + (new.status = 'refunded')::int - (old.status = 'refunded')::int,
      error_count = error_count + (new.status = 'error')::int - (old.status = 'error')::int,
      gross_received_cents = gross_received_cents + is_payment::int * new.amount_cents,
      net_received_cents = net_received_cents + is_payment::int * (new.amount_cents - new.fee_cents),
      refunded_cents = refunded_cents + new.refunded_cents - old.refunded_cents,
      last_transaction_at = greatest(last_transaction_at, new.paid_at)
  where merchant_id = new.merchant_id;
  if is_payment then
    insert into merchant_days as known (merchant_id, day, received_cents, received_count)
    values (new.merchant_id, (new.paid_at at time zone 'America/Sao_Paulo')::date, new.amount_cents, 1)
    on conflict (merchant_id, day)
    do update set received_cents = known.received_cents + excluded.received_cents,
                  received_count = known.received_count + excluded.received_count;
  end if;
  return null;
end $$;

create or replace function count_new_withdrawals() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update merchant_counters
  set pending_withdrawals_count = pending_withdrawals_count + 1,
      pending_withdrawals_cents = pending_withdrawals_cents + new.amount_cents
  where merchant_id = new.merchant_id;
  if not found then
    raise exception 'a withdrawal names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function count_changed_withdrawals() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was_open constant integer := (old.status in ('pending', 'processing'))::int;
  is_open constant integer := (new.status in ('pending', 'processing'))::int;
  was_completed constant integer := (old.status = 'completed')::int;
  is_completed constant integer := (new.status = 'completed')::int;
begin
  if (new.status, new.returned_cents) = (old.status, old.returned_cents) then
    return null;
  end if;
  update merchant_counters
  set pending_withdrawals_count = pending_withdrawals_count + is_open - was_open,
      pending_withdrawals_cents = pending_withdrawals_cents + (is_open - was_open) * new.amount_cents,
      completed_withdrawals_count = completed_withdrawals_count + is_completed - was_completed,
      completed_withdrawals_cents = completed_withdrawals_cents
        + is_completed * (new.amount_cents - new.returned_cents) - was_completed * (old.amount_cents - old.returned_cents),
      failed_withdrawals_count = failed_withdrawals_count + (new.status = 'failed')::int - (old.status = 'failed')::int,
      last_transaction_at = greatest(last_transaction_at, new.completed_at)
  where merchant_id = new.merchant_id;
  return null;
end $$;
