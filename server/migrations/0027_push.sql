-- Notifications on devices (Web Push, RFC 8030), and which of them somebody wants.

create table push_subscriptions (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Of the address at the push service: one device has one row.
  endpoint_hash bytea not null,
  -- The subscription as the browser gave it, sealed: who has it can write to the device.
  sealed_subscription bytea not null,
  -- The session that registered it: signing out of it removes it.
  session_hash bytea,
  user_agent text not null default '',
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  failures integer not null default 0,
  primary key (merchant_id, id)
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);

create table push_deliveries (
  merchant_id bigint not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  payload text not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, subscription_id, notification_id),
  foreign key (merchant_id, subscription_id) references push_subscriptions (merchant_id, id) on delete cascade
);
create index push_deliveries_due on push_deliveries (due_at);

-- Kinds that somebody does not want on their devices; all others they do.
create table push_refusals (
  merchant_id bigint not null references users (id),
  kind text not null,
  primary key (merchant_id, kind)
);
