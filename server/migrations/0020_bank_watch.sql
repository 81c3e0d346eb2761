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
  -- When it was last found to be so.
  seen_at timestamptz not null,
  closed_at timestamptz,
  closed_by bigint,
  evidence text
);
create unique index open_items_one on open_items (kind, reference) where closed_at is null;
create index open_items_of on open_items (kind, reference);
create index open_items_newest on open_items (opened_at desc, id desc);

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
  -- Null until it was compared to its end for the first time.
  compared_at timestamptz,
  -- Of the Pix received on that day, what went back of them, and what was sent on it.
  received_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  sent_cents bigint not null default 0,
  differences integer not null default 0,
  -- A comparison under way: who has it until when, and what it found so far.
  taken_until timestamptz,
  under_way jsonb
);

-- The last time that the account's balance was held against the books.
create table balance_comparison (
  only_row boolean primary key default true check (only_row),
  compared_at timestamptz not null,
  -- What the bank has more than the books say; null while money moved too fast to tell.
  difference_cents bigint
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
create index bank_movements_newest on bank_movements (happened_at desc, id desc);

-- What was received on a day is counted from a few pages of summary: Pix are stored nearly in the order of their time.
create index received_pix_by_time on received_pix using brin (paid_at) with (pages_per_range = 32, autosummarize = on);
