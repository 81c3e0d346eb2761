-- Disputes (MED): what a payer contested at the bank. What it claims is blocked; what was not there to block is a
-- shortfall that stands before everything else the merchant would receive.

alter table reserves
  -- Taken for disputes before it fell due: what falls due is the rest.
  add column claimed_cents bigint not null default 0,
  add constraint reserves_claimed_within check (claimed_cents between 0 and amount_cents);

create table disputes (
  merchant_id bigint not null,
  id uuid not null,
  -- idInfracao and protocol, as the bank names it.
  bank_dispute_id text collate "C" not null,
  protocol text not null default '',
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  status text not null check (status in ('open', 'lost', 'won', 'cancelled')),
  -- The bank's last word.
  bank_status text not null check (bank_status in ('open', 'defended', 'accepted', 'rejected', 'cancelled')),
  reason text not null default '',
  -- What the payer claims, and of it what was still there to claim when it was opened.
  disputed_cents bigint not null check (disputed_cents > 0),
  claimed_cents bigint not null check (claimed_cents between 0 and disputed_cents),
  -- Blocked now, and still missing.
  blocked_cents bigint not null default 0 check (blocked_cents >= 0),
  shortfall_cents bigint not null default 0 check (shortfall_cents >= 0),
  -- What the bank gave back to the payer for it.
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  deadline_at timestamptz not null,
  -- The merchant's defence, and when the bank took it.
  defence text,
  defended_at timestamptz,
  defence_sent_at timestamptz,
  -- The shortest warning given before the deadline, in hours.
  warned_hours integer,
  due_at timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  resolved_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, bank_dispute_id)
);
create index disputes_newest on disputes (merchant_id, opened_at desc, id desc);
create index disputes_by_pix on disputes (merchant_id, end_to_end_id);
create unique index disputes_one_open on disputes (merchant_id, end_to_end_id) where status = 'open';
create index disputes_short on disputes (merchant_id, opened_at, id) where shortfall_cents > 0;
create index disputes_due on disputes (due_at) where due_at is not null;

-- Encrypted, as the merchant sent them.
create table dispute_files (
  merchant_id bigint not null,
  dispute_id uuid not null,
  id uuid not null,
  place integer not null,
  name text not null,
  type text not null,
  size integer not null,
  sealed_content bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, dispute_id, id)
);

-- Up to where the bank's own list of disputes was read.
create table dispute_reads (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null,
  -- When that was last tried, also where not all of it could be booked.
  read_at timestamptz not null
);

alter table ledger_balances
  -- The sum of the merchant's shortfalls, kept by a trigger of disputes.
  add column shortfall_cents bigint not null default 0 check (shortfall_cents >= 0),
  add constraint ledger_debt_is_no_credit check (receivable_cents <= 0),
  -- Nothing is free to leave while a claim is open: whatever comes meets the claims in the statement that brings it.
  -- Below zero is the floor's business.
  add constraint ledger_claims_first check (
    available_cents <= 0 or (shortfall_cents = 0 and receivable_cents = 0));

-- A merchant's row of balances is the lock of everything that claims them: who takes from reserves, or changes what a
-- dispute blocks, takes it first. The application may not write balances, and so could not lock them by itself.
create function lock_balances(merchant_ids bigint[])
returns table (merchant_id bigint, available_cents bigint, receivable_cents bigint, shortfall_cents bigint)
language sql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select merchant_id, available_cents, receivable_cents, shortfall_cents
  from ledger_balances
  where merchant_id = any(merchant_ids)
  order by merchant_id
  for no key update
$$;

-- Whoever changes a shortfall has locked the balances.
create function count_shortfall() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  update ledger_balances
  set shortfall_cents = shortfall_cents + new.shortfall_cents - coalesce(old.shortfall_cents, 0)
  where merchant_id = new.merchant_id;
  return null;
end $$;
create trigger count_new_shortfall after insert on disputes
for each row when (new.shortfall_cents > 0)
execute function count_shortfall();
create trigger count_shortfall after update on disputes
for each row when (new.shortfall_cents <> old.shortfall_cents)
execute function count_shortfall();

-- What a dispute is about stays, and it ends once.
create function refuse_dispute() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a dispute does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_disputes before update on disputes
for each row when (
  (new.merchant_id, new.id, new.bank_dispute_id, new.charge_id, new.end_to_end_id, new.disputed_cents, new.claimed_cents,
   new.opened_at)
  is distinct from
  (old.merchant_id, old.id, old.bank_dispute_id, old.charge_id, old.end_to_end_id, old.disputed_cents, old.claimed_cents,
   old.opened_at)
  or (new.status <> old.status and old.status <> 'open')
  or new.returned_cents < old.returned_cents
  or (old.defence is not null and new.defence is distinct from old.defence))
execute function refuse_dispute();

-- The oldest reserves of a merchant are the first that a dispute takes from.
create index reserves_of_merchant on reserves (merchant_id, due_at, charge_id) where released_at is null;
