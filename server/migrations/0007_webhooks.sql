-- Events and webhooks, which report changes to a merchant's money to the merchant's systems.
--
-- Every change to a merchant's money is stored as an event, in the same transaction, whether or not anybody listens.
-- The events of a merchant form a log. Some of the merchant's systems read it with GET /api/events and keep their own
-- position. The gateway reads it too, and delivers its events to the endpoints that the merchant configured, and to the
-- callback addresses that were given with charges and withdrawals. A delivery gets a row
-- only when it has been tried or has to wait. Until then every event after a receiver's cursor (webhook_cursors) is
-- still to be delivered. Every payment writes events and deliveries, so these tables have no
-- foreign keys, and their indexes have only the columns that are needed to find a row.


-- Events ----------------------------------------------------------------------------------------------------------------

-- The order of the log is (epoch, tx, seq). A transaction that began earlier may commit later, and a reader that
-- had already passed its place would miss its events. Therefore readers get, in the current epoch, only events whose
-- `tx` is lower than that of every running transaction. Transaction ids start again when a database is copied to another server, and a new epoch then begins
-- (gateway.feed_epoch).
create table events (
  merchant_id bigint not null,
  -- The charge, withdrawal or dispute that the event is about.
  subject_id uuid not null,
  -- The `webhook-id` of the Standard Webhooks specification. It begins with the subject's id, so that events of one subject
  -- lie together in the index.
  id text collate "C" not null,
  type text not null,
  -- The JSON exactly as it is sent: text, because jsonb would reformat it and the signature covers every byte.
  body text not null,
  -- The callback address that was given with the subject; null if there is none.
  callback_url text,
  created_at timestamptz not null,
  epoch integer not null,
  tx xid8 not null default pg_current_xact_id(),
  -- The order of events within one transaction. A transaction uses one connection, so the order stays right even though
  -- each connection takes a hundred numbers at a time, which is faster.
  seq bigint generated always as identity (cache 100),
  primary key (merchant_id, id)
);
create index events_feed on events (merchant_id, epoch, tx, seq);
create index events_with_callback on events (merchant_id, epoch, tx, seq) where callback_url is not null;
create index events_age on events using brin (created_at);


-- Receivers -------------------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  merchant_id bigint not null references users (id),
  id uuid not null,
  url text not null,
  description text not null default '',
  -- The types of event that the endpoint receives; empty means all.
  events text[] not null default '{}',
  state text not null default 'on' check (state in ('on', 'off')),
  off_reason text check (off_reason in ('merchant', 'gone', 'failing')),
  off_at timestamptz,
  -- When the endpoint was created or last switched on again.
  on_since timestamptz not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((state = 'off') = (off_reason is not null)),
  check ((state = 'off') = (off_at is not null))
);
-- The id of a delivery to an endpoint ends with these characters of the endpoint's id, so no two endpoints may share them.
create unique index webhook_endpoints_mark on webhook_endpoints (merchant_id, left(id::text, 8));

-- The secrets that sign deliveries.
create table webhook_secrets (
  merchant_id bigint not null references users (id),
  -- The id of an endpoint, or 'callbacks' for all callback addresses of the merchant together.
  receiver text not null,
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the current secret. After a rotation, deliveries are signed with the previous secret too until this time.
  expires_at timestamptz,
  primary key (merchant_id, receiver, id)
);
create unique index webhook_secrets_in_force on webhook_secrets (merchant_id, receiver) where expires_at is null;

-- How far the gateway has read the log for each receiver. Every event up to this position that the receiver wants is in
-- webhook_deliveries.
create table webhook_cursors (
  merchant_id bigint not null,
  -- As in webhook_secrets.
  receiver text not null,
  epoch integer not null,
  tx xid8 not null,
  seq bigint not null,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);

-- Only one process at a time sends a merchant's deliveries, so that it can limit the calls under way by counting them
-- in its memory. If the process dies, its lease ends by itself and another process takes over.
create table webhook_leases (
  merchant_id bigint primary key,
  holder uuid not null,
  until timestamptz not null
) with (fillfactor = 50);


-- Deliveries ------------------------------------------------------------------------------------------------------------

-- Deliveries that were tried, and deliveries that wait for a certain time: for another attempt, for a resend that the
-- merchant requested, or for the end of the receiver's pause (see webhook_health).
create table webhook_deliveries (
  merchant_id bigint not null,
  -- The id of the event; for an endpoint, followed by a dot and the first 8 characters of the endpoint's id. The same
  -- in every attempt, so that the receiver recognises a repetition.
  id text collate "C" not null,
  type text not null,
  subject_id uuid not null,
  url text not null,
  -- The id of an endpoint, or scheme, host and port of a callback address, by which limits and health are counted:
  -- unlike in webhook_secrets, callback addresses are told apart.
  receiver text collate "C" not null,
  -- Null if the body is that of the event.
  body text,
  -- `exhausted`: given up after the last attempt. `gone`: the receiver answered 410.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'exhausted', 'gone')),
  due_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The attempts so far, oldest first. Each has at, durationMs, status or error, answer, headers.
  attempts jsonb not null default '[]',
  primary key (merchant_id, id)
);
-- Lets a query step from one receiver with waiting deliveries to the next, at a cost that does not depend on how many
-- deliveries each of them has waiting.
create index webhook_deliveries_waiting on webhook_deliveries (merchant_id, receiver, due_at) where state = 'waiting';
-- The merchant's log of deliveries, newest first. The id is not in the index, so that all rows of one payment's
-- transaction share an index entry; the few rows of the same moment are sorted by id when they are read.
create index webhook_deliveries_log on webhook_deliveries (merchant_id, created_at);
-- The merchant's log of failed deliveries, which are few among 90 days of deliveries. A delivery that succeeds never
-- enters this index, so it costs ordinary payments nothing.
create index webhook_deliveries_failed on webhook_deliveries (merchant_id, created_at, id)
where state in ('exhausted', 'gone');
-- For retention.
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);


-- Health of receivers ---------------------------------------------------------------------------------------------------

-- How well each receiver responds: shown with the endpoints, and used to warn the merchant and to pause a receiver.
-- An endpoint has a row from its first attempt on. Callback addresses are grouped by scheme, host and port, and get a
-- row only when an attempt fails.
create table webhook_health (
  merchant_id bigint not null,
  receiver text not null,
  last_delivered_at timestamptz,
  -- Since when every attempt has failed, how many failed since then, and when the last one did.
  failing_since timestamptz,
  failures integer not null default 0,
  last_failed_at timestamptz,
  -- How many attempts in a row got no response in time. After several, nothing is sent to the receiver for a while, so
  -- that it does not hold up other receivers.
  timeouts integer not null default 0,
  paused_until timestamptz,
  -- When the merchant was last warned.
  warned_at timestamptz,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);
create index webhook_health_failing on webhook_health (failing_since) where failing_since is not null;


-- Writing and reading ---------------------------------------------------------------------------------------------------

-- Appends events to the log; `bodies` has one line of JSON for each event. It is a function so that the statement that
-- settles payments can also write their events, in one round trip; it returns a value only for that, always true. It
-- runs with the rights of its caller.
create function write_events(
  written_at timestamptz, merchants bigint[], ids text[], types text[], subjects uuid[], urls text[], bodies text
) returns boolean language plpgsql as $$
begin
  insert into events (merchant_id, subject_id, id, type, body, callback_url, created_at, epoch)
  select merchant_id, subject_id, id, type, body, url, written_at, coalesce((select feed_epoch from gateway), 1)
  from rows from (
    unnest(merchants, ids, types, subjects, urls), string_to_table(bodies, E'\n')
  ) new_event (merchant_id, id, type, subject_id, url, body);

  if array_remove(urls, null) <> '{}' then
    insert into webhook_cursors (merchant_id, receiver, epoch, tx, seq)
    select distinct merchant_id, 'callbacks', 0, '0'::xid8, 0
    from unnest(merchants, urls) new_event (merchant_id, url) where url is not null
    order by merchant_id
    on conflict do nothing;
  end if;
  return true;
end $$;

-- Lists the deliveries of a merchant that were not tried yet, which are not stored: for each receiver the events after
-- its cursor since `created_since`, newest first. At most `most` events are read for each receiver. An event after the
-- cursor may have a stored delivery already: the cursor stays before the oldest event that has none.
-- Deliveries to an endpoint that is off are shown as held.
create function untried_deliveries(merchant bigint, created_since timestamptz, most integer)
returns table (
  id text, type text, subject_id uuid, endpoint_id uuid, url text, state text, created_at timestamptz
) language sql stable as $$
  select event.id || '.' || left(endpoint.id::text, 8), event.type, event.subject_id, endpoint.id, endpoint.url,
         case endpoint.state when 'on' then 'waiting' else 'held' end, event.created_at
  from webhook_endpoints endpoint
  join webhook_cursors cursor on cursor.merchant_id = endpoint.merchant_id and cursor.receiver = endpoint.id::text
  cross join lateral (
    select * from events past
    where past.merchant_id = merchant and (past.epoch, past.tx, past.seq) > (cursor.epoch, cursor.tx, cursor.seq)
    order by past.epoch desc, past.tx desc, past.seq desc limit most
  ) event
  where endpoint.merchant_id = merchant and event.created_at >= created_since
    and (endpoint.events = '{}' or event.type = any (endpoint.events))
    and not exists (
      select from webhook_deliveries known
      where known.merchant_id = merchant and known.id = event.id || '.' || left(endpoint.id::text, 8))
  union all
  select event.id, event.type, event.subject_id, null, event.callback_url, 'waiting', event.created_at
  from webhook_cursors cursor
  cross join lateral (
    select * from events past
    where past.merchant_id = merchant and past.callback_url is not null
      and (past.epoch, past.tx, past.seq) > (cursor.epoch, cursor.tx, cursor.seq)
    order by past.epoch desc, past.tx desc, past.seq desc limit most
  ) event
  where cursor.merchant_id = merchant and cursor.receiver = 'callbacks' and event.created_at >= created_since
    and not exists (
      select from webhook_deliveries known where known.merchant_id = merchant and known.id = event.id)
$$;
