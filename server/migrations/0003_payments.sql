-- Money in: charges, what the bank told of them, and the figures that screens read. Figures are kept by triggers
-- in the statement that changes a charge, so a read never counts rows, and no code path can forget them.

create table charges (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Begins with the merchant's number, so a notice leads to its merchant without a search.
  txid text collate "C" not null,
  status text not null check (status in ('pending', 'paid', 'expired', 'refunded', 'error')),
  amount_cents bigint not null check (amount_cents > 0),
  -- The terms it was made under: it settles by them, whatever the account's fees are by then.
  in_rate integer not null,
  fix_in_cents bigint not null,
  reserve_rate integer not null,
  reserve_days integer not null,
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  reserve_cents bigint not null check (reserve_cents >= 0 and reserve_cents <= amount_cents - fee_cents),
  expires_at timestamptz not null,
  callback_url text,
  -- Pix copia e cola; empty until the bank has confirmed the charge.
  br_code text not null default '',
  end_to_end_id text collate "C",
  paid_at timestamptz,
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  -- When the sweep looks at it next; null when nothing is left to happen by itself.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, txid)
);
create index charges_newest on charges (merchant_id, created_at desc, id desc);
create index charges_newest_by_status on charges (merchant_id, status, created_at desc, id desc);
create index charges_by_amount on charges (merchant_id, amount_cents, created_at desc, id desc);
create index charges_by_end_to_end_id on charges (merchant_id, end_to_end_id) where end_to_end_id is not null;
create index charges_due on charges (due_at) where due_at is not null;

-- Every notice of the bank, under an id of its own: the bank may tell one payment many times, and a forgery
-- must not stand in the way of the true notice.
create table psp_inbox (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  end_to_end_id text collate "C" not null,
  notice jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  outcome text,
  finished_at timestamptz
);
create index psp_inbox_due on psp_inbox (due_at, id) where state = 'waiting';
create index psp_inbox_finished on psp_inbox (finished_at) where state <> 'waiting';

-- The fact that money arrived, once per endToEndId, as our own bank confirmed it.
create table received_pix (
  end_to_end_id text collate "C" primary key,
  -- 0 while it belongs to nobody.
  merchant_id bigint not null references users (id),
  charge_id uuid,
  outcome text not null check (outcome in ('credited', 'suspense')),
  -- Why it is in suspense: no-txid, unknown-txid, second-payment, wrong-amount, wrong-key.
  reason text,
  txid text,
  pix_key text,
  amount_cents bigint not null check (amount_cents > 0),
  paid_at timestamptz not null,
  received_at timestamptz not null
);
create index received_pix_suspense on received_pix (received_at) where outcome = 'suspense';

create table reserves (
  merchant_id bigint not null,
  charge_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  due_at timestamptz not null,
  released_at timestamptz,
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id)
);
create index reserves_due on reserves (due_at) where released_at is null;

-- Up to where the bank's own list of received Pix was read.
create table reconciliation (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null,
  finished_at timestamptz not null
);

create table merchant_counters (
  merchant_id bigint primary key references users (id),
  pending_count bigint not null default 0,
  paid_count bigint not null default 0,
  expired_count bigint not null default 0,
  refunded_count bigint not null default 0,
  error_count bigint not null default 0,
  gross_received_cents bigint not null default 0,
  net_received_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  last_transaction_at timestamptz
);

create table merchant_days (
  merchant_id bigint not null references users (id),
  day date not null,
  received_cents bigint not null default 0,
  received_count bigint not null default 0,
  primary key (merchant_id, day)
);

create function open_merchant_counters() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into merchant_counters (merchant_id) values (new.id);
  return null;
end $$;
create trigger open_merchant_counters after insert on users
for each row execute function open_merchant_counters();
insert into merchant_counters (merchant_id) values (0);

create function count_new_charges() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform 1 from merchant_counters
  where merchant_id in (select merchant_id from written) order by merchant_id for no key update;

  update merchant_counters counter
  set pending_count = pending_count + made.pending,
      error_count = error_count + made.error,
      last_transaction_at = greatest(last_transaction_at, made.newest)
  from (
    select merchant_id,
           count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'error') as error,
           count(*) filter (where status not in ('pending', 'error')) as other,
           max(created_at) as newest
    from written group by merchant_id
  ) made
  where counter.merchant_id = made.merchant_id;

  if exists (select from written where status not in ('pending', 'error')) then
    raise exception 'a charge begins as pending' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger count_new_charges after insert on charges
referencing new table as written
for each statement execute function count_new_charges();

create function count_changed_charges() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if exists (
    select from was join written now using (merchant_id, id)
    where (was.amount_cents, was.fee_cents, was.reserve_cents, was.txid)
          is distinct from (now.amount_cents, now.fee_cents, now.reserve_cents, now.txid)
       or not (was.status = now.status
               or (was.status, now.status) in (
                 ('pending', 'paid'), ('pending', 'expired'), ('pending', 'error'),
                 ('expired', 'paid'), ('error', 'paid'), ('paid', 'refunded')))
  ) then
    raise exception 'a charge does not change this way' using errcode = 'check_violation';
  end if;

  if not exists (
    select from was join written now using (merchant_id, id)
    where was.status <> now.status or was.refunded_cents <> now.refunded_cents
  ) then
    return null;
  end if;

  perform 1 from merchant_counters
  where merchant_id in (select merchant_id from written) order by merchant_id for no key update;

  update merchant_counters counter
  set pending_count = counter.pending_count + change.pending,
      paid_count = counter.paid_count + change.paid,
      expired_count = counter.expired_count + change.expired,
      refunded_count = counter.refunded_count + change.refunded,
      error_count = counter.error_count + change.error,
      gross_received_cents = counter.gross_received_cents + change.gross,
      net_received_cents = counter.net_received_cents + change.net,
      refunded_cents = counter.refunded_cents + change.given_back,
      last_transaction_at = greatest(counter.last_transaction_at, change.newest)
  from (
    select now.merchant_id,
           sum((now.status = 'pending')::int - (was.status = 'pending')::int) as pending,
           sum((now.status = 'paid')::int - (was.status = 'paid')::int) as paid,
           sum((now.status = 'expired')::int - (was.status = 'expired')::int) as expired,
           sum((now.status = 'refunded')::int - (was.status = 'refunded')::int) as refunded,
           sum((now.status = 'error')::int - (was.status = 'error')::int) as error,
           coalesce(sum(now.amount_cents) filter (where now.status = 'paid' and was.status <> 'paid'), 0) as gross,
           coalesce(sum(now.amount_cents - now.fee_cents)
                      filter (where now.status = 'paid' and was.status <> 'paid'), 0) as net,
           sum(now.refunded_cents - was.refunded_cents) as given_back,
           max(now.paid_at) as newest
    from was join written now using (merchant_id, id)
    group by now.merchant_id
  ) change
  where counter.merchant_id = change.merchant_id;

  insert into merchant_days as known (merchant_id, day, received_cents, received_count)
  select now.merchant_id, (now.paid_at at time zone 'America/Sao_Paulo')::date, sum(now.amount_cents), count(*)
  from was join written now using (merchant_id, id)
  where now.status = 'paid' and was.status <> 'paid'
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day)
  do update set received_cents = known.received_cents + excluded.received_cents,
                received_count = known.received_count + excluded.received_count;
  return null;
end $$;
create trigger count_changed_charges after update on charges
referencing old table as was new table as written
for each statement execute function count_changed_charges();
