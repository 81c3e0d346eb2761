-- Money out: withdrawals to a merchant's own Pix keys, and refunds of received Pix to their payers.
--
-- Both live the same way. An order is stored under our own id and its money is held before it leaves for the bank; what
-- becomes of it is the bank's word or an operator's evidence. `unknown_since` says since when it has left without anybody
-- knowing what became of it: that is never taken for a failure. docs/life-of-a-withdrawal.md and docs/life-of-a-refund.md
-- tell both from beginning to end.
--
-- All triggers in this file keep money right: they refuse what must not happen.


-- Withdrawals -----------------------------------------------------------------------------------------------------------

-- One row per merchant who ever set anything; made when first needed. Whoever asks for a merchant's money locks it first.
create table withdrawal_controls (
  merchant_id bigint primary key,
  -- argon2id under a key that is not in the database; null while no PIN is set.
  pin_hash text,
  pin_set_at timestamptz,
  -- Wrong PINs since the last right one or the last lock; locks since the last right PIN; and until when the last holds.
  wrong_pins integer not null default 0,
  pin_locks integer not null default 0,
  pin_locked_until timestamptz,
  -- Withdrawals wait until then, because something that guards them changed.
  held_until timestamptz,
  held_because text,
  -- Withdrawals by API key: off until turned on with password and PIN.
  api_enabled boolean not null default false,
  api_changed_at timestamptz
);

-- Where withdrawals by API key may go: saved with password and PIN.
create table withdrawal_destinations (
  merchant_id bigint not null,
  pix_key text not null,
  key_type text not null check (key_type in ('cpf', 'cnpj', 'email', 'phone', 'random')),
  label text not null default '',
  created_at timestamptz not null,
  primary key (merchant_id, pix_key)
);

create table withdrawals (
  merchant_id bigint not null,
  id uuid not null,
  -- Our name for the order at the bank. Begins with the merchant's number, like a txid; the rest is random.
  id_envio text collate "C" not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  -- Why an operator keeps it from being sent; null unless one does.
  operator_hold text,
  origin text not null check (origin in ('panel', 'api')),
  -- The fee is part of the amount: the key receives amount less fee.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  key_type text not null check (key_type in ('cpf', 'cnpj', 'email', 'phone', 'random')),
  pix_key text not null,
  callback_url text,
  -- Known once the bank tells it.
  end_to_end_id text collate "C",
  -- Why it failed or waits: a stable code, and a Portuguese sentence for the merchant.
  error_code text,
  error text,
  -- The amount that was returned after completion.
  returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents - fee_cents),
  due_at timestamptz,
  -- How often it left for the bank. Since it last did: how often it was looked up there, and how often the bank did not
  -- know it.
  sends integer not null default 0,
  lookups integer not null default 0,
  not_found integer not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, id_envio),
  constraint withdrawals_held_wait check (operator_hold is null or status = 'pending')
);
create unique index withdrawals_one_at_a_time on withdrawals (merchant_id) where status in ('pending', 'processing');
create index withdrawals_due on withdrawals (due_at) where due_at is not null;
-- The merchant's list.
create index withdrawals_newest on withdrawals (merchant_id, created_at desc, id desc);
create index withdrawals_newest_by_status on withdrawals (merchant_id, status, created_at desc, id desc);
-- The operator's list of all merchants.
create index withdrawals_open on withdrawals (created_at desc, id desc) where status in ('pending', 'processing');
create index withdrawals_ended on withdrawals (status, created_at desc, id desc)
where status in ('completed', 'failed');
-- Amounts sent per day, in total and per merchant: for the caps, and to compare days with the bank's list.
create index withdrawals_sent on withdrawals (first_sent_at) where first_sent_at is not null;
create index withdrawals_sent_by_merchant on withdrawals (merchant_id, first_sent_at) where first_sent_at is not null;
-- Where a merchant's money has gone before: a new key requires the second factor.
create index withdrawals_paid_keys on withdrawals (merchant_id, pix_key) where status = 'completed';

-- The fact that some of a payout came back, once for each of the bank's returns. Never changed.
create table withdrawal_returns (
  merchant_id bigint not null,
  withdrawal_id uuid not null,
  rtr_id text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- At the bank, by its own word.
  returned_at timestamptz not null,
  booked_at timestamptz not null,
  primary key (merchant_id, rtr_id),
  foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id)
);
create index withdrawal_returns_of on withdrawal_returns (merchant_id, withdrawal_id);
create trigger withdrawal_returns_stay before update or delete on withdrawal_returns
for each row execute function refuse_change();

-- How far the bank's list of sent Pix has been read.
create table payout_reconciliation (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null
);

create function refuse_withdrawal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a withdrawal begins as pending'
                                  else 'a withdrawal does not change this way' end
  using errcode = 'check_violation';
end $$;

create trigger guard_new_withdrawals before insert on withdrawals
for each row when (
  (new.status, new.sends, new.returned_cents) <> ('pending', 0, 0)
  or coalesce(new.first_sent_at, new.completed_at) is not null or new.end_to_end_id is not null)
execute function refuse_withdrawal();

create trigger guard_withdrawals before update on withdrawals
for each row when (
  -- Its identity and its terms do not change.
  (new.merchant_id, new.id, new.id_envio, new.origin, new.amount_cents, new.fee_cents, new.key_type, new.pix_key,
   new.callback_url, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.id_envio, old.origin, old.amount_cents, old.fee_cents, old.key_type, old.pix_key,
   old.callback_url, old.created_at)
  -- Its status goes forward; it fails after completion only when all of it came back.
  or (new.status <> old.status
      and (old.status, new.status) not in (
        ('pending', 'processing'), ('pending', 'failed'),
        ('processing', 'completed'), ('processing', 'failed'), ('completed', 'failed')))
  -- Recorded outcomes are never undone.
  or (old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id)
  or (old.first_sent_at is not null and new.first_sent_at is distinct from old.first_sent_at)
  or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
  or new.sends < old.sends or new.returned_cents < old.returned_cents
  -- The status says what the other columns say.
  or (new.sends > 0) <> (new.first_sent_at is not null)
  or (new.status = 'pending' and new.sends > 0) or (new.status in ('processing', 'completed') and new.sends = 0)
  or (new.status in ('pending', 'processing') and new.completed_at is not null)
  or (new.status = 'completed' and new.completed_at is null)
  or (new.completed_at is null and new.returned_cents > 0)
  or (new.completed_at is not null
      and (new.status = 'failed') <> (new.returned_cents = new.amount_cents - new.fee_cents)))
execute function refuse_withdrawal();

-- A withdrawal has the postings that its status implies, and no others. Checked when the transaction that writes both
-- commits.
create function check_withdrawal_postings() returns trigger
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform from withdrawals one
  cross join lateral (
    select coalesce(sum(in_transit_cents) filter (where event = 'withdrawal requested'), 0) as requested,
           coalesce(sum(-in_transit_cents) filter (where event = 'withdrawal completed'), 0) as completed,
           coalesce(sum(-in_transit_cents) filter (where event = 'withdrawal refused'), 0) as refused
    from ledger_entries
    where ledger_entries.merchant_id = one.merchant_id and reference = one.id::text
  ) posted
  cross join lateral (
    select coalesce(sum(amount_cents), 0) as returned from withdrawal_returns
    where withdrawal_returns.merchant_id = one.merchant_id and withdrawal_id = one.id
  ) back
  where one.merchant_id = new.merchant_id and one.id = new.id
    and (posted.requested, posted.completed, posted.refused, back.returned) <> (
      one.amount_cents,
      case when one.completed_at is null then 0 else one.amount_cents end,
      case when one.status = 'failed' and one.completed_at is null then one.amount_cents else 0 end,
      one.returned_cents);
  if found then
    raise exception 'a withdrawal differs from its postings' using errcode = 'check_violation',
      constraint = 'withdrawals_posted';
  end if;
  return null;
end $$;

create constraint trigger new_withdrawals_posted after insert on withdrawals deferrable initially deferred
for each row execute function check_withdrawal_postings();
create constraint trigger withdrawals_posted after update of status, returned_cents on withdrawals
deferrable initially deferred
for each row when ((new.status, new.returned_cents) <> (old.status, old.returned_cents))
execute function check_withdrawal_postings();


-- Refunds ---------------------------------------------------------------------------------------------------------------

-- Every return of a received Pix: asked for by its merchant, by the operator (a Pix that nobody claimed), or made by the
-- bank itself (MED). Each is one fact, by our id or the bank's rtrId.
create table refunds (
  -- 0: a Pix that nobody claimed goes back.
  merchant_id bigint not null,
  id uuid not null,
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  -- The caller's own id for it, and the amount asked for under that id; null: all that was left.
  caller_id text collate "C",
  asked_cents bigint,
  -- Its id at the bank: ours, which is random, or the one that the bank gave to a return of its own.
  bank_refund_id text collate "C" not null,
  -- The id of the return in the whole country; known once the bank tells it.
  rtr_id text collate "C",
  origin text not null check (origin in ('panel', 'api', 'operator', 'bank')),
  status text not null check (status in ('processing', 'completed', 'failed')),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null default '',
  -- Why it failed or waits: a stable code, and a Portuguese sentence for the merchant.
  error_code text,
  error text,
  due_at timestamptz,
  sends integer not null default 0,
  -- Since it was last sent: how often it was looked up, and how many of those times the bank did not know it.
  lookups integer not null default 0,
  not_found integer not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
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
-- Failed ones do not count: what the bank refused and then gave back all the same is a second fact.
create unique index refunds_by_bank_refund_id on refunds (merchant_id, end_to_end_id, bank_refund_id)
where status <> 'failed';
create unique index refunds_by_rtr_id on refunds (merchant_id, rtr_id)
where rtr_id is not null and status <> 'failed';
create unique index refunds_by_caller_id on refunds (merchant_id, charge_id, caller_id) where caller_id is not null;
create index refunds_by_pix on refunds (merchant_id, end_to_end_id);
create index refunds_by_charge on refunds (merchant_id, charge_id, created_at) where charge_id is not null;
create index refunds_due on refunds (due_at) where due_at is not null;

-- A refund's identity does not change, and it ends once. A refund that the bank made by itself is inserted as ended.
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

-- A charge says of its refunds what they say. Checked when the transaction that changes both commits, from either side.
-- The triggers run as the owner, because the application may not call the function that they share.
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
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform check_refunds_of_charge(new.merchant_id, new.id);
  return null;
end $$;
create function check_refund_against_charge() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
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
