-- Members: the people who act for an account, each with a role and limits of their own. A row of `users` is a person and
-- the account that began with this person, who is an owner of it from the first moment. Others join by an invitation.

create table members (
  merchant_id bigint not null references users (id),
  user_id bigint not null references users (id),
  role text not null check (role in ('owner', 'finance', 'operator', 'cashier', 'accountant', 'developer')),
  -- The most that the member refunds and withdraws in one calendar day; null: no limit of their own.
  refund_limit_cents bigint check (refund_limit_cents >= 0),
  withdrawal_limit_cents bigint check (withdrawal_limit_cents >= 0),
  added_at timestamptz not null,
  -- Who invited the member; null for the person with whom the account began.
  added_by bigint references users (id),
  primary key (merchant_id, user_id),
  constraint members_owner_unlimited
    check (role <> 'owner' or num_nonnulls(refund_limit_cents, withdrawal_limit_cents) = 0)
);
create index members_of_user on members (user_id);

insert into members (merchant_id, user_id, role, added_at)
select id, id, 'owner', created_at from users where id > 0;

-- By a trigger, so that no account begins without an owner, whoever creates it.
create function add_first_owner() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into members (merchant_id, user_id, role, added_at) values (new.id, new.id, 'owner', new.created_at);
  return null;
end $$;
do $$ begin
  create trigger users_own_their_account after insert on users
  for each row when (new.id > 0) execute function add_first_owner();
end $$;

-- Checked at commit, so that one transaction may replace the only owner.
create function keep_an_owner() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  -- Two owners who remove each other at once wait here, so that the second sees what the first did.
  perform from users where id = old.merchant_id for no key update;
  if not exists (select from members where merchant_id = old.merchant_id and role = 'owner') then
    raise exception 'an account has at least one owner' using errcode = 'check_violation',
      constraint = 'members_keep_an_owner';
  end if;
  return null;
end $$;
create constraint trigger members_keep_an_owner after update or delete on members deferrable initially deferred
for each row when (old.role = 'owner') execute function keep_an_owner();
create trigger members_stay_all before truncate on members
for each statement execute function refuse_change();

-- Invitations that were neither accepted nor withdrawn. The link is in the mail alone (mail_links).
create table member_invitations (
  merchant_id bigint not null references users (id),
  -- The id of its link.
  id uuid not null,
  -- Only the person with this e-mail accepts it.
  email text not null,
  role text not null check (role in ('owner', 'finance', 'operator', 'cashier', 'accountant', 'developer')),
  refund_limit_cents bigint check (refund_limit_cents >= 0),
  withdrawal_limit_cents bigint check (withdrawal_limit_cents >= 0),
  invited_by bigint not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, email),
  constraint member_invitations_owner_unlimited
    check (role <> 'owner' or num_nonnulls(refund_limit_cents, withdrawal_limit_cents) = 0)
);

do $$ begin
  -- The account for which the session acts; null: the person's own.
  alter table sessions add column account_id bigint references users (id);
  create index sessions_for_account on sessions (account_id, user_id) where account_id is not null;

  alter table mail_links drop constraint mail_links_purpose_check;
  alter table mail_links add constraint mail_links_purpose_check
  check (purpose in ('password', 'email', 'invitation'));
  alter table mail_links drop constraint mail_links_check;
  alter table mail_links add constraint mail_links_check check ((purpose = 'password') = (email is null));

  -- The person who made the key; null for keys from before there were members.
  alter table api_keys add column created_by bigint references users (id);
  alter table scoped_keys add column created_by bigint references users (id);

  -- The person who asked for it in the dashboard; null if a key or the operator did, and before there were members.
  alter table withdrawals add column requested_by bigint;
  alter table refunds add column requested_by bigint;
  create index withdrawals_by_member on withdrawals (merchant_id, requested_by, created_at)
  where requested_by is not null;
  create index refunds_by_member on refunds (merchant_id, requested_by, created_at) where requested_by is not null;
  create trigger withdrawals_keep_their_member before update of requested_by on withdrawals
  for each row when (new.requested_by is distinct from old.requested_by) execute function refuse_withdrawal_change();
  create trigger refunds_keep_their_member before update of requested_by on refunds
  for each row when (new.requested_by is distinct from old.requested_by) execute function refuse_refund_change();

  -- The member who created the charge; null if an owner, a key or a payer did, so that their charges need no row for it.
  alter table charge_options add column created_by bigint;
  create index charge_options_of_members on charge_options (merchant_id, created_by, charge_id)
  where created_by is not null;
end $$;
