-- Notifications on devices (Web Push, RFC 8030), which of them somebody wants, and which were read.

create table push_subscriptions (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Of the address at the push service: one device has one row, whoever's it is.
  endpoint_hash bytea not null,
  -- The subscription as the browser gave it, sealed: who has it can write to the device.
  sealed_subscription bytea not null,
  -- The session that registered it takes it along when it is ended. Null: time ended that session, and the device goes
  -- on hearing, as its owner expects of it.
  session_hash bytea references sessions (token_hash) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- Since when its push service has taken nothing, how often it was tried since, and when it is tried next.
  failing_since timestamptz,
  failures integer not null default 0,
  rests_until timestamptz,
  primary key (merchant_id, id)
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);
create index push_subscriptions_session on push_subscriptions (session_hash);
create index push_subscriptions_age on push_subscriptions (refreshed_at);

-- Notifications on their way to devices. Without a foreign key: a device that is signed out must not break off the
-- settlement that tells it of money. What no device waits for is dropped when it is due.
create table push_deliveries (
  merchant_id bigint not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  -- Of the notification: many of one kind at once become one message.
  kind text not null,
  -- Whoever sends it moves this on first: when that process dies it is due again.
  due_at timestamptz not null,
  primary key (merchant_id, subscription_id, notification_id)
);
create index push_deliveries_due on push_deliveries (due_at);

-- Kinds that somebody does not want on their devices; all others they do.
create table push_refusals (
  merchant_id bigint not null references users (id),
  kind text not null,
  primary key (merchant_id, kind)
);

-- All notifications up to this one were read: reading everything writes one row, however much it is.
create table notification_marks (
  merchant_id bigint primary key references users (id),
  read_until uuid not null
);

-- Sessions that are ended with a password or by a freeze take their devices along; so must go those that time left
-- without one.
create function end_push() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions
  where merchant_id = new.id and (session_hash is null or new.frozen_at is not null);
  return null;
end $$;
create trigger users_end_push after update of password_hash, frozen_at on users
for each row when (
  new.password_hash is distinct from old.password_hash or (new.frozen_at is not null and old.frozen_at is null)
) execute function end_push();
