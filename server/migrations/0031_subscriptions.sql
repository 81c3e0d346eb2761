-- Charges that repeat by Pix Automático: a subscription says what is charged and how often, its mandate is what the payer
-- allowed at their bank, a cycle is one period, and an attempt is one try of the payer's bank to debit a cycle.

create table subscriptions (
  merchant_id bigint not null references users (id),
  -- As of a charge: a UUID of version 7 with the time of created_at.
  id uuid not null,
  -- The account at which the mandate is.
  connection_id integer not null,
  -- Our id at the bank, in which it says who and which, and the end of the payer's page's address. Made as a txid is.
  contract text collate "C" not null check (contract ~ '^[0-9A-Za-z]{26,35}$'),
  payer_name text not null check (length(payer_name) between 2 and 200),
  payer_document text not null check (payer_document ~ '^(\d{11}|[0-9A-Z]{12}\d{2})$'),
  -- The customer of the register whom it is for, if it is for one.
  customer_id uuid,
  description text not null check (length(description) between 1 and 35),
  -- Null if the amount varies.
  amount_cents bigint check (amount_cents > 0),
  min_maximum_cents bigint check (min_maximum_cents > 0),
  period text not null check (period in ('weekly', 'monthly', 'quarterly', 'semiannual', 'annual')),
  first_day date not null,
  last_day date check (last_day >= first_day),
  -- On which days after the debit day a failed cycle is tried again.
  retry_days integer[] not null,
  authorized_by text not null check (authorized_by in ('code', 'pay', 'offer', 'push')),
  -- Of `push`: the payer's account, as the bank is told it.
  payer_account json,
  -- Of `pay` and `offer`: the amount that is paid along with the permission, the day on which `offer` falls due, and the
  -- charge, once it is made.
  first_cents bigint check (first_cents > 0),
  first_due_day date,
  first_charge_id uuid,
  external_id text check (length(external_id) between 1 and 100),
  metadata jsonb,
  status text not null default 'waiting' check (status in ('waiting', 'active', 'past_due', 'ended')),
  end_reason text,
  ended_at timestamptz,
  -- The number of the cycle that is planned next, and when; null once no more follow.
  next_number integer not null default 1 check (next_number > 0),
  plan_at timestamptz,
  -- The call that created it, as of a charge.
  request_id text,
  made_with text,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, contract),
  check ((authorized_by in ('pay', 'offer')) = (first_cents is not null)),
  check ((authorized_by = 'offer') = (first_due_day is not null)),
  check ((authorized_by = 'push') = (payer_account is not null)),
  check ((status = 'ended') = (ended_at is not null) and (ended_at is null) = (end_reason is null))
);
create index subscriptions_to_plan on subscriptions (plan_at) where plan_at is not null;
create index subscriptions_of_customers on subscriptions (merchant_id, customer_id, id) where customer_id is not null;
create index subscriptions_by_external_id on subscriptions (merchant_id, external_id, id) where external_id is not null;

create table mandates (
  merchant_id bigint not null,
  subscription_id uuid not null,
  connection_id integer not null,
  -- Where payers' banks read it from a code; null before the bank has made it, and for a push.
  location_id bigint,
  -- Of the bank; null until the bank has made it.
  id_rec text collate "C",
  -- The text that payers paste or scan; empty if there is none, or not yet.
  br_code text not null default '',
  -- Since when there is one: until then nobody can be asked to authorise the debits.
  code_at timestamptz,
  status text not null default 'making'
    check (status in ('making', 'created', 'approved', 'rejected', 'expired', 'cancelled')),
  allowed_by text check (allowed_by in ('code', 'pay', 'offer', 'push')),
  approved_at timestamptz,
  ended_at timestamptz,
  -- The bank's code and words of the end, and who ended it.
  end_code text,
  end_text text,
  ended_by text,
  -- The request in the payer's app.
  push_id text,
  -- When the merchant ended the subscription: the bank confirms the end, perhaps hours later.
  cancel_since timestamptz,
  -- When the bank is asked, or told, next; null once nothing can change.
  check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, subscription_id),
  foreign key (merchant_id, subscription_id) references subscriptions (merchant_id, id),
  check ((br_code <> '') = (code_at is not null)),
  check ((status in ('rejected', 'expired', 'cancelled')) = (ended_at is not null)),
  check (status = 'making' or id_rec is not null or status = 'cancelled')
);
create index mandates_due on mandates (check_at) where check_at is not null;
create index mandates_by_id_rec on mandates (id_rec);
-- Those that customers are asked to authorise, apart from all that were authorised long ago.
create index mandates_to_authorize on mandates (merchant_id, code_at) where status = 'created' and code_at is not null;

create table cycles (
  merchant_id bigint not null,
  subscription_id uuid not null,
  number integer not null check (number > 0),
  due_day date not null,
  debit_day date not null,
  -- Null while the amount is not known.
  amount_cents bigint check (amount_cents > 0),
  status text not null default 'planned'
    check (status in ('planned', 'sending', 'scheduled', 'retrying', 'paid', 'given_up', 'cancelled')),
  -- Why it ended without a debit, and the bank's code and words.
  reason text,
  code text,
  text text,
  -- Why it is not to be debited any more.
  cancel_because text check (cancel_because in ('paid_otherwise', 'by_merchant', 'subscription_ended')),
  -- The charge that the bank debits, stored before the bank is told.
  charge_id uuid,
  paid_at timestamptz,
  -- When it is worked on next; null once it has ended.
  check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, subscription_id, number),
  foreign key (merchant_id, subscription_id) references subscriptions (merchant_id, id),
  check ((status in ('paid', 'given_up', 'cancelled')) or check_at is not null),
  check (status not in ('sending', 'scheduled', 'retrying') or charge_id is not null),
  check ((status = 'paid') = (paid_at is not null))
);
create index cycles_due on cycles (check_at) where check_at is not null;
-- Leads from a charge to its cycle.
create unique index cycles_of_charges on cycles (merchant_id, charge_id) where charge_id is not null;
-- What falls due within the next days.
create index cycles_to_come on cycles (merchant_id, debit_day)
where status in ('planned', 'sending', 'scheduled', 'retrying');

-- Charges with a code, by which the payer can pay a cycle themselves. Any of them counts, also one that expired before its
-- payment arrived.
create table cycle_codes (
  merchant_id bigint not null,
  charge_id uuid not null,
  subscription_id uuid not null,
  number integer not null,
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, subscription_id, number) references cycles (merchant_id, subscription_id, number)
);
create index cycle_codes_by_cycle on cycle_codes (merchant_id, subscription_id, number);

create table debit_attempts (
  merchant_id bigint not null,
  subscription_id uuid not null,
  number integer not null,
  -- The endToEndId of a try that the bank shows, whose day it may move; the day of one that we asked for.
  id text collate "C" not null,
  day date not null,
  is_retry boolean not null,
  -- `asked`: we asked for this retry, and the bank has not confirmed it.
  status text not null
    check (status in ('asked', 'requested', 'scheduled', 'paid', 'refused', 'cancelled', 'expired')),
  code text,
  text text,
  updated_at timestamptz not null,
  primary key (merchant_id, subscription_id, number, id),
  foreign key (merchant_id, subscription_id, number) references cycles (merchant_id, subscription_id, number)
);

-- When and with which words an account tells its customers of debits that failed; null until it says so.
alter table reminder_settings add column failed_debits json;
-- The same of mails that ask to authorise the debits.
alter table reminder_settings add column authorization_requests json;
-- Such a mail that waits for the mail server is not sent once its subscription is authorised, or has ended.
alter table mails add column subscription_id uuid;
-- Debits that failed lately, of which customers are told.
create index cycles_failed on cycles (merchant_id, updated_at) where status in ('retrying', 'given_up');

-- One row for each failed debit of which the customer was told, and each request to authorise, so that nobody gets a mail
-- twice.
create table debit_reminders (
  merchant_id bigint not null,
  subscription_id uuid not null,
  -- Of the cycle; 0 of a request to authorise.
  number integer not null,
  -- `warning`: the bank tries again. `authorization_again`: the second request.
  kind text not null check (kind in ('given_up', 'warning', 'authorization', 'authorization_again')),
  customer_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, subscription_id, number, kind),
  check ((number = 0) = (kind in ('authorization', 'authorization_again')))
);
create index debit_reminders_newest on debit_reminders (merchant_id, created_at);

-- A cycle that ended stays as it ended, but for money that comes after all. What was agreed with the payer never changes.
create function refuse_subscription_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a subscription does not change this way' using errcode = 'check_violation';
end $$;
do $$ begin
  create trigger guard_subscriptions before update on subscriptions
  for each row when (
    (new.merchant_id, new.id, new.connection_id, new.contract, new.payer_name, new.payer_document, new.customer_id,
     new.description, new.amount_cents, new.min_maximum_cents, new.period, new.first_day, new.last_day, new.retry_days,
     new.authorized_by, new.external_id, new.metadata, new.created_at)
    is distinct from
    (old.merchant_id, old.id, old.connection_id, old.contract, old.payer_name, old.payer_document, old.customer_id,
     old.description, old.amount_cents, old.min_maximum_cents, old.period, old.first_day, old.last_day, old.retry_days,
     old.authorized_by, old.external_id, old.metadata, old.created_at)
    or (old.status = 'ended' and new.status <> 'ended')
    or new.next_number < old.next_number)
  execute function refuse_subscription_change();
  create trigger guard_mandates before update on mandates
  for each row when (
    (new.merchant_id, new.subscription_id, new.connection_id, new.created_at)
    is distinct from (old.merchant_id, old.subscription_id, old.connection_id, old.created_at)
    or (old.id_rec is not null and new.id_rec is distinct from old.id_rec)
    or (old.code_at is not null and new.code_at is distinct from old.code_at)
    or (old.status in ('rejected', 'expired', 'cancelled') and new.status <> old.status)
    or (old.status = 'approved' and new.status in ('making', 'created', 'rejected')))
  execute function refuse_subscription_change();
  create trigger guard_cycles before update on cycles
  for each row when (
    (new.merchant_id, new.subscription_id, new.number, new.due_day, new.created_at)
    is distinct from (old.merchant_id, old.subscription_id, old.number, old.due_day, old.created_at)
    or (old.charge_id is not null
        and (new.charge_id, new.amount_cents) is distinct from (old.charge_id, old.amount_cents))
    or (old.status in ('given_up', 'cancelled') and new.status not in (old.status, 'paid'))
    or (old.status = 'paid' and new.status <> 'paid'))
  execute function refuse_subscription_change();
  create trigger guard_debit_attempts before update on debit_attempts
  for each row when (
    (new.merchant_id, new.subscription_id, new.number, new.id)
    is distinct from (old.merchant_id, old.subscription_id, old.number, old.id)
    or (old.status = 'paid' and new.status <> 'paid'))
  execute function refuse_subscription_change();
end $$;

-- The subscription that a charge is for, whether the bank debits it or the payer pays its code.
alter table charges add column subscription_id uuid;

-- What becomes of a charge of a subscription is worked on at once, whatever changed it, and also after the cycle ended.
create function wake_cycles() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  update cycles set check_at = new.updated_at, checks = 0
  where merchant_id = new.merchant_id and subscription_id = new.subscription_id
    and (charge_id = new.id or number in (
      select number from cycle_codes where merchant_id = new.merchant_id and charge_id = new.id));
  update mandates set check_at = new.updated_at, checks = 0
  where merchant_id = new.merchant_id and subscription_id = new.subscription_id
    and status in ('making', 'created');
  return null;
end $$;
do $$ begin
  create trigger wake_cycles_of_charges after update on charges
  for each row when (new.subscription_id is not null and old.status <> new.status)
  execute function wake_cycles();
  create trigger keep_subscription_of_charges before update of subscription_id on charges
  for each row when (new.subscription_id is distinct from old.subscription_id)
  execute function refuse_subscription_change();
end $$;

-- The bank calls about mandates and debits, too.
alter table bank_hints drop constraint bank_hints_kind_check;
alter table bank_hints add constraint bank_hints_kind_check
check (kind in ('payout', 'return', 'dispute', 'mandate', 'debit'));

-- The account at a merchant's own bank into which debits are paid, which each debit has to name.
do $$ begin
  alter table bank_connections
    add column debit_account_type text check (debit_account_type in ('checking', 'savings', 'payment')),
    add column debit_account_branch text check (debit_account_branch ~ '^[0-9A-Za-z]{1,4}$'),
    add column debit_account_number text check (debit_account_number ~ '^[0-9A-Za-z]{1,20}$'),
    -- The order that the bank does not permit, as its owner knows; null since it accepted one of this kind.
    add column recurring_refused text check (recurring_refused in ('mandate', 'push', 'debit'));
  alter table bank_connections add constraint bank_connections_debit_account
  check (
    (debit_account_type is null) = (debit_account_number is null)
    and (debit_account_branch is null or debit_account_number is not null));
end $$;
