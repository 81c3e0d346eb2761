-- Money out: withdrawals to Pix keys that a merchant names, and refunds of received Pix to their payers.
--
-- Withdrawals and refunds are both orders to the bank, and follow the same course. Before an order is sent, it is
-- stored under our own id and its money is set aside. Only the bank, or evidence from an operator, decides its outcome.
-- `unknown_since` is the time since which an order has been sent without a known outcome; such an order is never
-- treated as failed. docs/life-of-a-withdrawal.md and docs/life-of-a-refund.md describe both from beginning to end.
--
-- All triggers in this file protect money: they refuse changes that must never happen.


-- Withdrawals -----------------------------------------------------------------------------------------------------------

-- A merchant's settings for withdrawals. The row is created when it is first needed. Requests for withdrawals and
-- attempts at the PIN first lock the row, so that those of one merchant run one after the other.
create table withdrawal_controls (
  merchant_id bigint primary key,
  -- Hashed by argon2id with a key that is not in the database; null while no PIN is set.
  pin_hash text,
  pin_set_at timestamptz,
  -- The wrong PINs since the last right PIN or the last lock, the locks since the last right PIN, and the end of the
  -- last lock.
  wrong_pins integer not null default 0,
  pin_locks integer not null default 0,
  pin_locked_until timestamptz,
  -- Until then withdrawals wait, because the PIN, e-mail or password changed.
  held_until timestamptz,
  held_because text,
  -- Withdrawals by API key are off until the merchant turns them on with password and PIN.
  api_enabled boolean not null default false,
  api_changed_at timestamptz
);

-- The Pix keys to which withdrawals by API key may go. Saving one takes password and PIN.
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
  -- Our id for the order at the bank. Begins with the merchant's number, like a txid; the rest is random.
  id_envio text collate "C" not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  -- Why an operator holds the withdrawal back; null unless one does.
  operator_hold_reason text,
  origin text not null check (origin in ('panel', 'api')),
  -- The fee is part of the amount: the payee receives the amount less the fee.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  key_type text not null check (key_type in ('cpf', 'cnpj', 'email', 'phone', 'random')),
  pix_key text not null,
  callback_url text,
  -- Null until the bank reports it.
  end_to_end_id text collate "C",
  -- Why the order failed or waits: a stable code, and a sentence in Portuguese for the merchant.
  error_code text,
  error text,
  -- The amount that came back after completion.
  returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents - fee_cents),
  due_at timestamptz,
  -- How often the order was sent. Since the last send: how often it was looked up, and how many of these times the bank
  -- did not find it.
  send_count integer not null default 0,
  lookup_count integer not null default 0,
  not_found_count integer not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, id_envio),
  constraint withdrawals_held_wait check (operator_hold_reason is null or status = 'pending')
);
create unique index withdrawals_one_at_a_time on withdrawals (merchant_id) where status in ('pending', 'processing');
create index withdrawals_due on withdrawals (due_at) where due_at is not null;
-- The merchant's list.
create index withdrawals_newest on withdrawals (merchant_id, created_at desc, id desc);
create index withdrawals_newest_by_status on withdrawals (merchant_id, status, created_at desc, id desc);
-- The operator's list, across all merchants.
create index withdrawals_open on withdrawals (created_at desc, id desc) where status in ('pending', 'processing');
create index withdrawals_ended on withdrawals (status, created_at desc, id desc)
where status in ('completed', 'failed');
-- For the amounts sent per day, of all merchants and of one: the caps limit them, and the total is compared with the
-- bank's list.
create index withdrawals_sent on withdrawals (first_sent_at) where first_sent_at is not null;
create index withdrawals_sent_by_merchant on withdrawals (merchant_id, first_sent_at) where first_sent_at is not null;
-- The keys to which a merchant's money has gone before. A withdrawal to any other key requires the second factor.
create index withdrawals_paid_keys on withdrawals (merchant_id, pix_key) where status = 'completed';

-- One row for each return by which the bank gave back a payout or a part of it. Never changed.
create table withdrawal_returns (
  merchant_id bigint not null,
  withdrawal_id uuid not null,
  rtr_id text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- The time of the return as reported by the bank.
  returned_at timestamptz not null,
  booked_at timestamptz not null,
  primary key (merchant_id, rtr_id),
  foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id)
);
create index withdrawal_returns_of on withdrawal_returns (merchant_id, withdrawal_id);
create trigger withdrawal_returns_stay before update or delete on withdrawal_returns
for each row execute function refuse_change();

-- How far the bank's list of sent Pix has been read.
create table payout_list_position (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null
);

create function refuse_withdrawal_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a withdrawal begins as pending'
                                  else 'a withdrawal does not change this way' end
  using errcode = 'check_violation';
end $$;

create trigger guard_new_withdrawals before insert on withdrawals
for each row when (
  (new.status, new.send_count, new.returned_cents) <> ('pending', 0, 0)
  or coalesce(new.first_sent_at, new.completed_at) is not null or new.end_to_end_id is not null)
execute function refuse_withdrawal_change();

create trigger guard_withdrawals before update on withdrawals
for each row when (
  -- The identity and the terms of a withdrawal never change.
  (new.merchant_id, new.id, new.id_envio, new.origin, new.amount_cents, new.fee_cents, new.key_type, new.pix_key,
   new.callback_url, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.id_envio, old.origin, old.amount_cents, old.fee_cents, old.key_type, old.pix_key,
   old.callback_url, old.created_at)
  -- The status only moves forward. A completed withdrawal fails only when the whole amount came back.
  or (new.status <> old.status
      and (old.status, new.status) not in (
        ('pending', 'processing'), ('pending', 'failed'),
        ('processing', 'completed'), ('processing', 'failed'), ('completed', 'failed')))
  -- Once recorded, the facts about sending and completion stay.
  or (old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id)
  or (old.first_sent_at is not null and new.first_sent_at is distinct from old.first_sent_at)
  or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
  or new.send_count < old.send_count or new.returned_cents < old.returned_cents
  -- The status must agree with the other columns.
  or (new.send_count > 0) <> (new.first_sent_at is not null)
  or (new.status = 'pending' and new.send_count > 0)
  or (new.status in ('processing', 'completed') and new.send_count = 0)
  or (new.status in ('pending', 'processing') and new.completed_at is not null)
  or (new.status = 'completed' and new.completed_at is null)
  or (new.completed_at is null and new.returned_cents > 0)
  or (new.completed_at is not null
      and (new.status = 'failed') <> (new.returned_cents = new.amount_cents - new.fee_cents)))
execute function refuse_withdrawal_change();

-- A withdrawal must have the ledger entries and returns that its status implies, and no others. Checked at commit,
-- because the transaction writes the withdrawal and its entries by separate statements.
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

-- Every return of a received Pix to its payer. The merchant requests it, or an administrator (for a Pix in suspense),
-- or the bank makes it on its own (MED). The unique indexes below keep each return from being stored twice, under our
-- id or under the bank's rtrId.
create table refunds (
  -- 0 for the return of a Pix in suspense, which belongs to no merchant.
  merchant_id bigint not null,
  id uuid not null,
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  -- The integrator's own id for the refund, and the amount requested under it; a null amount means all that was left.
  external_id text collate "C",
  requested_cents bigint,
  -- The id of the refund at the bank: a random one of ours, or the bank's id for a return that the bank made on its
  -- own.
  bank_refund_id text collate "C" not null,
  -- The id of the return, unique nationwide; null until the bank reports it.
  rtr_id text collate "C",
  origin text not null check (origin in ('panel', 'api', 'operator', 'bank')),
  status text not null check (status in ('processing', 'completed', 'failed')),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null default '',
  -- Why the order failed or waits: a stable code, and a sentence in Portuguese for the merchant.
  error_code text,
  error text,
  due_at timestamptz,
  send_count integer not null default 0,
  -- Since the last send: how often the refund was looked up, and how many of these times the bank did not find it.
  lookup_count integer not null default 0,
  not_found_count integer not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  -- When the bank returned the money, as reported by the bank.
  returned_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id),
  check ((charge_id is null) = (merchant_id = 0)),
  check ((status = 'completed') = (completed_at is not null))
);
-- Failed refunds do not count: if the bank first refuses a refund and then returns the money after all, the return is
-- stored as a second row.
create unique index refunds_by_bank_refund_id on refunds (merchant_id, end_to_end_id, bank_refund_id)
where status <> 'failed';
create unique index refunds_by_rtr_id on refunds (merchant_id, rtr_id)
where rtr_id is not null and status <> 'failed';
create unique index refunds_by_external_id on refunds (merchant_id, charge_id, external_id)
where external_id is not null;
create index refunds_by_pix on refunds (merchant_id, end_to_end_id);
create index refunds_by_charge on refunds (merchant_id, charge_id, created_at) where charge_id is not null;
create index refunds_due on refunds (due_at) where due_at is not null;

-- The identity of a refund never changes, and its outcome is final. A return that the bank made on its own is inserted
-- as completed.
create function refuse_refund_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a refund begins as processing'
                                  else 'a refund does not change this way' end
  using errcode = 'check_violation';
end $$;
create trigger guard_new_refunds before insert on refunds
for each row when (new.status <> case new.origin when 'bank' then 'completed' else 'processing' end)
execute function refuse_refund_change();
create trigger guard_refunds before update on refunds
for each row when (
  (new.merchant_id, new.id, new.charge_id, new.end_to_end_id, new.external_id, new.requested_cents, new.bank_refund_id,
   new.origin, new.amount_cents, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.charge_id, old.end_to_end_id, old.external_id, old.requested_cents, old.bank_refund_id,
   old.origin, old.amount_cents, old.created_at)
  or (new.status <> old.status and old.status <> 'processing')
  or (old.rtr_id is not null and new.rtr_id is distinct from old.rtr_id)
  or new.send_count < old.send_count)
execute function refuse_refund_change();

-- The refunded and refunding amounts of a charge must be the sums of its refunds. Checked at commit, because the
-- transaction changes the charge and the refund by separate statements; triggers on both tables make sure that neither
-- changes alone. The trigger functions run as the owner, because the application's role may not call the function that
-- they share.
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
