-- Money back: every return of a received Pix, asked for by its merchant, by the operator (what nobody claimed), or made
-- by the bank itself (MED). Each is one fact, by our id or the bank's rtrId.

-- What is on its way back counts against what may still be asked for: the database refuses more than was paid.
alter table charges
  add column refunding_cents bigint not null default 0,
  add constraint charges_refunds_within_payment check (
    refunding_cents >= 0 and refunded_cents + refunding_cents <= amount_cents);

create table refunds (
  -- 0: a Pix that nobody claimed goes back.
  merchant_id bigint not null,
  id uuid not null,
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  -- The caller's own name for it, and what was asked for under it; null: all that was left.
  caller_id text collate "C",
  asked_cents bigint,
  -- Its name at the bank: ours, random, or the one that the bank made up for what it returns by itself.
  bank_refund_id text collate "C" not null,
  -- The bank's: known once it tells it.
  rtr_id text collate "C",
  origin text not null check (origin in ('panel', 'api', 'operator', 'bank')),
  status text not null check (status in ('processing', 'completed', 'failed')),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null default '',
  -- Why it failed or waits: a stable code, and a Portuguese sentence for the merchant.
  error_code text,
  error text,
  -- When it is looked at next; null when nothing is left to happen by itself.
  due_at timestamptz,
  -- How often it left for the bank, and how often the bank did not know it since it last did.
  sends integer not null default 0,
  lookups integer not null default 0,
  first_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  -- When the bank gave it back, by its own word.
  returned_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id),
  check ((charge_id is null) = (merchant_id = 0)),
  check ((status = 'completed') = (completed_at is not null))
);
-- One that the bank refused, and then gave back all the same, is a fact beside it.
create unique index refunds_by_bank_refund_id on refunds (merchant_id, end_to_end_id, bank_refund_id)
where status <> 'failed';
create unique index refunds_by_rtr_id on refunds (merchant_id, rtr_id)
where rtr_id is not null and status <> 'failed';
create index refunds_by_pix on refunds (merchant_id, end_to_end_id);
create unique index refunds_by_caller_id on refunds (merchant_id, charge_id, caller_id) where caller_id is not null;
create index refunds_by_charge on refunds (merchant_id, charge_id, created_at) where charge_id is not null;
create index refunds_due on refunds (due_at) where due_at is not null;

-- What a refund is stays, and it ends once.
create function refuse_refund() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a refund begins as processing'
                                  else 'a refund does not change this way' end
  using errcode = 'check_violation';
end $$;
create trigger guard_new_refunds before insert on refunds
for each row when (new.status <> case new.origin when 'bank' then 'completed' else 'processing' end)
execute function refuse_refund();
create trigger guard_refunds before update on refunds
for each row when (
  (new.merchant_id, new.id, new.charge_id, new.end_to_end_id, new.caller_id, new.asked_cents, new.bank_refund_id,
   new.origin, new.amount_cents, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.charge_id, old.end_to_end_id, old.caller_id, old.asked_cents, old.bank_refund_id,
   old.origin, old.amount_cents, old.created_at)
  or (new.status <> old.status and old.status <> 'processing')
  or (old.rtr_id is not null and new.rtr_id is distinct from old.rtr_id)
  or new.sends < old.sends)
execute function refuse_refund();

-- What a charge says of its refunds is what they say: looked at when the transaction ends, in which both changed.
create function check_refunds_of_charge(merchant bigint, charge uuid) returns void
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform from charges
  cross join lateral (
    select coalesce(sum(amount_cents) filter (where status = 'processing'), 0) as refunding,
           coalesce(sum(amount_cents) filter (where status = 'completed'), 0) as refunded
    from refunds
    where refunds.merchant_id = charges.merchant_id and refunds.charge_id = charges.id
  ) sums
  where merchant_id = merchant and id = charge
    and (refunding_cents, refunded_cents) <> (sums.refunding, sums.refunded);
  if found then
    raise exception 'a charge differs from its refunds' using errcode = 'check_violation',
      constraint = 'charges_sum_of_refunds';
  end if;
end $$;
create function check_charge_against_refunds() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform check_refunds_of_charge(new.merchant_id, new.id);
  return null;
end $$;
create function check_refund_against_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform check_refunds_of_charge(new.merchant_id, new.charge_id);
  return null;
end $$;
create constraint trigger charges_sum_of_refunds after update of refunding_cents, refunded_cents on charges
deferrable initially deferred
for each row when ((new.refunding_cents, new.refunded_cents) <> (old.refunding_cents, old.refunded_cents))
execute function check_charge_against_refunds();
create constraint trigger new_refunds_in_charge after insert on refunds deferrable initially deferred
for each row execute function check_refund_against_charge();
create constraint trigger refunds_in_charge after update of status on refunds deferrable initially deferred
for each row when (new.status <> old.status)
execute function check_refund_against_charge();

drop trigger guard_new_charges on charges;
create trigger guard_new_charges before insert on charges
for each row when (
  new.status not in ('pending', 'error') or (new.refunding_cents, new.refunded_cents) <> (0, 0))
execute function refuse_charge();

drop trigger guard_charges on charges;
create trigger guard_charges before update on charges
for each row when (
  (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
   new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
   old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at)
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

-- A Pix that nobody claimed leaves suspense once: assigned to a merchant, or sent back.
alter table received_pix drop constraint received_pix_outcome_check;
alter table received_pix add constraint received_pix_outcome_check
  check (outcome in ('credited', 'suspense', 'assigned', 'returning', 'returned'));

drop index received_pix_suspense;
create index received_pix_unclaimed on received_pix (received_at, end_to_end_id)
where outcome in ('suspense', 'returning');

create function refuse_received_pix() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a received Pix does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_received_pix before update on received_pix
for each row when (
  (new.end_to_end_id, new.reason, new.txid, new.pix_key, new.amount_cents, new.paid_at, new.received_at)
  is distinct from
  (old.end_to_end_id, old.reason, old.txid, old.pix_key, old.amount_cents, old.paid_at, old.received_at)
  or (old.outcome, new.outcome) not in (
    ('suspense', 'assigned'), ('suspense', 'returning'), ('suspense', 'returned'),
    ('returning', 'suspense'), ('returning', 'returned'))
  or ((new.merchant_id, new.charge_id) is distinct from (old.merchant_id, old.charge_id)
      and new.outcome <> 'assigned'))
execute function refuse_received_pix();

-- What one administrator proposed for a large Pix in suspense, until another agrees.
create table suspense_proposals (
  end_to_end_id text collate "C" primary key,
  action text not null check (action in ('assign', 'return')),
  merchant_id bigint,
  reason text not null,
  proposed_by bigint not null,
  proposed_at timestamptz not null
);
