-- A transaction is a payment that came in: making a charge that nobody has paid does not move the date of the last one.

create or replace function count_new_charges() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
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
  return null;
end $$;

update merchant_counters counter
set last_transaction_at = (select max(paid_at) from charges where charges.merchant_id = counter.merchant_id);
