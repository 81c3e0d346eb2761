-- Money out: what a merchant set for withdrawals, and the withdrawals. An order stands here under our own id, its money
-- held, before it leaves for the bank; what becomes of it is the bank's word or an operator's evidence.

-- One row per merchant who ever set anything; made when first needed.
create table withdrawal_controls (
  merchant_id bigint primary key,
  -- argon2id under a key that is not in the database; null while no PIN is set.
  pin_hash text,
  pin_set_at timestamptz,
  -- Since the last right PIN, and how often they have locked withdrawals in a row.
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
  -- Our name for the order at the bank: begins with the merchant's number, like a txid, and is else random.
  id_envio text collate "C" not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
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
  -- What came back after completion.
  returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents - fee_cents),
  -- When it is looked at next; null when nothing is left to happen by itself.
  due_at timestamptz,
  -- How often it left for the bank, and was looked up there in doubt.
  sends integer not null default 0,
  lookups integer not null default 0,
  first_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, id_envio)
);
create unique index withdrawals_one_at_a_time on withdrawals (merchant_id) where status in ('pending', 'processing');
create index withdrawals_newest on withdrawals (merchant_id, created_at desc, id desc);
create index withdrawals_newest_by_status on withdrawals (merchant_id, status, created_at desc, id desc);
create index withdrawals_due on withdrawals (due_at) where due_at is not null;
create index withdrawals_sent on withdrawals (first_sent_at) where first_sent_at is not null;

alter table merchant_counters
  add column pending_withdrawals_count bigint not null default 0,
  add column pending_withdrawals_cents bigint not null default 0,
  add column completed_withdrawals_count bigint not null default 0,
  add column completed_withdrawals_cents bigint not null default 0,
  add column failed_withdrawals_count bigint not null default 0;
