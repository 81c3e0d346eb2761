-- What a change of money causes for others, written in its own transaction: webhooks to the merchant's system,
-- notifications for the merchant, and messages for open screens.

create table webhook_secrets (
  merchant_id bigint not null references users (id),
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the one in force; a rotated one signs along until then.
  expires_at timestamptz,
  primary key (merchant_id, id)
);
create unique index webhook_secrets_in_force on webhook_secrets (merchant_id) where expires_at is null;

create table webhook_deliveries (
  merchant_id bigint not null references users (id),
  -- The webhook-id of the standard: the same on every attempt.
  id text not null,
  type text not null,
  subject_id uuid not null,
  url text not null,
  -- Scheme, host and port: what one slow receiver is known by.
  endpoint text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'exhausted', 'gone')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
-- Leads from each endpoint with something waiting to the next, however much waits at one of them.
create index webhook_deliveries_waiting on webhook_deliveries (merchant_id, endpoint, due_at) where state = 'waiting';
create index webhook_deliveries_subject on webhook_deliveries (merchant_id, subject_id);

-- Attempts under way. What a process that died was sending is due again when its lease ends.
create table webhook_leases (
  merchant_id bigint not null,
  delivery_id text not null,
  endpoint text not null,
  until timestamptz not null,
  primary key (merchant_id, delivery_id)
);

create table webhook_attempts (
  merchant_id bigint not null,
  delivery_id text not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  -- The receiver's HTTP status, or null with the reason why there is none.
  status integer,
  error text,
  answer text,
  primary key (merchant_id, delivery_id, number),
  foreign key (merchant_id, delivery_id) references webhook_deliveries (merchant_id, id)
);

-- Receivers that keep timing out rest for a while, so that they hold nobody up.
create table webhook_breakers (
  merchant_id bigint not null references users (id),
  endpoint text not null,
  timeouts integer not null default 0,
  open_until timestamptz,
  primary key (merchant_id, endpoint)
);

create table notifications (
  merchant_id bigint not null references users (id),
  id uuid not null,
  title text not null,
  body text not null,
  data jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (merchant_id, id)
);
create index notifications_newest on notifications (merchant_id, created_at desc, id desc);

-- Messages to open screens, until they are announced.
create table outbox (
  merchant_id bigint not null references users (id),
  id bigint generated always as identity,
  message jsonb not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index outbox_oldest on outbox (id);
