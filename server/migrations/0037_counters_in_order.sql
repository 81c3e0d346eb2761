-- What is paid by a counter code is stored and paid in one transaction, beside charges of other merchants that are
-- only paid. Each of these statements locks the counters of its merchants in order; both together would not.

create function lock_merchant_counters(merchants bigint[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  select from merchant_counters where merchant_id = any(merchants) order by merchant_id for no key update
$$;
