-- Who holds an account, which can be handed over; what holds a person's orders; and support that looks in. An account
-- keeps its id, which is that of the person with whom it began, whoever holds it later.

do $$ begin
  alter table members add column holder boolean not null default false;
  -- The holder remains an owner.
  alter table members add constraint members_holder_owns check (not holder or role = 'owner');
  create unique index members_one_holder on members (merchant_id) where holder;
  -- Empty unless an account was handed over, so that those who write to holders look here for next to nothing.
  create index members_handed_over on members (merchant_id) where holder and user_id <> merchant_id;
  -- Last, because this table cannot be altered while the check of its owners waits for the commit.
  update members set holder = true where user_id = merchant_id;
end $$;

create or replace function add_first_owner() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into members (merchant_id, user_id, role, added_at, holder)
  values (new.id, new.id, 'owner', new.created_at, true);
  return null;
end $$;

-- A holder's proposal to hand the account over to another owner, which this owner has to confirm.
create table account_handovers (
  merchant_id bigint primary key references users (id),
  offered_by bigint not null references users (id),
  offered_to bigint not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (offered_by <> offered_to)
);

-- Until when no money leaves on the word of a person, in whatever account they act.
create table person_holds (
  user_id bigint primary key references users (id),
  held_until timestamptz not null,
  held_because text not null
);

-- Accounts in which an owner lets the operator's support look, and until when.
create table support_access (
  merchant_id bigint primary key references users (id),
  allowed_by bigint not null references users (id),
  allowed_at timestamptz not null,
  expires_at timestamptz not null
);

do $$ begin
  -- Whether the session looks into its account for the operator's support, without being a member's.
  alter table sessions add column is_support boolean not null default false;
  alter table sessions add constraint sessions_support_looks_elsewhere check (not is_support or account_id is not null);

  -- Since when the operator has to look at the identity of whoever controls the account anew; null if it was looked at.
  alter table users add column identity_review_since timestamptz;
end $$;

-- What is told about an account goes to whoever holds it. What is told to a person about themself stays with the person.
create or replace function write_notifications(
  written_at timestamptz, merchants bigint[], ids uuid[], titles text[], bodies text[], kinds text[], data_lines text
) returns boolean language plpgsql as $$
begin
  with created as (
    select coalesce(holder.user_id, told.merchant_id) as merchant_id, told.id, told.title, told.body, told.kind, told.data
    from rows from (
      unnest(merchants, ids, titles, bodies, kinds), string_to_table(data_lines, E'\n')
    ) told (merchant_id, id, title, body, kind, data)
      left join members holder on holder.merchant_id = told.merchant_id and holder.holder
        and holder.user_id <> holder.merchant_id
        and told.data::json ->> 'type' !~ '^(account|operation)\.|^security\.(new-device|totp|passkey|recovery|members)'
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
