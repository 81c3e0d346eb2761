-- The books: double entry, append only.
--
-- A transfer moves a positive amount from one account of a merchant to another account of the same merchant, so every
-- merchant's balances add up to zero. A trigger moves the balances in the statement that inserts the transfers: no code
-- path can do one without the other, and the application's role may write neither balances nor history (grants.sql).
-- docs/the-books.md explains the accounts and the movements.


-- Balances --------------------------------------------------------------------------------------------------------------

-- One row per merchant, one column per account: a payment touches three accounts, and locks and writes one row.
-- Half of each page stays free, so that a new version of a row fits on its page and no index has to be updated.
create table ledger_balances (
  merchant_id bigint primary key references users (id),
  available_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  blocked_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  suspense_cents bigint not null default 0,
  receivable_cents bigint not null default 0,
  psp_cents bigint not null default 0,
  fees_cents bigint not null default 0,
  adjustments_cents bigint not null default 0,
  -- The part of the open disputes that could not be blocked. Not an account: the sum of disputes.shortfall_cents, kept by
  -- the triggers count_new_shortfall and count_shortfall.
  shortfall_cents bigint not null default 0 check (shortfall_cents >= 0),

  -- Only debts and the contra accounts of the platform may go below zero.
  constraint ledger_floor check (
    available_cents >= 0 and reserved_cents >= 0 and blocked_cents >= 0 and in_transit_cents >= 0
    and suspense_cents >= 0),
  -- Accounts add up to zero: a change that moves only one side is refused.
  constraint ledger_balanced check (
    available_cents + reserved_cents + blocked_cents + in_transit_cents + suspense_cents + receivable_cents + psp_cents
    + fees_cents + adjustments_cents = 0),
  constraint ledger_debt_is_no_credit check (receivable_cents <= 0),
  -- Nothing is free to leave while a shortfall or a debt is open: whatever money arrives meets them in the statement that
  -- brings it. (An available balance below zero is the business of ledger_floor.)
  constraint ledger_claims_first check (
    available_cents <= 0 or (shortfall_cents = 0 and receivable_cents = 0))
) with (fillfactor = 50);

create function open_ledger_balances() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_balances (merchant_id) values (new.id);
  return null;
end $$;
create trigger open_ledger_balances after insert on users
for each row execute function open_ledger_balances();

-- The platform is older than the trigger.
insert into ledger_balances (merchant_id) values (0);

-- A merchant's row of balances is the lock of everything that claims them: whoever takes from reserves, or changes what a
-- dispute blocks, takes this lock first. The application may not write balances, and so cannot lock them without this
-- function. Rows are locked in the order of merchants, as everywhere.
create function lock_balances(merchant_ids bigint[])
returns table (merchant_id bigint, available_cents bigint, receivable_cents bigint, shortfall_cents bigint)
language sql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select merchant_id, available_cents, receivable_cents, shortfall_cents
  from ledger_balances
  where merchant_id = any(merchant_ids)
  order by merchant_id
  for no key update
$$;


-- Transfers -------------------------------------------------------------------------------------------------------------

create table ledger_transfers (
  merchant_id bigint not null,
  at timestamptz not null,
  -- The business event, and the id of its cause.
  event text collate "C" not null,
  reference text collate "C" not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  check (from_account <> to_account),
  -- An event counts once for its cause, however often it is posted. The only key: a transfer is identified by its cause.
  -- It begins with the reference, so that index entries written at the same time lie together.
  constraint ledger_event_once primary key (reference, merchant_id, event, from_account, to_account),
  constraint ledger_transfers_account_exists check (
    from_account in ('available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                     'adjustments')
    and to_account in ('available', 'reserved', 'blocked', 'in_transit', 'suspense', 'receivable', 'psp', 'fees',
                       'adjustments'))
);

-- For the statement, which shows the accounts available, reserved and blocked: a page reads as many entries of each event
-- as it shows lines. Transfers of one moment are put in order when they are read: a reference in each entry would double
-- what each payment pays for this index. The platform's own transfers are found by their cause.
create index ledger_transfers_by_event on ledger_transfers (merchant_id, event, to_account, at)
where from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked');

-- A transfer stays as it was written, whoever asks: a mistake is corrected by another transfer.
create trigger transfers_stay before update or delete on ledger_transfers
for each row execute function refuse_change();
create trigger transfers_stay_all before truncate on ledger_transfers
for each statement execute function refuse_change();

-- What changed on each day of America/Sao_Paulo in the three accounts of the statement, so that a balance at the end of a
-- day is known without a scan: today's balance less the changes since. What went out is what came in less the change.
create table ledger_days (
  merchant_id bigint not null,
  day date not null,
  available_change_cents bigint not null default 0,
  available_in_cents bigint not null default 0,
  reserved_change_cents bigint not null default 0,
  reserved_in_cents bigint not null default 0,
  blocked_change_cents bigint not null default 0,
  blocked_in_cents bigint not null default 0,
  primary key (merchant_id, day)
) with (fillfactor = 50);

-- The one place where balances change. Runs once per statement, however many transfers it inserts.
--
-- Rows are locked in one order by everybody, so two writers may wait for each other but never in a circle: an inner query
-- locks the balances in the order of their merchants, and the update changes what is locked. A new account becomes a
-- column here.
--
-- These statements reach a few rows by their keys. The planner, which sees small tables at first and keeps its plan, would
-- read the whole table for each payment; so scans and the joins that need them are off. The same holds for every function
-- below that has these settings.
create function apply_transfers() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved integer;
begin
  -- Keeps money right: the balances.
  update ledger_balances balance
  set available_cents = balance.available_cents + coalesce(change.available, 0)::bigint,
      reserved_cents = balance.reserved_cents + coalesce(change.reserved, 0)::bigint,
      blocked_cents = balance.blocked_cents + coalesce(change.blocked, 0)::bigint,
      in_transit_cents = balance.in_transit_cents + coalesce(change.in_transit, 0)::bigint,
      suspense_cents = balance.suspense_cents + coalesce(change.suspense, 0)::bigint,
      receivable_cents = balance.receivable_cents + coalesce(change.receivable, 0)::bigint,
      psp_cents = balance.psp_cents + coalesce(change.psp, 0)::bigint,
      fees_cents = balance.fees_cents + coalesce(change.fees, 0)::bigint,
      adjustments_cents = balance.adjustments_cents + coalesce(change.adjustments, 0)::bigint
  from (
    select sums.*
    from (
      select merchant_id,
             sum(case 'available' when target then cents when source then -cents end) as available,
             sum(case 'reserved' when target then cents when source then -cents end) as reserved,
             sum(case 'blocked' when target then cents when source then -cents end) as blocked,
             sum(case 'in_transit' when target then cents when source then -cents end) as in_transit,
             sum(case 'suspense' when target then cents when source then -cents end) as suspense,
             sum(case 'receivable' when target then cents when source then -cents end) as receivable,
             sum(case 'psp' when target then cents when source then -cents end) as psp,
             sum(case 'fees' when target then cents when source then -cents end) as fees,
             sum(case 'adjustments' when target then cents when source then -cents end) as adjustments
      from (
        select merchant_id, from_account as source, to_account as target, amount_cents as cents from written
      ) transfer
      group by merchant_id
    ) sums
    join ledger_balances locked using (merchant_id)
    order by merchant_id
    for no key update of locked
  ) change
  where balance.merchant_id = change.merchant_id;
  get diagnostics moved = row_count;

  -- Instead of a foreign key, which would lock the busiest rows once more for every transfer.
  if moved <> (select count(distinct merchant_id) from written) then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  -- Kept for speed only: the figures of the days.
  insert into ledger_days as known (
    merchant_id, day, available_change_cents, available_in_cents, reserved_change_cents, reserved_in_cents,
    blocked_change_cents, blocked_in_cents)
  select merchant_id, (at at time zone 'America/Sao_Paulo')::date,
         coalesce(sum(case 'available' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'available' then cents end), 0)::bigint,
         coalesce(sum(case 'reserved' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'reserved' then cents end), 0)::bigint,
         coalesce(sum(case 'blocked' when to_account then cents when from_account then -cents end), 0)::bigint,
         coalesce(sum(case to_account when 'blocked' then cents end), 0)::bigint
  from (select merchant_id, at, from_account, to_account, amount_cents as cents from written) transfer
  where from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked')
  group by 1, 2
  order by 1, 2
  on conflict (merchant_id, day) do update
  set available_change_cents = known.available_change_cents + excluded.available_change_cents,
      available_in_cents = known.available_in_cents + excluded.available_in_cents,
      reserved_change_cents = known.reserved_change_cents + excluded.reserved_change_cents,
      reserved_in_cents = known.reserved_in_cents + excluded.reserved_in_cents,
      blocked_change_cents = known.blocked_change_cents + excluded.blocked_change_cents,
      blocked_in_cents = known.blocked_in_cents + excluded.blocked_in_cents;

  return null;
end $$;

create trigger apply_transfers after insert on ledger_transfers
referencing new table as written
for each statement execute function apply_transfers();
