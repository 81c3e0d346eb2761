-- Approvals: what leaves an account above an amount, and what opens a way for money, waits until other people have
-- approved it. docs/approvals.md describes how, and how anybody recomputes it from an export.

-- An act that waits for approvals. Account 0 is the operator's.
create table approval_requests (
  merchant_id bigint not null references users (id),
  id uuid not null,
  kind text not null check (kind in (
    'withdrawal', 'refund', 'destination', 'key', 'connection', 'member', 'approver', 'policy',
    'held-withdrawal', 'unmatched-pix', 'open-item', 'payouts', 'administrator', 'recovery')),
  -- What the act is about: the id of the order to the bank; for other acts, the SHA-256 of what was asked for, so that
  -- asking again finds the request.
  subject text not null,
  -- The text that is approved, as JSON. Approvals carry its SHA-256.
  document text not null,
  status text not null default 'open' check (status in ('open', 'approved', 'done', 'rejected', 'cancelled', 'expired')),
  -- The person who asked; null if an API key did.
  made_by bigint references users (id),
  unusual text[] not null default '{}',
  -- Why it was rejected, in the words of whoever did it.
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint references users (id),
  -- How many entries the account's history had when the approvals of what was carried out were counted: whoever
  -- recomputes them later counts under the policy and the approvers of that moment.
  history_seq bigint,
  primary key (merchant_id, id),
  check ((status in ('open', 'approved')) = (ended_at is null)),
  check ((status = 'done') = (history_seq is not null))
);
create unique index approval_requests_waiting on approval_requests (merchant_id, kind, subject)
where status in ('open', 'approved');
-- An order to the bank has one request, ever: its money is set aside once.
create unique index approval_requests_of_orders on approval_requests (merchant_id, kind, subject)
where kind in ('withdrawal', 'refund');
create index approval_requests_newest on approval_requests (merchant_id, created_at desc, id desc);
create index approval_requests_end on approval_requests (expires_at) where status in ('open', 'approved');

create function refuse_approval_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a request for approval does not change this way' using errcode = 'check_violation';
end $$;
create trigger approval_requests_keep_their_text before update on approval_requests
for each row when (
  (new.merchant_id, new.id, new.kind, new.subject, new.document, new.made_by, new.created_at, new.expires_at)
  is distinct from
  (old.merchant_id, old.id, old.kind, old.subject, old.document, old.made_by, old.created_at, old.expires_at)
  or (old.ended_at is not null
    and (new.status, new.ended_at, new.history_seq) is distinct from (old.status, old.ended_at, old.history_seq)))
execute function refuse_approval_change();
create trigger approval_requests_begin_open before insert on approval_requests
for each row when (new.status <> 'open') execute function refuse_approval_change();

-- One person's approval of a request.
create table approvals (
  merchant_id bigint not null,
  request_id uuid not null,
  user_id bigint not null references users (id),
  -- The passkey or the authenticator app with which it was given.
  key_id text not null,
  -- The signature over the digest, or the mark under the gateway's own key.
  proof jsonb not null,
  approved_at timestamptz not null,
  primary key (merchant_id, request_id, user_id),
  foreign key (merchant_id, request_id) references approval_requests (merchant_id, id)
);

-- What was carried out stays proven.
create function refuse_loss_of_proof() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from approval_requests
    where merchant_id = old.merchant_id and id = old.request_id and status not in ('open', 'approved'))
  then
    raise exception 'the approvals of a request that ended stay' using errcode = 'check_violation';
  end if;
  return old;
end $$;
create trigger approvals_stay before delete on approvals
for each row execute function refuse_loss_of_proof();
create trigger approvals_stay_all before truncate on approvals
for each statement execute function refuse_change();

-- The policies of an account, its approvers and the destinations that were approved, in their order. What grants a right
-- refers to a request whose approvals prove it, so a row that somebody merely wrote grants nothing. Rows are only added.
create table approval_history (
  merchant_id bigint not null references users (id),
  -- Set by a trigger, so that nothing is put before what happened already.
  seq bigint not null default 0,
  -- 'end' takes rights away: from a person, from one of their keys, or from a destination. It needs no proof.
  kind text not null check (kind in ('policy', 'approver', 'destination', 'end')),
  request_id uuid,
  user_id bigint,
  key_id text,
  pix_key text,
  -- The gateway's own mark on the first policy, before which nobody could approve.
  mark bytea,
  at timestamptz not null,
  primary key (merchant_id, seq),
  foreign key (merchant_id, request_id) references approval_requests (merchant_id, id),
  check ((kind = 'end') = (request_id is null)),
  check (kind <> 'end' or num_nonnulls(user_id, pix_key) = 1)
);
create unique index approval_history_requests on approval_history (merchant_id, request_id) where request_id is not null;
create trigger approval_history_stays before update or delete on approval_history
for each row execute function refuse_change();
create trigger approval_history_stays_all before truncate on approval_history
for each statement execute function refuse_change();

create function follow_approval_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where id = new.merchant_id for no key update;
  -- What was refused, or not approved in time, grants nothing under a later policy that asks for fewer approvals.
  if new.request_id is not null and not exists (
    select from approval_requests
    where merchant_id = new.merchant_id and id = new.request_id and status in ('open', 'approved', 'done')
      and expires_at > now() - interval '5 minutes')
  then
    raise exception 'a request that ended grants nothing' using errcode = 'check_violation';
  end if;
  new.seq := (select coalesce(max(seq), 0) + 1 from approval_history where merchant_id = new.merchant_id);
  return new;
end $$;
create trigger approval_history_in_order before insert on approval_history
for each row execute function follow_approval_history();

-- A request is carried out only as its approvals were counted. If the history went on meanwhile, they are counted again:
-- the transaction is run again after this error.
create function count_before_done() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.history_seq is distinct from
    (select coalesce(max(seq), 0) from approval_history where merchant_id = new.merchant_id)
  then
    raise exception 'the approvals were counted before the history went on' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger approval_requests_are_counted before update on approval_requests
for each row when (new.status = 'done' and old.status <> 'done') execute function count_before_done();

-- Ends the right of a person, or of one of their keys, to approve in an account, and takes back what they approved that
-- was not carried out.
create function end_approvals(account bigint, person bigint, key text, moment timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from approval_history where merchant_id = account) then return; end if;
  insert into approval_history (merchant_id, kind, user_id, key_id, at) values (account, 'end', person, key, moment);
  with waiting as (
    select a.request_id from approvals a join approval_requests r on (r.merchant_id, r.id) = (a.merchant_id, a.request_id)
    where a.merchant_id = account and a.user_id = person and (key is null or a.key_id = key)
      and r.status in ('open', 'approved')
    for update of r
  ), taken as (
    delete from approvals where merchant_id = account and user_id = person and request_id in (select request_id from waiting)
  )
  update approval_requests set status = 'open'
  where merchant_id = account and status = 'approved' and id in (select request_id from waiting);
end $$;

create function end_approvals_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if new.role in ('owner', 'finance') then return null; end if;
  end if;
  perform end_approvals(old.merchant_id, old.user_id, null, now());
  return null;
end $$;
create trigger members_end_approvals after delete or update of role on members
for each row when (old.role in ('owner', 'finance')) execute function end_approvals_of_member();

create function end_approvals_of_staff() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_approvals(0, old.id, null, now());
  return null;
end $$;
create trigger users_end_approvals after update of role on users
for each row when (old.role = 'ADMIN' and new.role <> 'ADMIN') execute function end_approvals_of_staff();

create function end_approvals_of_key() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended text;
begin
  ended := case tg_table_name
    when 'passkeys' then translate(rtrim(replace(encode((to_jsonb(old) ->> 'credential_id')::bytea, 'base64'), e'\n', ''), '='), '+/', '-_')
    else 'totp:' || encode(sha256((to_jsonb(old) ->> 'sealed_secret')::bytea), 'hex') end;
  perform end_approvals(merchant_id, old.user_id, ended, now()) from members where user_id = old.user_id;
  perform end_approvals(0, old.user_id, ended, now());
  return null;
end $$;
create trigger passkeys_end_approvals after delete on passkeys
for each row execute function end_approvals_of_key();
create trigger totp_ends_approvals after delete or update of sealed_secret on totp_factors
for each row execute function end_approvals_of_key();

-- Who made an administrator and when: two accounts of which one made the other count as one person for 30 days.
do $$ begin
  alter table users add column staff_since timestamptz;
  alter table users add column staff_by bigint references users (id);
  -- When somebody was made an administrator is known only from now on.
  update users set staff_since = now(), staff_by = admin_root where role = 'ADMIN' and admin_root is not null;
end $$;

-- When the database stored an order, whatever the order itself says: parts of an amount are counted together by it.
do $$ begin
  alter table withdrawals add column stored_at timestamptz not null default now();
  alter table refunds add column stored_at timestamptz not null default now();
end $$;
create function keep_time_of_storing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.stored_at := case tg_op when 'INSERT' then now() else old.stored_at end;
  return new;
end $$;
create trigger withdrawals_time_of_storing before insert or update of stored_at on withdrawals
for each row execute function keep_time_of_storing();
create trigger refunds_time_of_storing before insert or update of stored_at on refunds
for each row execute function keep_time_of_storing();
