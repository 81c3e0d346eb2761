-- What an integrator calls a charge, who asked for it, who paid it, and that it was called off.

alter table charges
  add column external_id text check (length(external_id) between 1 and 100),
  -- Texts by name, as the integrator gave them.
  add column metadata jsonb,
  -- The call that made it, and with what: a key as it may be shown, or null for a screen of the panel.
  add column request_id text,
  add column made_with text,
  add column cancelled_at timestamptz check (cancelled_at is null or status <> 'pending');

-- Names need not be unique: an order that is charged again keeps its own.
create index charges_by_external_id on charges (merchant_id, external_id, created_at desc, id desc)
where external_id is not null;

-- Leads from a word of metadata to its charges, newest first, however many share it.
create table charge_metadata (
  merchant_id bigint not null,
  name text collate "C" not null,
  value text collate "C" not null,
  created_at timestamptz not null,
  charge_id uuid not null,
  primary key (merchant_id, name, value, created_at, charge_id)
);

-- As before, and what a charge is called and who made it stays too.
drop trigger guard_charges on charges;
create trigger guard_charges before update on charges
for each row when (
  (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
   new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at,
   new.external_id, new.metadata, new.request_id, new.made_with)
  is distinct from
  (old.merchant_id, old.id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
   old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at,
   old.external_id, old.metadata, old.request_id, old.made_with)
  or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at)
  or (new.status <> old.status
      and (old.status, new.status) not in (
        ('pending', 'paid'), ('pending', 'expired'), ('pending', 'error'),
        ('expired', 'paid'), ('error', 'paid'), ('paid', 'refunded')))
  or (old.end_to_end_id is not null
      and (new.end_to_end_id, new.paid_at) is distinct from (old.end_to_end_id, old.paid_at))
  or new.refunded_cents < old.refunded_cents
  or (new.refunded_cents + new.refunding_cents > 0 and new.paid_at is null)
  or (new.status = 'refunded') <> (new.refunded_cents = new.amount_cents)
  or (new.status in ('paid', 'refunded')) <> (new.end_to_end_id is not null)
  or (new.end_to_end_id is null) <> (new.paid_at is null))
execute function refuse_charge();

-- The payer as the bank names them; of a CPF only the middle digits.
alter table received_pix
  add column payer_name text,
  add column payer_document text;
