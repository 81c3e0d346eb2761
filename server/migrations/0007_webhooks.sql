-- Events and webhooks: what a merchant's systems hear of their money.
--
-- Every change of a merchant's money is an event, written in the same transaction and kept whether or not anybody listens.
-- Systems read events in order from the feed (GET /api/events), and have them delivered: to the callback address that a
-- charge or withdrawal carries, and to endpoints that the merchant configured. Events and deliveries are written with each
-- payment, so their rows have no foreign keys, and their indexes hold no more than leads to the row.


-- Events ----------------------------------------------------------------------------------------------------------------

-- The order of the feed is (epoch, tx, seq). A transaction that began earlier may commit later; so a reader is shown only
-- rows of the current epoch whose `tx` is below every transaction that is still running, since nothing can come before
-- those any more. Transaction ids start again in a database that was copied into another server: then a new epoch begins
-- (gateway.feed_epoch).
create table events (
  merchant_id bigint not null,
  -- The charge, withdrawal or dispute that it is about.
  subject_id uuid not null,
  -- The webhook-id of the Standard Webhooks specification. Begins with the subject, so events of one subject lie together.
  id text collate "C" not null,
  type text not null,
  -- JSON, as it is sent, byte for byte.
  body text not null,
  created_at timestamptz not null,
  epoch integer not null,
  tx xid8 not null default pg_current_xact_id(),
  -- Only orders what one transaction wrote. A transaction has one connection, so connections may take numbers a hundred at a
  -- time.
  seq bigint generated always as identity (cache 100),
  primary key (merchant_id, id)
);
create index events_feed on events (merchant_id, epoch, tx, seq);
create index events_age on events using brin (created_at);


-- Who receives them -----------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  merchant_id bigint not null references users (id),
  id uuid not null,
  url text not null,
  -- Scheme, host and port of the url.
  origin text not null,
  description text not null default '',
  -- The types of event that it receives; empty: all.
  events text[] not null default '{}',
  state text not null default 'on' check (state in ('on', 'off')),
  off_reason text check (off_reason in ('merchant', 'gone', 'failing')),
  off_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((state = 'off') = (off_reason is not null)),
  check ((state = 'off') = (off_at is not null))
);
-- The ids of deliveries end with this part of an endpoint's id.
create unique index webhook_endpoints_mark on webhook_endpoints (merchant_id, left(id::text, 8));

-- Secrets that sign deliveries to endpoints.
create table webhook_endpoint_secrets (
  merchant_id bigint not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the current one; after a rotation the previous one signs too, until then.
  expires_at timestamptz,
  primary key (merchant_id, endpoint_id, id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id) on delete cascade
);
create unique index webhook_endpoint_secrets_in_force on webhook_endpoint_secrets (merchant_id, endpoint_id)
where expires_at is null;

-- Secrets that sign deliveries to callback addresses.
create table webhook_secrets (
  merchant_id bigint not null references users (id),
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the current one; after a rotation the previous one signs too, until then.
  expires_at timestamptz,
  primary key (merchant_id, id)
);
create unique index webhook_secrets_in_force on webhook_secrets (merchant_id) where expires_at is null;


-- Deliveries ------------------------------------------------------------------------------------------------------------

create table webhook_deliveries (
  merchant_id bigint not null,
  -- The event's id; for an endpoint followed by a dot and what tells the endpoint from others. The same on every attempt.
  id text collate "C" not null,
  type text not null,
  subject_id uuid not null,
  url text not null,
  -- Scheme, host and port of the url: by this a slow receiver is recognised.
  endpoint text not null,
  -- Null when it goes to a callback address.
  endpoint_id uuid,
  -- Null when it is the body of the event.
  body text,
  -- 'held' while its endpoint is off.
  state text not null default 'waiting'
    check (state in ('waiting', 'held', 'delivered', 'exhausted', 'gone')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id)
);
-- Leads from each receiver with something waiting to the next, however much waits at one of them.
create index webhook_deliveries_waiting on webhook_deliveries (merchant_id, endpoint, due_at) where state = 'waiting';
create index webhook_deliveries_held on webhook_deliveries (merchant_id, endpoint_id) where state = 'held';
-- The merchant's log, newest first. Those of one moment, which are few, are sorted by id when they are read: rows that one
-- transaction wrote then share an index entry.
create index webhook_deliveries_log on webhook_deliveries (merchant_id, created_at);
-- The log of failures: few rows among 90 days of deliveries. What is delivered never enters this index, so payments do not
-- pay for it.
create index webhook_deliveries_failed on webhook_deliveries (merchant_id, created_at, id)
where state in ('exhausted', 'gone');
-- For retention.
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);

-- Inserted by the statement that finds the delivery, and deleted before it.
create table webhook_attempts (
  merchant_id bigint not null,
  delivery_id text collate "C" not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  -- The receiver's HTTP status; null when there was none, for the reason in `error`.
  status integer,
  error text,
  answer text,
  -- The headers that were sent.
  headers json,
  primary key (merchant_id, delivery_id, number)
);

-- Attempts under way. When their process dies, they are due again once the lease has expired.
create table webhook_leases (
  merchant_id bigint not null,
  delivery_id text collate "C" not null,
  endpoint text not null,
  until timestamptz not null,
  primary key (merchant_id, delivery_id)
);
create index webhook_leases_lost on webhook_leases (until);


-- Which deliveries are sent next ----------------------------------------------------------------------------------------

-- These tables only make claims cheap. A claim chooses what a process sends next, one claim at a time; its cost follows what
-- can be sent now and what has changed, not what waits for later, for a receiver that rests, or for a free place
-- (webhooks/claim-deliveries.ts). Where everything can be sent at once only leases are written.

-- A lane is what waits for one receiver of one merchant. It has a row only while something may wait in it that is not under
-- way. Only claims write here.
create table webhook_lanes (
  merchant_id bigint not null,
  endpoint text not null,
  -- When to look at it next; never later than its first delivery could be sent.
  due_at timestamptz not null,
  -- Nothing in it is due before then, so the index need not be read from its beginning, where entries of what has been sent
  -- remain until a vacuum.
  since timestamptz not null,
  primary key (merchant_id, endpoint)
);
create index webhook_lanes_due on webhook_lanes (merchant_id, due_at);

-- When to look at the lanes of a merchant next: when the first is due, or later while all the merchant's places are taken.
-- Only claims write here.
create table webhook_turns (
  merchant_id bigint primary key,
  due_at timestamptz not null
) with (fillfactor = 50);
create index webhook_turns_due on webhook_turns (due_at);

-- Notes for the next claim, which reads and deletes them: something came in, or an attempt ended. One row for all lanes that
-- a statement changed, in two arrays that are read side by side. Rows are only added, so that a payment never waits for
-- another one with the same receiver.
create table webhook_lane_changes (
  id bigint generated always as identity primary key,
  merchant_ids bigint[] not null,
  endpoints text[] not null,
  -- When the first of what came in is due; null where attempts ended and left nothing to be sent again.
  since timestamptz,
  check (cardinality(merchant_ids) = cardinality(endpoints))
);
-- Kept in the row as long as it fits a page.
alter table webhook_lane_changes alter column merchant_ids set storage main, alter column endpoints set storage main;

-- An endpoint that is turned off, removed or given another address changes at once; the deliveries that wait for it follow in
-- batches, so that their number does not matter. A row: there may be more to follow.
create table webhook_moves (
  merchant_id bigint not null,
  endpoint_id uuid not null,
  -- The change to apply: endpoint turned off, removed, or given another address.
  follows text not null check (follows in ('state', 'address')),
  primary key (merchant_id, endpoint_id, follows)
);


-- How receivers fare ----------------------------------------------------------------------------------------------------

-- Receivers that keep timing out rest for a while, so that they hold nobody else up.
create table webhook_breakers (
  merchant_id bigint not null references users (id),
  endpoint text not null,
  timeouts integer not null default 0,
  open_until timestamptz,
  primary key (merchant_id, endpoint)
);

-- For warnings and the webhook doctor. An endpoint is named by its id and has a row since its first attempt; callback
-- addresses are named by scheme, host and port, and have one while they accept nothing.
create table webhook_health (
  merchant_id bigint not null,
  receiver text not null,
  last_delivered_at timestamptz,
  -- Since when every attempt has failed, how many did, and when the last one did.
  failing_since timestamptz,
  failures integer not null default 0,
  last_failed_at timestamptz,
  -- When the merchant was last warned.
  warned_at timestamptz,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);
create index webhook_health_failing on webhook_health (failing_since) where failing_since is not null;


-- Telling ---------------------------------------------------------------------------------------------------------------

-- Stores events for the feed, and a delivery of each to its callback address and to every endpoint that wants its type. The
-- bodies are lines. A function, so that the call that settles payments can tell them too; it runs with the rights of its
-- caller.
create function write_events(
  told_at timestamptz, merchants bigint[], ids text[], types text[], subjects uuid[], urls text[], origins text[], bodies text
) returns boolean language plpgsql as $$
begin
  with told as materialized (
    select * from rows from (
      unnest(merchants, ids, types, subjects, urls, origins), string_to_table(bodies, E'\n')
    ) told (merchant_id, id, type, subject_id, url, origin, body)
  ),
  event as (
    insert into events (merchant_id, subject_id, id, type, body, created_at, epoch)
    select merchant_id, subject_id, id, type, body, told_at, coalesce((select feed_epoch from gateway), 1)
    from told
  ),
  delivery as (
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, endpoint, endpoint_id, state, due_at, created_at)
    select merchant_id, id, type, subject_id, url, origin, null, 'waiting', told_at, told_at
    from told where url is not null
    union all
    select told.merchant_id, told.id || '.' || left(receiver.id::text, 8), told.type, told.subject_id, receiver.url,
           receiver.origin, receiver.id, case receiver.state when 'on' then 'waiting' else 'held' end, told_at, told_at
    from told join webhook_endpoints receiver on receiver.merchant_id = told.merchant_id
    where receiver.events = '{}' or told.type = any (receiver.events)
    returning merchant_id, endpoint, state
  )
  insert into webhook_lane_changes (merchant_ids, endpoints, since)
  select array_agg(merchant_id), array_agg(endpoint), told_at
  from (select distinct merchant_id, endpoint from delivery where state = 'waiting') changed
  having count(*) > 0;
  return true;
end $$;
