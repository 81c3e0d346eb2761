-- Notifications: how people hear of what happened, on open screens, in their list, on their devices and by mail. All of it is
-- written in the transaction that causes it, and sent afterwards.


-- Open screens ----------------------------------------------------------------------------------------------------------

-- Messages until they are announced (NOTIFY). A row holds as many messages as one announcement carries, of any number of
-- merchants; rows are taken from the beginning, by one process at a time.
create table outbox (
  id bigint generated always as identity primary key,
  -- As it is announced; null for a message that was too long.
  payload text,
  -- Merchants whose balance is sent after it.
  merchant_ids bigint[] not null
);
-- Written once and read once, a moment later: compressing it would cost more than keeping it, and it always fits a page.
alter table outbox alter column payload set storage plain, alter column merchant_ids set storage plain;


-- The list --------------------------------------------------------------------------------------------------------------

create table notifications (
  merchant_id bigint not null,
  -- Begins with its time, so the key yields the newest.
  id uuid not null,
  title text not null,
  body text not null,
  -- Kept to the letter: nothing is searched inside it.
  data json not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (merchant_id, id)
);
-- For retention.
create index notifications_age on notifications using brin (created_at);

-- Everything up to this notification has been read: marking all as read writes one row, however many there are.
create table notification_marks (
  merchant_id bigint primary key references users (id),
  read_until uuid not null
);


-- Devices (Web Push, RFC 8030) ------------------------------------------------------------------------------------------

create table push_subscriptions (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Hash of its address at the push service: one device has one row, whoever uses it.
  endpoint_hash bytea not null,
  -- As the browser gave it: whoever has it can write to the device.
  sealed_subscription bytea not null,
  -- The session that registered it: when that is ended, the device stops receiving. Null: that session expired by itself,
  -- and the device goes on receiving, as its owner expects.
  session_hash bytea references sessions (token_hash) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- Since when its push service has accepted nothing, how often it was tried since, and when it is tried next.
  failing_since timestamptz,
  failures integer not null default 0,
  rests_until timestamptz,
  primary key (merchant_id, id)
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);
create index push_subscriptions_session on push_subscriptions (session_hash);
create index push_subscriptions_age on push_subscriptions (refreshed_at);

-- A new password or a freeze ends sessions, and their devices with them. Devices that outlived their session must stop too.
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

-- Notifications on their way to devices. Without foreign keys: signing a device out must not abort the settlement that
-- notifies it. What has no device any more is dropped when it is due.
create table push_deliveries (
  merchant_id bigint not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  -- Kind of the notification: many of one kind at once become one message.
  kind text not null,
  -- Whoever sends it moves this forward first: if that process dies, it is due again.
  due_at timestamptz not null,
  primary key (merchant_id, subscription_id, notification_id)
);
create index push_deliveries_due on push_deliveries (due_at);

-- Kinds that somebody does not want on their devices.
create table push_refusals (
  merchant_id bigint not null references users (id),
  kind text not null,
  primary key (merchant_id, kind)
);


-- Telling ---------------------------------------------------------------------------------------------------------------
-- Functions, so that the call that settles payments can tell them too. They run with the rights of their caller.

-- Stores messages for open screens, one row for each payload. An empty line separates payloads; the lists of merchants are
-- arrays with a space between two.
create function write_messages(payloads text, merchant_lists text) returns boolean language plpgsql as $$
begin
  insert into outbox (payload, merchant_ids)
  select payload, merchant_ids::bigint[]
  from rows from (string_to_table(payloads, E'\n\n', ''), string_to_table(merchant_lists, ' '))
    parcel (payload, merchant_ids);
  return true;
end $$;

-- Stores notifications, and a delivery for each device that wants them. Their data are lines of JSON.
create function write_notifications(
  told_at timestamptz, merchants bigint[], ids uuid[], titles text[], bodies text[], kinds text[], data_lines text
) returns boolean language plpgsql as $$
begin
  with created as (
    select * from rows from (
      unnest(merchants, ids, titles, bodies, kinds), string_to_table(data_lines, E'\n')
    ) created (merchant_id, id, title, body, kind, data)
  ),
  inserted as (
    insert into notifications (merchant_id, id, title, body, data, created_at)
    select merchant_id, id, title, body, data::json, told_at from created
  )
  insert into push_deliveries (merchant_id, subscription_id, notification_id, kind, due_at)
  select created.merchant_id, device.id, created.id, created.kind, greatest(device.rests_until, told_at)
  from created join push_subscriptions device on device.merchant_id = created.merchant_id
  -- Read only for merchants who have a device.
  where created.kind <> all (
    array(select refused.kind from push_refusals refused where refused.merchant_id = device.merchant_id));
  return true;
end $$;


-- Mail ------------------------------------------------------------------------------------------------------------------

-- Mail to be sent; in the sandbox, what would have been sent.
create table mails (
  id uuid primary key,
  user_id bigint not null references users (id),
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Without the link (see mail_links), and emptied once it was sent.
  body text,
  -- Once the link has expired, the mail is not sent. The link's row may be gone by then: no foreign key.
  link_id uuid,
  attempts integer not null default 0,
  -- Null once it was sent, kept or given up.
  due_at timestamptz,
  -- In the sandbox: when it was kept.
  sent_at timestamptz,
  error text,
  created_at timestamptz not null
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_newest on mails (created_at);
create index mails_user on mails (user_id, created_at);
