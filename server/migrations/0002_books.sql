-- The books: double entry, append only.
--
-- An entry records one event for one merchant: the change of each of the merchant's accounts. The changes of an entry
-- add up to zero, and therefore so do the balances of every merchant. The function `post` writes entries and changes
-- balances. The application's role may call `post`, but may write neither table itself (grants.sql), so no code can
-- write an entry without its effect on the balances, or change a balance without an entry. docs/the-books.md explains
-- the accounts and the movements.


-- Balances --------------------------------------------------------------------------------------------------------------

-- One row per merchant with one column per account, so that a payment, which changes three accounts, locks and writes a
-- single row. Half of each page stays free, so that a new version of a row fits on the same page and no index has to be
-- updated.
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
  -- The disputed amount that could not be blocked. Not an account, but the sum of disputes.shortfall_cents, kept up to
  -- date by the triggers add_new_shortfall and add_changed_shortfall.
  shortfall_cents bigint not null default 0 check (shortfall_cents >= 0),

  -- Only `receivable` (a merchant's debt) and the contra accounts `psp`, `fees` and `adjustments` may go below zero.
  constraint ledger_floor check (
    available_cents >= 0 and reserved_cents >= 0 and blocked_cents >= 0 and in_transit_cents >= 0
    and suspense_cents >= 0),
  -- The accounts add up to zero, so a change of only one side is refused.
  constraint ledger_balanced check (
    available_cents + reserved_cents + blocked_cents + in_transit_cents + suspense_cents + receivable_cents + psp_cents
    + fees_cents + adjustments_cents = 0),
  constraint ledger_debt_is_no_credit check (receivable_cents <= 0),
  -- While a merchant has a shortfall or a debt, no money is available: money that arrives must reduce the shortfall or
  -- debt in the statement that books it. (ledger_floor refuses an available balance below zero.)
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

-- The first migration inserted the platform before this trigger existed.
insert into ledger_balances (merchant_id) values (0);

-- Locks the balances of merchants. The row of a merchant's balances is the lock for everything that draws on them:
-- whoever takes money from reserves, or changes how much a dispute blocks, locks this row first. The application needs
-- this function because PostgreSQL lets only a role that may write rows lock them. Rows are locked in the order of
-- merchants, as everywhere, so that two transactions never wait for each other in a circle; one statement for each row
-- guarantees that order.
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
  posted_at timestamptz not null,
  -- The name of the business event, and the id of what caused it, such as an endToEndId or a charge.
  event text collate "C" not null,
  reference text collate "C" not null,
  -- The change of each account; negative if money leaves the account.
  available_cents bigint not null default 0,
  reserved_cents bigint not null default 0,
  blocked_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  suspense_cents bigint not null default 0,
  receivable_cents bigint not null default 0,
  psp_cents bigint not null default 0,
  fees_cents bigint not null default 0,
  adjustments_cents bigint not null default 0,
  -- Each event is booked once for its cause: the key refuses a second posting. The key begins with the reference, so
  -- that index entries written at about the same time lie together.
  constraint ledger_event_once primary key (reference, merchant_id, event),
  constraint ledger_entry_balanced check (
    available_cents + reserved_cents + blocked_cents + in_transit_cents + suspense_cents + receivable_cents + psp_cents
    + fees_cents + adjustments_cents = 0),
  constraint ledger_entry_moves check (
    (available_cents, reserved_cents, blocked_cents, in_transit_cents, suspense_cents, receivable_cents, psp_cents,
     fees_cents) <> (0, 0, 0, 0, 0, 0, 0, 0))
);

-- For merchants' statements of these three accounts. A page of a statement reads as many entries of each event as it
-- has lines, and merges them. Entries of the same moment are sorted when they are read: with the reference in the index
-- too, each payment would write twice as much index data.
create index ledger_entries_of_available on ledger_entries (merchant_id, event, posted_at) where available_cents <> 0;
create index ledger_entries_of_reserved on ledger_entries (merchant_id, event, posted_at) where reserved_cents <> 0;
create index ledger_entries_of_blocked on ledger_entries (merchant_id, event, posted_at) where blocked_cents <> 0;

-- Nobody, not even the owner, changes or deletes an entry while these triggers exist: a mistake is corrected by another
-- entry.
create trigger entries_stay before update or delete on ledger_entries
for each row execute function refuse_change();
create trigger entries_stay_all before truncate on ledger_entries
for each statement execute function refuse_change();

-- Changes per day (in America/Sao_Paulo) of the three accounts that have a statement. The balance at the end of a day
-- is today's balance less the changes since, so no entries have to be added up. The amount that left an account on a
-- day is the amount that came in less the change.
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

-- The only place where entries are written and balances change. The elements at one index of the arrays are one entry.
-- `merchants_to_check` names the merchants whose available balance rises: if one of them has a shortfall or a debt,
-- `post` writes nothing and returns false, and the caller calls again, with entries that use the money for the
-- shortfall or debt first and with `merchants_to_check` empty. The constraints of the tables refuse entries that are
-- wrong.
--
-- Every writer changes rows in the order of their merchants, so two writers may wait for each other but never in a
-- circle: the sums per merchant are sorted, and each finds its row by the primary key. A new account needs one more
-- argument and column here.
--
-- Each table has its own statement, which reads the arrays again, and no row is locked before it is changed. This is
-- cheaper than one statement over several tables, and also works when tables are spread over servers by merchant.
--
-- The settings: these statements find a few rows by their keys. The planner keeps the plan that it makes when the
-- tables are still small, and that plan would later read a whole table for each payment; so sequential scans, and the
-- joins that need them, are off. `force_generic_plan` makes the planner keep its plan in any case: for a few entries it
-- would make a new one each time, which takes longer than the statements. The same reasons hold for all later functions
-- with these settings.
create function post(
  posted_at timestamptz, merchants bigint[], event_names text[], entry_references text[], available bigint[],
  reserved bigint[], blocked bigint[], in_transit bigint[], suspense bigint[], receivable bigint[], psp bigint[],
  fees bigint[], adjustments bigint[], merchants_to_check bigint[]
) returns boolean
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  moved integer;
begin
  perform from ledger_balances
  where merchant_id = any(merchants_to_check) and (shortfall_cents > 0 or receivable_cents < 0) limit 1;
  if found then
    return false;
  end if;

  insert into ledger_entries (
    merchant_id, posted_at, event, reference, available_cents, reserved_cents, blocked_cents, in_transit_cents,
    suspense_cents, receivable_cents, psp_cents, fees_cents, adjustments_cents)
  select one.merchant_id, posted_at, one.event, one.reference, one.available, one.reserved, one.blocked, one.in_transit,
         one.suspense, one.receivable, one.psp, one.fees, one.adjustments
  from unnest(merchants, event_names, entry_references, available, reserved, blocked, in_transit, suspense, receivable,
              psp, fees, adjustments)
    one (merchant_id, event, reference, available, reserved, blocked, in_transit, suspense, receivable, psp, fees,
         adjustments);

  -- The balances, which decide how much money may leave.
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

  -- Replaces a foreign key, which would lock the busiest rows once more for every entry.
  if moved <> (select count(distinct one.merchant_id) from unnest(merchants) one (merchant_id)) then
    raise exception 'an entry names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  -- The figures of the day, which are kept only for speed.
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
