-- A charge stays bound to the account at a bank at which it was made: only that bank is asked about it, and only that
-- bank's word pays it. 1 is the operator's own account, which the settings name.
alter table charges add column connection_id integer not null default 1;

create or replace function guard_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if
    -- The identity, the account, the terms and the creator of a charge never change.
    (new.merchant_id, new.id, new.connection_id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
     new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at,
     new.external_id, new.metadata, new.request_id, new.made_with)
    is distinct from
    (old.merchant_id, old.id, old.connection_id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
     old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at,
     old.external_id, old.metadata, old.request_id, old.made_with)
    or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at)
    -- The status only moves forward. Money that arrives late still pays a charge that has expired or failed.
    or (new.status <> old.status
        and (old.status, new.status) not in (
          ('pending', 'paid'), ('pending', 'expired'), ('pending', 'error'),
          ('expired', 'paid'), ('error', 'paid'), ('paid', 'refunded')))
    -- The Pix that paid the charge never changes, and the refunded amount never falls.
    or (old.end_to_end_id is not null
        and (new.end_to_end_id, new.paid_at) is distinct from (old.end_to_end_id, old.paid_at))
    or new.refunded_cents < old.refunded_cents
    or (new.refunded_cents + new.refunding_cents > 0 and new.paid_at is null)
    -- The status must agree with the other columns.
    or (new.status = 'refunded') <> (new.refunded_cents = new.amount_cents)
    or (new.status in ('paid', 'refunded')) <> (new.end_to_end_id is not null)
    or (new.end_to_end_id is null) <> (new.paid_at is null)
  then
    raise exception 'a charge does not change this way' using errcode = 'check_violation';
  end if;
  return new;
end $$;
