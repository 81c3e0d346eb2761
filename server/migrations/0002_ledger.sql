-- The books: double entry, append only. A transfer moves a positive amount from one account of a merchant to
-- another account of the same merchant, so every merchant's balances add up to zero. Balances are kept by a
-- trigger, in the statement that writes the transfers: no code path can write one without the other, and the
-- application's role can write neither balances nor history.

create table ledger_accounts (
  merchant_id bigint not null references users (id),
  kind text not null check (kind in (
    'available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees', 'adjustments')),
  balance_cents bigint not null default 0,
  primary key (merchant_id, kind),
  -- What a merchant owes, and the platform's own side, may go below zero. Nothing else may.
  constraint ledger_floor check (
    balance_cents >= 0 or kind in ('receivable', 'psp', 'fees', 'adjustments'))
);

create table ledger_transfers (
  merchant_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null,
  -- The business event, and the id of what caused it.
  event text not null,
  reference text not null,
  from_account text not null,
  to_account text not null,
  amount_cents bigint not null check (amount_cents > 0),
  check (from_account <> to_account),
  primary key (merchant_id, id),
  -- An event counts once for its cause, whatever asks for it twice.
  constraint ledger_event_once unique (merchant_id, reference, event, from_account, to_account)
);

-- How the available balance changed on each day of America/Sao_Paulo: balances at a day's end without a scan.
create table ledger_days (
  merchant_id bigint not null references users (id),
  day date not null,
  available_change_cents bigint not null default 0,
  primary key (merchant_id, day)
);

create function open_ledger_accounts() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into ledger_accounts (merchant_id, kind)
  select new.id, kind
  from unnest(array['available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                    'adjustments']) kind;
  return null;
end $$;

create trigger open_ledger_accounts after insert on users
for each row execute function open_ledger_accounts();

insert into ledger_accounts (merchant_id, kind)
select 0, kind
from unnest(array['available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                  'adjustments']) kind;

create function apply_transfers() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  legs integer;
  moved integer;
begin
  -- Rows are locked in one order by everybody, so two writers wait for each other but never in a circle.
  perform 1
  from ledger_accounts
  where (merchant_id, kind) in (
    select merchant_id, from_account from written union select merchant_id, to_account from written)
  order by merchant_id, kind
  for no key update;

  update ledger_accounts account
  set balance_cents = account.balance_cents + leg.change
  from (
    select merchant_id, kind, sum(change)::bigint as change
    from (
      select merchant_id, from_account as kind, -amount_cents as change from written
      union all
      select merchant_id, to_account, amount_cents from written
    ) legs
    group by merchant_id, kind
  ) leg
  where account.merchant_id = leg.merchant_id and account.kind = leg.kind;
  get diagnostics moved = row_count;

  -- In place of foreign keys, which would lock the busiest rows once more for every transfer.
  select count(*) into legs from (
    select merchant_id, from_account from written union select merchant_id, to_account from written) named;
  if moved <> legs then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  insert into ledger_days as known (merchant_id, day, available_change_cents)
  select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
         sum(case when to_account = 'available' then amount_cents else -amount_cents end)
  from written
  where 'available' in (from_account, to_account)
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day)
  do update set available_change_cents = known.available_change_cents + excluded.available_change_cents;

  return null;
end $$;

create trigger apply_transfers after insert on ledger_transfers
referencing new table as written
for each statement execute function apply_transfers();

-- A written transfer stays as it is, whoever asks: a mistake is corrected by another transfer.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger transfers_stay before update or delete on ledger_transfers
for each row execute function refuse_change();
create trigger transfers_stay_all before truncate on ledger_transfers
for each statement execute function refuse_change();
create trigger audit_stays before update or delete on audit_log
for each row execute function refuse_change();
create trigger audit_stays_all before truncate on audit_log
for each statement execute function refuse_change();
