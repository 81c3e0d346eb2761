-- Our books held against the bank's: what it hinted at, what its account holds, where the two differ, and what the
-- operator has to look at.

-- Something of ours changed at the bank, it says: a payout (idEnvio), a return or a dispute of a Pix (endToEndId).
-- Nothing is believed; whoever works it asks the bank. One row, however often it is said.
create table bank_hints (
  kind text not null check (kind in ('payout', 'return', 'dispute')),
  reference text collate "C" not null,
  -- The last time, and how often: what is told while it is worked is worked again.
  told_at timestamptz not null,
  tellings integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (kind, reference)
);
create index bank_hints_due on bank_hints (kind, due_at);

-- What the operator has to look at and close with evidence.
create table open_items (
  id uuid primary key,
  kind text not null,
  -- What it speaks of; one is open at a time for it.
  reference text collate "C" not null,
  merchant_id bigint not null default 0,
  detail jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by bigint,
  evidence text
);
create unique index open_items_one on open_items (kind, reference) where closed_at is null;
create index open_items_newest on open_items (opened_at desc);

-- The last look at the bank's account. While it is in doubt, or was below twice, nothing is sent.
create table bank_balance (
  only_row boolean primary key default true check (only_row),
  read_at timestamptz not null,
  -- Null: the bank did not say.
  balance_cents bigint,
  needed_cents bigint not null,
  below_since timestamptz
);

-- Days whose lists were compared with ours.
create table reconciled_days (
  day date primary key,
  compared_at timestamptz not null,
  received_cents bigint not null,
  returned_cents bigint not null,
  sent_cents bigint not null,
  differences integer not null
);

-- What moved in the bank's account beside Pix: tariffs, the operator's fees taken out, money put in.
create table bank_movements (
  id uuid primary key,
  kind text not null check (kind in ('tariff', 'fees-taken', 'top-up')),
  amount_cents bigint not null check (amount_cents > 0),
  description text not null default '',
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by bigint not null
);
