-- Operations: the identity of this gateway, the comparison of our books with the bank's account, the items that the
-- operator has to examine, and the log of what administrators did.


-- The gateway -----------------------------------------------------------------------------------------------------------

-- The stamp, which ties a database to one mode, bank, Pix key, SECRET_KEY and server. If the server changes, payouts
-- stop; with another mode, bank, Pix key or SECRET_KEY the gateway refuses to start.
create table gateway (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'live')),
  psp text not null,
  pix_key text not null,
  -- A known text, encrypted. If it cannot be decrypted, SECRET_KEY is wrong, and the gateway stops before it uses the
  -- key.
  secret_check bytea not null,
  -- The PostgreSQL server on which the database was last found, as returned by server_identity(), and its data
  -- directory; each is empty if not known. A change of either stops payouts.
  server text not null default '',
  data_directory text not null default '',
  -- The reason for the payouts stop. While it is set, no withdrawal or refund is sent.
  payouts_stopped_because text,
  -- Set when a failover stopped payouts: the time, by the server's clock, at which the gateway compares the orders sent
  -- with the bank's lists, and resumes payouts by itself if they agree. Null for all other stops, which an operator
  -- lifts.
  compare_with_bank_at timestamptz,
  -- Whether administrators are still to be told that the server changed.
  server_change_unreported boolean not null default false,
  -- The current epoch of the log of events. Transaction ids order the events of an epoch. Another server has
  -- transaction ids of its own, so a change of the server begins a new epoch.
  feed_epoch integer not null default 1,
  created_at timestamptz not null
);

-- Returns the system identifier of the PostgreSQL cluster and its timeline, or null on a standby. PostgreSQL increases
-- the timeline when a standby is promoted or a backup is recovered. The timeline is read from the write-ahead log,
-- because the control file still has the old one for some time after a promotion.
create function server_identity() returns text language sql volatile as $$
  select case when not pg_is_in_recovery()
    then system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end
  from pg_control_system()
$$;

-- Called on each new connection, to notice a failover. After one, the latest transactions may be missing from this
-- database: the bank may have carried out orders that are unknown here, and readers of the log may have cursors of
-- events that no longer exist. So payouts stop, and a new epoch of the log begins. Payouts resume by themselves only if
-- the cluster is still the same (a promoted standby) and payouts were not stopped for another reason before.
create function detect_server_change() returns void language plpgsql as $$
declare
  current text := server_identity();
begin
  -- A standby refuses every update, even one that would change no row, so the update must not run there.
  if current is null or not exists (select from gateway where server <> current) then return; end if;
  update gateway set
    server = current,
    data_directory = '',
    feed_epoch = feed_epoch + 1,
    server_change_unreported = true,
    (payouts_stopped_because, compare_with_bank_at) = (
      select case
               when is_resumable then format('o banco de dados passou a outro servidor (linha do tempo %s), e os envios estão sendo conferidos no banco', ltrim(split_part(current, '/', 2), '0'))
               else coalesce(payouts_stopped_because, 'o banco de dados acordou em outro servidor PostgreSQL') end,
             -- No call to the bank takes 90 seconds, so none that began before the failover is still running then.
             case when is_resumable then now() + interval '90 seconds' end
      from (select split_part(current, '/', 1) = split_part(gateway.server, '/', 1)
              and (payouts_stopped_because is null or compare_with_bank_at is not null)) kind (is_resumable))
  where server <> current;
end $$;

-- When a process last checked that it can write to this database. The health check depends on it.
create table write_checks (
  only_row boolean primary key default true check (only_row),
  written_at timestamptz not null
);


-- Our books and the bank's account --------------------------------------------------------------------------------------

-- Hints: callbacks from the bank that a payout (by its idEnvio), or a return or dispute of a Pix (by its endToEndId),
-- has changed. A hint is never trusted: whoever processes it asks the bank. Repeated hints about the same thing share
-- one row.
create table bank_hints (
  kind text not null check (kind in ('payout', 'return', 'dispute')),
  reference text collate "C" not null,
  -- When the hint last arrived, and how often it did. A hint that arrives again while it is being processed is
  -- processed once more.
  last_received_at timestamptz not null,
  times_received integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (kind, reference)
);
create index bank_hints_due on bank_hints (kind, due_at);

-- The last poll of the bank account's balance. No payouts are sent while the balance is unknown, or after two polls in
-- a row found it too low.
create table bank_balance (
  only_row boolean primary key default true check (only_row),
  read_at timestamptz not null,
  -- Null if the bank did not report a balance.
  balance_cents bigint,
  -- The last balance that the bank did report, and its time: shown while the bank reports none.
  known_cents bigint,
  known_at timestamptz,
  -- The balance that the account must have according to our books, and since when it has had less.
  needed_cents bigint not null,
  below_since timestamptz
);

-- The last comparison of the bank account's balance with the books.
create table balance_comparison (
  only_row boolean primary key default true check (only_row),
  compared_at timestamptz not null,
  -- How much more the bank has than the books say; null if money moved during every attempt to compare.
  difference_cents bigint
);

-- The comparison of each day's Pix at the bank with ours.
create table reconciled_days (
  day date primary key,
  -- Null until the first comparison of the day is complete.
  compared_at timestamptz,
  -- The amount received on that day, the part of it that was returned since, and the amount sent on that day.
  received_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  sent_cents bigint not null default 0,
  differences integer not null default 0,
  -- A comparison in progress: the end of the lease of the process that makes it, and the result so far.
  lease_until timestamptz,
  comparison_progress jsonb
);

-- Changes of the bank account other than by Pix, recorded by the operator: bank tariffs, fees that the operator took
-- out, and money that was added.
create table bank_movements (
  id uuid primary key,
  kind text not null check (kind in ('tariff', 'fees-taken', 'top-up')),
  amount_cents bigint not null check (amount_cents > 0),
  description text not null default '',
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by bigint not null
);
create index bank_movements_newest on bank_movements (happened_at desc, id desc);

-- Discrepancies that the operator has to examine and close with evidence.
create table open_items (
  id uuid primary key,
  kind text not null,
  -- The payment, payout, day and so on that the item is about. There is at most one open item for each kind and
  -- reference.
  reference text collate "C" not null,
  merchant_id bigint not null default 0,
  detail jsonb not null,
  opened_at timestamptz not null,
  -- When a check last found the discrepancy.
  seen_at timestamptz not null,
  closed_at timestamptz,
  closed_by bigint,
  evidence text
);
create unique index open_items_one on open_items (kind, reference) where closed_at is null;
create index open_items_of on open_items (kind, reference);
create index open_items_newest on open_items (opened_at desc, id desc);


-- The audit log ---------------------------------------------------------------------------------------------------------

-- Changes made by administrators. Entries are never changed or deleted.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint not null references users (id),
  action text not null,
  subject_id bigint not null references users (id),
  reason text,
  before jsonb not null,
  after jsonb not null
);
-- For the total of balance adjustments that one administrator made today, which is limited.
create index audit_log_actor on audit_log (actor_id, at);
-- For pages of the log, newest first, about one account, by one administrator, or of one kind of action.
create index audit_log_of_subject on audit_log (subject_id, id);
create index audit_log_of_actor on audit_log (actor_id, id);
create index audit_log_of_action on audit_log (action, id);
create trigger audit_stays before update or delete on audit_log
for each row execute function refuse_change();
create trigger audit_stays_all before truncate on audit_log
for each statement execute function refuse_change();

-- The position of each entry of the audit log, and an HMAC over the entry and the HMAC before it, with a key that is
-- not in the database. Whoever changes, inserts or removes an entry without the key breaks the chain.
create table audit_chain (
  position bigint primary key check (position > 0),
  entry_id bigint not null unique references audit_log (id),
  mac bytea not null
);
create trigger audit_chain_stays before update or delete on audit_chain
for each row execute function refuse_change();
create trigger audit_chain_stays_all before truncate on audit_chain
for each statement execute function refuse_change();

-- The end of the chain. It has an HMAC of its own, so that nobody can cut off the last entries unnoticed. Whoever adds
-- an entry locks this row, so that entries are chained one after the other.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  entries bigint not null,
  last_mac bytea not null,
  mac bytea not null
);
insert into audit_head (entries, last_mac, mac) values (0, '', '');
