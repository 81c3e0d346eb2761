-- Charges with a due date, and charges that name whom they are for. The bank computes what is owed on the day of the payment. So the amount of a charge with a due date is the original one
-- until the charge is paid, and from then on what was paid.
alter table charges add column due_date date;
create index charges_by_due_date on charges (merchant_id, due_date, id) where due_date is not null;

-- Whom a charge is for: a CPF or CNPJ with letters and digits only.
alter table charge_options add column payer_name text check (length(payer_name) between 2 and 200);
alter table charge_options add column payer_document text check (payer_document ~ '^(\d{11}|[0-9A-Z]{12}\d{2})$');

create table due_terms (
  merchant_id bigint not null,
  charge_id uuid not null,
  -- For how long the charge can be paid after the due date, and fine, interest, rebate and discounts.
  terms json not null,
  original_cents bigint not null check (original_cents > 0),
  -- How the bank explained the amount that was paid; null until then.
  fine_cents bigint check (fine_cents >= 0),
  interest_cents bigint check (interest_cents >= 0),
  rebate_cents bigint check (rebate_cents >= 0),
  discount_cents bigint check (discount_cents >= 0),
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id),
  check (num_nulls(fine_cents, interest_cents, rebate_cents, discount_cents) in (0, 4))
);

create function refuse_due_terms_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'the terms of a charge do not change' using errcode = 'check_violation';
end $$;
do $$ begin
  create trigger guard_due_terms before update on due_terms
  for each row when (
    (new.merchant_id, new.charge_id, new.terms::text, new.original_cents)
    is distinct from (old.merchant_id, old.charge_id, old.terms::text, old.original_cents))
  execute function refuse_due_terms_change();
end $$;

create or replace function guard_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if
    -- The identity, the terms and the creator of a charge never change.
    (new.merchant_id, new.id, new.in_rate, new.fix_in_cents, new.reserve_rate,
     new.reserve_days, new.expires_at, new.created_at,
     new.external_id, new.metadata, new.request_id, new.made_with, new.due_date)
    is distinct from
    (old.merchant_id, old.id, old.in_rate, old.fix_in_cents, old.reserve_rate,
     old.reserve_days, old.expires_at, old.created_at,
     old.external_id, old.metadata, old.request_id, old.made_with, old.due_date)
    -- The amount changes only to what is paid for a charge with a due date, and its fee and reserve with it.
    or ((new.amount_cents, new.fee_cents, new.reserve_cents)
        is distinct from (old.amount_cents, old.fee_cents, old.reserve_cents)
        and (old.due_date is null or old.end_to_end_id is not null))
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
