-- What a payer is told of a charge, and what makes charges without a call of the API: links that sell to many, and
-- printed codes that are paid again and again.

-- Only charges that were given something have a row here: most have none, and stay as cheap to make as they were.
create table charge_options (
  merchant_id bigint not null,
  charge_id uuid not null,
  description text,
  -- Where the payment page leads once it is paid.
  success_url text,
  link_id uuid,
  counter_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id)
);
create index charge_options_of_links on charge_options (merchant_id, link_id, created_at desc, charge_id desc)
where link_id is not null;
create index charge_options_of_counters on charge_options (merchant_id, counter_id, created_at desc, charge_id desc)
where counter_id is not null;

create table payment_links (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Its address, which leads to the merchant.
  slug text collate "C" not null unique,
  title text not null,
  description text,
  -- Null: who pays types it.
  amount_cents bigint check (amount_cents > 0),
  max_payments integer check (max_payments > 0),
  ends_at timestamptz,
  success_url text,
  active boolean not null,
  version integer not null default 1,
  -- Of the payments that were made by it, counted where they are settled; refunds lower neither.
  payments bigint not null default 0,
  received_cents bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create index payment_links_newest on payment_links (merchant_id, created_at desc, id desc);

create table counter_codes (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Stands in the printed code; begins with the merchant's number, so a Pix leads to its code without a search.
  txid text collate "C" not null,
  name text not null,
  -- Stands in the printed code; null: who pays types it.
  amount_cents bigint check (amount_cents > 0),
  active boolean not null,
  version integer not null default 1,
  payments bigint not null default 0,
  received_cents bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, txid)
);
create index counter_codes_newest on counter_codes (merchant_id, created_at desc, id desc);
