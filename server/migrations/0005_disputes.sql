-- Disputes: payments that their payer contested at the bank (MED, the special return mechanism of Pix). The claimed amount is
-- blocked, first from the available balance, then from reserves. What could not be blocked is the shortfall: incoming money
-- covers it before the merchant receives anything (docs/the-books.md, "Claims").
--
-- The triggers in this file protect money; those that only keep figures for speed are in 0006_figures.sql.

create table disputes (
  merchant_id bigint not null,
  id uuid not null,
  -- The bank's idInfracao.
  bank_dispute_id text collate "C" not null,
  -- The number that the bank gives to people who ask about the dispute.
  protocol text not null default '',
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  status text not null check (status in ('open', 'lost', 'won', 'cancelled')),
  -- The latest status at the bank. `accepted`: the payer gets the money back. `rejected`: the merchant keeps it.
  bank_status text not null check (bank_status in ('open', 'defended', 'accepted', 'rejected', 'cancelled')),
  reason text not null default '',
  -- The amount that the payer contests, and how much of it can be claimed: not what was refunded or is being refunded. When
  -- a refund fails, its amount can be claimed after all, and the claim grows.
  disputed_cents bigint not null check (disputed_cents > 0),
  claimed_cents bigint not null check (claimed_cents between 0 and disputed_cents),
  -- How much of the claim is blocked now, and how much is still missing.
  blocked_cents bigint not null default 0 check (blocked_cents >= 0),
  shortfall_cents bigint not null default 0 check (shortfall_cents >= 0),
  -- The amount that the bank returned to the payer.
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  deadline_at timestamptz not null,
  -- The merchant's defence, when the merchant handed it in, and when the bank confirmed that it had arrived.
  defence text,
  defended_at timestamptz,
  defence_sent_at timestamptz,
  -- The latest reminder to the merchant: so many hours before the deadline.
  warned_hours integer,
  -- When there is something to do next, such as a reminder or sending the defence.
  due_at timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  resolved_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, bank_dispute_id)
);
create unique index disputes_one_open on disputes (merchant_id, end_to_end_id) where status = 'open';
create index disputes_newest on disputes (merchant_id, opened_at desc, id desc);
create index disputes_by_pix on disputes (merchant_id, end_to_end_id);
-- Arriving money covers the oldest shortfall first.
create index disputes_short on disputes (merchant_id, opened_at, id) where shortfall_cents > 0;
create index disputes_due on disputes (due_at) where due_at is not null;
-- The operator's list of all merchants.
create index disputes_open on disputes (deadline_at, id) where status = 'open';
create index disputes_ended on disputes (resolved_at desc, id desc) where status <> 'open';

-- The payment and the disputed amount of a dispute never change, claimed and returned amounts never fall, a defence is handed
-- in once, and an ended dispute keeps its status.
create function refuse_dispute_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a dispute does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_disputes before update on disputes
for each row when (
  (new.merchant_id, new.id, new.bank_dispute_id, new.charge_id, new.end_to_end_id, new.disputed_cents, new.opened_at)
  is distinct from
  (old.merchant_id, old.id, old.bank_dispute_id, old.charge_id, old.end_to_end_id, old.disputed_cents, old.opened_at)
  or new.claimed_cents < old.claimed_cents
  or (new.status <> old.status and old.status <> 'open')
  or new.returned_cents < old.returned_cents
  or (old.defence is not null and new.defence is distinct from old.defence))
execute function refuse_dispute_change();

-- Adds the change of a dispute's shortfall to the merchant's total in ledger_balances, which the constraint
-- ledger_claims_first checks. Whoever changes a shortfall has locked the merchant's balance already.
create function add_to_shortfall() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  update ledger_balances
  set shortfall_cents = shortfall_cents + new.shortfall_cents - coalesce(old.shortfall_cents, 0)
  where merchant_id = new.merchant_id;
  return null;
end $$;
create trigger add_new_shortfall after insert on disputes
for each row when (new.shortfall_cents > 0)
execute function add_to_shortfall();
create trigger add_changed_shortfall after update on disputes
for each row when (new.shortfall_cents <> old.shortfall_cents)
execute function add_to_shortfall();

-- How much each dispute took from each reserve. If the merchant wins or the payer withdraws the dispute, the money returns to
-- the same reserve and keeps its day of release. Without this record, opening and withdrawing a dispute would release a
-- reserve early.
create table reserve_claims (
  merchant_id bigint not null,
  dispute_id uuid not null,
  -- The reserve of this charge.
  charge_id uuid not null,
  taken_cents bigint not null check (taken_cents > 0),
  -- How much of it was returned to the reserve.
  given_back_cents bigint not null default 0,
  primary key (merchant_id, dispute_id, charge_id),
  constraint reserve_claims_given_within check (given_back_cents between 0 and taken_cents)
);
create index reserve_claims_of_reserve on reserve_claims (merchant_id, charge_id);

-- Evidence for the defence, as the merchant sent it.
create table dispute_files (
  merchant_id bigint not null,
  dispute_id uuid not null,
  id uuid not null,
  -- The order in which the merchant sent them.
  place integer not null,
  name text not null,
  type text not null,
  size integer not null,
  -- Encrypted (server/src/secrets.ts).
  sealed_content bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, dispute_id, id)
);

-- How far the bank's list of disputes has been read.
create table dispute_list_position (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null,
  -- When the list was last read, even if some of its disputes could not be stored.
  read_at timestamptz not null
);
