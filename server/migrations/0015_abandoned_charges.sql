-- A charge whose bank does not answer may be made at another account of the merchant's own instead, as long as nobody has
-- its code. The charge then takes the other account and a new txid. What the first bank may have made under the old txid
-- is kept here: it is removed at that bank, and if it was paid there meanwhile, that payment is booked.
create table abandoned_charges (
  merchant_id bigint not null,
  charge_id uuid not null,
  -- The account and the txid that the charge had. A Pix with this txid at this account is the merchant's.
  connection_id integer not null check (connection_id > 1),
  txid text collate "C" not null,
  abandoned_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the bank is next asked about it; null once it cannot be paid there any more.
  next_check_at timestamptz,
  primary key (merchant_id, charge_id, txid)
);
create index abandoned_charges_due on abandoned_charges (next_check_at) where next_check_at is not null;

create function refuse_abandoned_charge_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'an abandoned charge does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_abandoned_charges before update on abandoned_charges
for each row when (
  (new.merchant_id, new.charge_id, new.connection_id, new.txid, new.abandoned_at, new.expires_at)
  is distinct from
  (old.merchant_id, old.charge_id, old.connection_id, old.txid, old.abandoned_at, old.expires_at))
execute function refuse_abandoned_charge_change();

create or replace function guard_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if
    -- The identity, the terms and the creator of a charge never change.
    (new.merchant_id, new.id, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
     new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at,
     new.external_id, new.metadata, new.request_id, new.made_with)
    is distinct from
    (old.merchant_id, old.id, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
     old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at,
     old.external_id, old.metadata, old.request_id, old.made_with)
    -- The account and the txid change together, while the charge is pending and nobody has its code, from one account of
    -- the merchant's own to another.
    or ((new.connection_id, new.txid) is distinct from (old.connection_id, old.txid)
        and (new.connection_id = old.connection_id or new.txid = old.txid
             or old.connection_id = 1 or new.connection_id = 1
             or (old.status, new.status) <> ('pending', 'pending') or old.br_code <> '' or new.br_code <> ''))
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
