-- Everything that happens to a merchant's money is an event, kept whether or not somebody listens: a webhook that was
-- lost is read later from the feed. Merchants name endpoints that are told of events, beside the callback address that a
-- charge or a withdrawal carries.

-- Order of the feed. A transaction that began earlier may commit later, so a reader is shown only what no transaction
-- that is still under way could come before: rows of the present epoch whose `tx` is below everything that runs.
-- Transaction ids begin anew in a database that was copied into another server; the epoch goes on.
alter table gateway
  add column feed_epoch integer not null default 1,
  -- The server (PostgreSQL's system identifier) that the epoch's transaction ids are of.
  add column feed_server text;

create table events (
  merchant_id bigint not null,
  -- The charge, withdrawal or dispute that it is about.
  subject_id uuid not null,
  -- The webhook-id of the standard. It begins with the subject, so that it leads to this row.
  id text collate "C" not null,
  type text not null,
  -- As it is sent, byte by byte.
  body text not null,
  created_at timestamptz not null,
  epoch integer not null,
  tx xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  primary key (merchant_id, subject_id, id)
);
create index events_feed on events (merchant_id, epoch, tx, seq);
create index events_age on events using brin (created_at);

create table webhook_endpoints (
  merchant_id bigint not null references users (id),
  id uuid not null,
  url text not null,
  -- Scheme, host and port of the url.
  origin text not null,
  description text not null default '',
  -- The types that it is told; empty: all.
  events text[] not null default '{}',
  state text not null default 'on' check (state in ('on', 'off')),
  off_reason text check (off_reason in ('merchant', 'gone', 'failing')),
  off_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((state = 'off') = (off_reason is not null)),
  check ((state = 'off') = (off_at is not null))
);
-- Deliveries carry this part of it in their ids.
create unique index webhook_endpoints_mark on webhook_endpoints (merchant_id, left(id::text, 8));

create table webhook_endpoint_secrets (
  merchant_id bigint not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the one in force; a rotated one signs along until then.
  expires_at timestamptz,
  primary key (merchant_id, endpoint_id, id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id) on delete cascade
);
create unique index webhook_endpoint_secrets_in_force on webhook_endpoint_secrets (merchant_id, endpoint_id)
where expires_at is null;

-- How receivers fare: an endpoint by its id, since its first attempt; callback addresses by their scheme, host and port,
-- while they take nothing.
create table webhook_health (
  merchant_id bigint not null,
  receiver text not null,
  last_delivered_at timestamptz,
  -- Since when every attempt failed, how many did, and the last of them.
  failing_since timestamptz,
  failures integer not null default 0,
  last_failed_at timestamptz,
  -- When the merchant was told last.
  warned_at timestamptz,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);
create index webhook_health_failing on webhook_health (failing_since) where failing_since is not null;

-- A delivery's id is its event's, and after a point what tells it from others of that event. They are compared by their
-- bytes, so that those of one charge lie together.
alter table webhook_deliveries
  alter column id type text collate "C",
  -- Null where it is its event's.
  alter column body drop not null,
  -- Null where it goes to the callback address.
  add column endpoint_id uuid,
  drop constraint webhook_deliveries_state_check,
  add constraint webhook_deliveries_state_check
    check (state in ('waiting', 'held', 'delivered', 'exhausted', 'gone'));
alter table webhook_leases alter column delivery_id type text collate "C";
alter table webhook_attempts
  alter column delivery_id type text collate "C",
  -- The headers that were sent.
  add column headers json;
-- The log of a merchant, newest first.
create index webhook_deliveries_log on webhook_deliveries (merchant_id, created_at, id);
-- What waits for an endpoint to be turned on.
create index webhook_deliveries_held on webhook_deliveries (merchant_id, endpoint_id) where state = 'held';
