-- Three guards closed tighter. The functions behind the books look their tables up in public and nowhere else: a
-- temporary table of the same name would otherwise be found first. A charge keeps every term it was made under, and
-- its identity. And what it was paid with stands once it is paid.

alter function open_ledger_accounts() set search_path = public, pg_temp;
alter function apply_transfers() set search_path = public, pg_temp;
alter function open_merchant_counters() set search_path = public, pg_temp;
alter function count_new_charges() set search_path = public, pg_temp;
alter function count_changed_charges() set search_path = public, pg_temp;

create function guard_charges() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
      new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at)
     is distinct from
     (old.merchant_id, old.id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
      old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at)
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

create trigger guard_charges before update on charges
for each row execute function guard_charges();
