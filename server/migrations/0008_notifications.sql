-- Notifications: messages to people on open screens, in their list of notifications, on their devices and by mail. Each
-- is stored in the transaction that causes it and sent after the commit.


-- Open screens ----------------------------------------------------------------------------------------------------------

-- Messages for open screens until they are announced to all processes (NOTIFY). A row holds the messages of one
-- announcement, for any number of merchants. One process at a time announces and deletes rows, oldest first.
create table outbox (
  id bigint generated always as identity primary key,
  -- The text to announce; null for a message that is too long to announce.
  payload text,
  -- The merchants whose current balance is sent after this announcement.
  merchant_ids bigint[] not null
);
-- A row is written once and read once, a moment later, so compressing it would cost more than it saves. It is never too
-- large for a page.
alter table outbox alter column payload set storage plain, alter column merchant_ids set storage plain;


-- The list --------------------------------------------------------------------------------------------------------------

create table notifications (
  merchant_id bigint not null,
  -- Begins with the time of the notification, so the primary key finds the newest ones.
  id uuid not null,
  title text not null,
  body text not null,
  -- json and not jsonb, so that it stays exactly as written; no query searches inside.
  data json not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (merchant_id, id)
);
-- Finds old notifications, which retention deletes.
create index notifications_age on notifications using brin (created_at);

-- All notifications of a merchant up to `read_until` have been read. So marking all as read writes one row, no matter
-- how many there are.
create table notification_marks (
  merchant_id bigint primary key references users (id),
  read_until uuid not null
);


-- Devices (Web Push, RFC 8030) ------------------------------------------------------------------------------------------

create table push_subscriptions (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- The hash of the device's address at the push service. Unique, so that a device belongs only to the account that
  -- registered it last.
  endpoint_hash bytea not null,
  -- The subscription as received from the browser. It is encrypted because whoever has it can send messages to the
  -- device.
  sealed_subscription bytea not null,
  -- The session that registered the device. If somebody ends the session, the device stops receiving. Null if the
  -- session expired by itself: the device then goes on receiving, as its owner expects.
  session_hash bytea references sessions (token_hash) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- Since when the push service has accepted nothing for this device, the failed attempts since then, and the time of
  -- the next attempt.
  failing_since timestamptz,
  failures integer not null default 0,
  paused_until timestamptz,
  primary key (merchant_id, id)
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);
create index push_subscriptions_session on push_subscriptions (session_hash);
create index push_subscriptions_age on push_subscriptions (refreshed_at);

-- A new password or a freeze ends an account's sessions, and with them the devices that they registered. This trigger
-- also removes devices whose session expired earlier and, on a freeze, all devices of the account.
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

-- Notifications on their way to devices. There are no foreign keys, because a device that is removed at the wrong
-- moment must not abort the settlement that notifies it. A delivery whose device is gone is dropped when it is due.
create table push_deliveries (
  merchant_id bigint not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  -- The kind of the notification. Many of one kind at the same time become one message.
  kind text not null,
  -- A process that sends the delivery first moves this time forward, so that the delivery is due again if the process
  -- dies.
  due_at timestamptz not null,
  primary key (merchant_id, subscription_id, notification_id)
);
create index push_deliveries_due on push_deliveries (due_at);

-- The kinds of notification that a merchant does not want on their devices.
create table push_opt_outs (
  merchant_id bigint not null references users (id),
  kind text not null,
  primary key (merchant_id, kind)
);


-- Writing ---------------------------------------------------------------------------------------------------------------
-- These are functions so that the statement that settles payments can also store their messages and notifications, in
-- one round trip. They run with the rights of their caller.

-- Stores messages for open screens, one row for each payload. Payloads are separated by an empty line. `merchant_lists`
-- has one array of merchant ids for each payload, separated by spaces.
create function write_messages(payloads text, merchant_lists text) returns boolean language plpgsql as $$
begin
  insert into outbox (payload, merchant_ids)
  select payload, merchant_ids::bigint[]
  from rows from (string_to_table(payloads, E'\n\n', ''), string_to_table(merchant_lists, ' '))
    parcel (payload, merchant_ids);
  return true;
end $$;

-- Stores notifications, and a delivery for each device of a merchant who has not opted out of the kind. `data_lines`
-- has one line of JSON for each notification.
create function write_notifications(
  written_at timestamptz, merchants bigint[], ids uuid[], titles text[], bodies text[], kinds text[], data_lines text
) returns boolean language plpgsql as $$
begin
  with created as (
    select * from rows from (
      unnest(merchants, ids, titles, bodies, kinds), string_to_table(data_lines, E'\n')
    ) created (merchant_id, id, title, body, kind, data)
  ),
  inserted as (
    insert into notifications (merchant_id, id, title, body, data, created_at)
    select merchant_id, id, title, body, data::json, written_at from created
  )
  insert into push_deliveries (merchant_id, subscription_id, notification_id, kind, due_at)
  select created.merchant_id, device.id, created.id, created.kind, greatest(device.paused_until, written_at)
  from created join push_subscriptions device on device.merchant_id = created.merchant_id
  -- A subquery for each device, not a join, so that opt-outs are read only for merchants who have a device.
  where created.kind <> all (
    array(select opt_out.kind from push_opt_outs opt_out where opt_out.merchant_id = device.merchant_id));
  return true;
end $$;


-- Mail ------------------------------------------------------------------------------------------------------------------

-- Mail to be sent. In the sandbox nothing is sent, and the mail is kept here to be read.
create table mails (
  id uuid primary key,
  user_id bigint not null references users (id),
  kind text not null,
  recipient text not null,
  subject text not null,
  -- The text without its link (see mail_links); null once the mail was sent or given up.
  body text,
  -- The link in the mail; once it has expired, the mail is no longer sent. There is no foreign key, because the link's
  -- row may be deleted before the mail.
  link_id uuid,
  attempts integer not null default 0,
  -- Null once the mail was sent or given up, or, in the sandbox, kept.
  due_at timestamptz,
  -- When the mail was sent or, in the sandbox, kept.
  sent_at timestamptz,
  error text,
  created_at timestamptz not null
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_newest on mails (created_at);
create index mails_user on mails (user_id, created_at);
