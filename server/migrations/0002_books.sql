-- The books: double entry, append only.
--
-- An entry is one event of one merchant: what it changes in each of the merchant's accounts. Its changes add up to zero, and
-- so do every merchant's balances. The function `post` writes the entries and moves the balances. The application's role may
-- call it, and may itself write neither entries nor balances (grants.sql): no code path can do one without the other.
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
  -- the triggers add_new_shortfall and add_changed_shortfall.
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
-- function. Rows are locked in the order of merchants, as everywhere, and each by a statement of its own.
create function lock_balances(merchant_ids bigint[])
returns table (merchant_id bigint, available_cents bigint, receivable_cents bigint, shortfall_cents bigint)
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  merchant bigint;
begin
  for merchant in select distinct one from unnest(merchant_ids) one order by one loop
    return query
    select merchant_id, available_cents, receivable_cents, shortfall_cents
    from ledger_balances where merchant_id = merchant for no key update;
  end loop;
end $$;


-- Entries ---------------------------------------------------------------------------------------------------------------

create table ledger_entries (
  merchant_id bigint not null,
  at timestamptz not null,
  -- The business event, and the id of its cause.
  event text collate "C" not null,
  reference text collate "C" not null,
  -- The change of each account: negative where money leaves it.
  available_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  blocked_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  suspense_cents bigint not null default 0,
  receivable_cents bigint not null default 0,
  psp_cents bigint not null default 0,
  fees_cents bigint not null default 0,
  adjustments_cents bigint not null default 0,
  -- An event counts once for its cause, however often it is posted. The key begins with the reference, so that index
  -- entries written at the same time lie together.
  constraint ledger_event_once primary key (reference, merchant_id, event),
  constraint ledger_entry_balanced check (
    available_cents + reserved_cents + blocked_cents + in_transit_cents + suspense_cents + receivable_cents + psp_cents
    + fees_cents + adjustments_cents = 0),
  constraint ledger_entry_moves check (
    (available_cents, reserved_cents, blocked_cents, in_transit_cents, suspense_cents, receivable_cents, psp_cents,
     fees_cents) <> (0, 0, 0, 0, 0, 0, 0, 0))
);

-- For the statements of the three accounts: a page reads as many entries of each event as it shows lines. Entries of one
-- moment are put in order when they are read: a reference in each index entry would double what each payment pays for it.
create index ledger_entries_of_available on ledger_entries (merchant_id, event, at) where available_cents <> 0;
create index ledger_entries_of_reserved on ledger_entries (merchant_id, event, at) where reserved_cents <> 0;
create index ledger_entries_of_blocked on ledger_entries (merchant_id, event, at) where blocked_cents <> 0;

-- An entry stays as it was written, whoever asks: a mistake is corrected by another entry.
create trigger entries_stay before update or delete on ledger_entries
for each row execute function refuse_change();
create trigger entries_stay_all before truncate on ledger_entries
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

-- The one place where entries are written and balances change: one entry for each place of the arrays. Returns false, and has
-- done nothing, when one of `gaining` has a shortfall or a debt: whoever posts then says first what of the money meets it.
-- What makes an entry wrong is refused by the constraints of the tables.
--
-- Rows are changed in one order by everybody, so two writers may wait for each other but never in a circle: the sums are put
-- in the order of their merchants, and each finds its row by the key. A new account becomes a column here.
--
-- The arrays are read again for each table, by a statement of its own, and no row is locked before it is changed: that costs
-- less than one statement over several tables, and tables that are spread over servers by merchant allow it.
--
-- These statements reach a few rows by their keys. The planner, which sees small tables at first and keeps its plan, would
-- read the whole table for each payment; so scans and the joins that need them are off. And plans are kept: for a few entries
-- it would plan anew each time, which takes longer than the statements themselves. The same holds for every function below
-- that has these settings.
create function post(
  posted_at timestamptz, merchants bigint[], event_names text[], causes text[], available bigint[], reserved bigint[],
  blocked bigint[], in_transit bigint[], suspense bigint[], receivable bigint[], psp bigint[], fees bigint[],
  adjustments bigint[], gaining bigint[]
) returns boolean
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  moved integer;
begin
  perform from ledger_balances
  where merchant_id = any(gaining) and (shortfall_cents > 0 or receivable_cents < 0) limit 1;
  if found then
    return false;
  end if;

  insert into ledger_entries (
    merchant_id, at, event, reference, available_cents, reserved_cents, blocked_cents, in_transit_cents, suspense_cents,
    receivable_cents, psp_cents, fees_cents, adjustments_cents)
  select one.merchant_id, posted_at, one.event, one.reference, one.available, one.reserved, one.blocked, one.in_transit,
         one.suspense, one.receivable, one.psp, one.fees, one.adjustments
  from unnest(merchants, event_names, causes, available, reserved, blocked, in_transit, suspense, receivable, psp, fees,
              adjustments)
    one (merchant_id, event, reference, available, reserved, blocked, in_transit, suspense, receivable, psp, fees,
         adjustments);

  -- Keeps money right: the balances.
  update ledger_balances balance
  set available_cents = balance.available_cents + change.available,
      reserved_cents = balance.reserved_cents + change.reserved,
      blocked_cents = balance.blocked_cents + change.blocked,
      in_transit_cents = balance.in_transit_cents + change.in_transit,
      suspense_cents = balance.suspense_cents + change.suspense,
      receivable_cents = balance.receivable_cents + change.receivable,
      psp_cents = balance.psp_cents + change.psp,
      fees_cents = balance.fees_cents + change.fees,
      adjustments_cents = balance.adjustments_cents + change.adjustments
  from (
    select one.merchant_id,
           sum(one.available)::bigint as available,
           sum(one.reserved)::bigint as reserved,
           sum(one.blocked)::bigint as blocked,
           sum(one.in_transit)::bigint as in_transit,
           sum(one.suspense)::bigint as suspense,
           sum(one.receivable)::bigint as receivable,
           sum(one.psp)::bigint as psp,
           sum(one.fees)::bigint as fees,
           sum(one.adjustments)::bigint as adjustments
    from unnest(merchants, available, reserved, blocked, in_transit, suspense, receivable, psp, fees, adjustments)
      one (merchant_id, available, reserved, blocked, in_transit, suspense, receivable, psp, fees, adjustments)
    group by one.merchant_id
    order by one.merchant_id
  ) change
  where balance.merchant_id = change.merchant_id;
  get diagnostics moved = row_count;

  -- Instead of a foreign key, which would lock the busiest rows once more for every entry.
  if moved <> (select count(distinct one.merchant_id) from unnest(merchants) one (merchant_id)) then
    raise exception 'an entry names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  -- Kept for speed only: the figures of the day.
  insert into ledger_days as known (
    merchant_id, day, available_change_cents, available_in_cents, reserved_change_cents, reserved_in_cents,
    blocked_change_cents, blocked_in_cents)
  select one.merchant_id, (posted_at at time zone 'America/Sao_Paulo')::date,
         sum(one.available)::bigint, sum(greatest(one.available, 0))::bigint,
         sum(one.reserved)::bigint, sum(greatest(one.reserved, 0))::bigint,
         sum(one.blocked)::bigint, sum(greatest(one.blocked, 0))::bigint
  from unnest(merchants, available, reserved, blocked) one (merchant_id, available, reserved, blocked)
  where (one.available, one.reserved, one.blocked) <> (0, 0, 0)
  group by one.merchant_id
  order by one.merchant_id
  on conflict (merchant_id, day) do update
  set available_change_cents = known.available_change_cents + excluded.available_change_cents,
      available_in_cents = known.available_in_cents + excluded.available_in_cents,
      reserved_change_cents = known.reserved_change_cents + excluded.reserved_change_cents,
      reserved_in_cents = known.reserved_in_cents + excluded.reserved_in_cents,
      blocked_change_cents = known.blocked_change_cents + excluded.blocked_change_cents,
      blocked_in_cents = known.blocked_in_cents + excluded.blocked_in_cents;
  return true;
end $$;
