-- Customers: the people and companies whom a merchant charges, the page on which each of them sees what is open, and the
-- mails that remind them.

create table customers (
  merchant_id bigint not null references users (id),
  id uuid not null,
  name text not null check (length(name) between 2 and 200),
  -- A CPF or CNPJ with letters and digits only.
  document text not null check (document ~ '^(\d{11}|[0-9A-Z]{12}\d{2})$'),
  email text,
  phone text,
  street text,
  city text,
  state text check (state ~ '^[A-Z]{2}$'),
  zip_code text check (zip_code ~ '^\d{8}$'),
  note text,
  -- The id of the customer in the merchant's own system.
  external_id text,
  -- Name, document and mail without accents and in small letters, for the search.
  search_text text not null,
  -- The ends of the addresses of two public pages: of everything that is open, and of stopping the reminders. Both begin
  -- with the merchant's number, so that a search asks one server.
  page_token text not null,
  stop_token text not null,
  reminders_stopped_at timestamptz,
  -- The person who entered the customer in the dashboard; null if a key did.
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version integer not null default 1,
  primary key (merchant_id, id),
  unique (merchant_id, page_token),
  unique (merchant_id, stop_token),
  constraint customers_whole_address check (num_nulls(street, city, state, zip_code) in (0, 4))
);
-- A customer who was archived can be entered again.
create unique index customers_document on customers (merchant_id, document) where archived_at is null;
create unique index customers_external_id on customers (merchant_id, external_id)
where external_id is not null and archived_at is null;
-- Nobody who stopped the reminders gets them as another customer with the same address.
create index customers_stopped on customers (merchant_id, lower(email)) where reminders_stopped_at is not null;
create index customers_newest on customers (merchant_id, created_at desc, id desc);

create function refuse_customer_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a customer does not change this way' using errcode = 'check_violation';
end $$;
create trigger customers_keep_their_origin before update on customers
for each row when (
  (new.merchant_id, new.id, new.created_by, new.created_at) is distinct from
  (old.merchant_id, old.id, old.created_by, old.created_at))
execute function refuse_customer_change();

do $$ begin
  -- The customer whom the charge is for, if it is for one of the register.
  alter table charge_options add column customer_id uuid;
  create index charge_options_of_customers on charge_options (merchant_id, customer_id, charge_id)
  where customer_id is not null;
end $$;

-- When and with which words an account reminds its customers; off until the merchant says so.
create table reminder_settings (
  merchant_id bigint primary key references users (id),
  active boolean not null,
  -- Days from the due date: below zero before it.
  days bigint[] not null check (cardinality(days) between 1 and 5),
  subject text not null,
  body text not null,
  version integer not null default 1,
  updated_at timestamptz not null
);

-- One row for each charge and day on which the customer was reminded, so that nobody is reminded twice.
create table charge_reminders (
  merchant_id bigint not null,
  charge_id uuid not null,
  -- The day of the reminder in America/Sao_Paulo.
  day date not null,
  customer_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, charge_id, day)
);
create index charge_reminders_newest on charge_reminders (merchant_id, created_at);

-- A reminder that waits for the mail server is not sent once its charge has ended, nor at night.
alter table mails add column charge_id uuid;
alter table mails add column useless_after timestamptz;
