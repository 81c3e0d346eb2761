-- Events and webhooks: what a merchant's systems hear of their money.
--
-- Every change of a merchant's money is an event, written in the same transaction and kept whether or not anybody listens.
-- The events of a merchant are a log, which has readers: systems that call the feed (GET /api/events) and keep their own
-- place in it, and the gateway itself, which delivers events to endpoints that the merchant configured and to the callback
-- addresses that charges and withdrawals carry. A delivery that was not tried yet is stored nowhere: it is an event past the
-- cursor of its receiver. Events and deliveries are written with each payment, so their rows have no foreign keys, and their
-- indexes hold no more than leads to the row.


-- Events ----------------------------------------------------------------------------------------------------------------

-- The order of the log is (epoch, tx, seq). A transaction that began earlier may commit later; so a reader is shown only
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
  -- The address that its subject asked to be called; null if it has none.
  callback_url text,
  created_at timestamptz not null,
  epoch integer not null,
  tx xid8 not null default pg_current_xact_id(),
  -- Only orders what one transaction wrote. A transaction has one connection, so connections may take numbers a hundred at a
  -- time.
  seq bigint generated always as identity (cache 100),
  primary key (merchant_id, id)
);
create index events_feed on events (merchant_id, epoch, tx, seq);
create index events_with_callback on events (merchant_id, epoch, tx, seq) where callback_url is not null;
create index events_age on events using brin (created_at);


-- Who receives them -----------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  merchant_id bigint not null references users (id),
  id uuid not null,
  url text not null,
  description text not null default '',
  -- The types of event that it receives; empty: all.
  events text[] not null default '{}',
  state text not null default 'on' check (state in ('on', 'off')),
  off_reason text check (off_reason in ('merchant', 'gone', 'failing')),
  off_at timestamptz,
  -- Since when it has received events without a break.
  on_since timestamptz not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((state = 'off') = (off_reason is not null)),
  check ((state = 'off') = (off_at is not null))
);
-- The ids of deliveries end with this part of an endpoint's id.
create unique index webhook_endpoints_mark on webhook_endpoints (merchant_id, left(id::text, 8));

-- Secrets that sign deliveries.
create table webhook_secrets (
  merchant_id bigint not null references users (id),
  -- The id of an endpoint; 'callbacks' for all callback addresses of the merchant.
  receiver text not null,
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null for the current one; after a rotation the previous one signs too, until then.
  expires_at timestamptz,
  primary key (merchant_id, receiver, id)
);
create unique index webhook_secrets_in_force on webhook_secrets (merchant_id, receiver) where expires_at is null;

-- How far the gateway has delivered the log: every event up to here is in webhook_deliveries, if the receiver wants it.
create table webhook_cursors (
  merchant_id bigint not null,
  -- As in webhook_secrets.
  receiver text not null,
  epoch integer not null,
  tx xid8 not null,
  seq bigint not null,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);

-- One process at a time delivers what a merchant's receivers wait for; so how many calls are under way is known in its memory.
-- The lease of a process that died ends by itself.
create table webhook_leases (
  merchant_id bigint primary key,
  holder uuid not null,
  until timestamptz not null
) with (fillfactor = 50);


-- Deliveries ------------------------------------------------------------------------------------------------------------

-- Deliveries that were tried, and deliveries that wait for a certain time: to be tried again, to be sent again on request, or
-- for the end of a receiver's rest.
create table webhook_deliveries (
  merchant_id bigint not null,
  -- The event's id; for an endpoint followed by a dot and what tells the endpoint from others. The same on every attempt.
  id text collate "C" not null,
  type text not null,
  subject_id uuid not null,
  url text not null,
  -- Whose places it takes and whose health it shows: the id of an endpoint, or scheme, host and port of a callback address.
  receiver text collate "C" not null,
  -- Null when it is the body of the event.
  body text,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'exhausted', 'gone')),
  due_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The attempts, in their order: at, durationMs, status or error, answer, headers.
  attempts jsonb not null default '[]',
  primary key (merchant_id, id)
);
-- Leads from each receiver with something waiting to the next, however much waits at one of them.
create index webhook_deliveries_waiting on webhook_deliveries (merchant_id, receiver, due_at) where state = 'waiting';
-- The merchant's log, newest first. Those of one moment, which are few, are sorted by id when they are read: rows that one
-- transaction wrote then share an index entry.
create index webhook_deliveries_log on webhook_deliveries (merchant_id, created_at);
-- The log of failures: few rows among 90 days of deliveries. What is delivered never enters this index, so payments do not
-- pay for it.
create index webhook_deliveries_failed on webhook_deliveries (merchant_id, created_at, id)
where state in ('exhausted', 'gone');
-- For retention.
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);


-- How receivers fare ----------------------------------------------------------------------------------------------------

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
  -- How many attempts in a row had no response in time; after some of them it rests, so that it holds nobody else up.
  timeouts integer not null default 0,
  resting_until timestamptz,
  -- When the merchant was last warned.
  warned_at timestamptz,
  primary key (merchant_id, receiver)
) with (fillfactor = 50);
create index webhook_health_failing on webhook_health (failing_since) where failing_since is not null;


-- Telling ---------------------------------------------------------------------------------------------------------------

-- Appends events to the log. The bodies are lines. A function, so that the call that settles payments can tell them too; it
-- runs with the rights of its caller.
create function write_events(
  told_at timestamptz, merchants bigint[], ids text[], types text[], subjects uuid[], urls text[], bodies text
) returns boolean language plpgsql as $$
begin
  insert into events (merchant_id, subject_id, id, type, body, callback_url, created_at, epoch)
  select merchant_id, subject_id, id, type, body, url, told_at, coalesce((select feed_epoch from gateway), 1)
  from rows from (
    unnest(merchants, ids, types, subjects, urls), string_to_table(bodies, E'\n')
  ) told (merchant_id, id, type, subject_id, url, body);

  if array_remove(urls, null) <> '{}' then
    insert into webhook_cursors (merchant_id, receiver, epoch, tx, seq)
    select distinct merchant_id, 'callbacks', 0, '0'::xid8, 0
    from unnest(merchants, urls) told (merchant_id, url) where url is not null
    order by merchant_id
    on conflict do nothing;
  end if;
  return true;
end $$;

-- The deliveries of a merchant that were not tried yet, newest first for each receiver and at most `most` of each: what lies
-- past its cursor, and is not too old to be sent. What waits for an endpoint that is off is held.
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
