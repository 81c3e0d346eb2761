-- Operations: which gateway this is, whether our books agree with the bank's account, what the operator has to look at, and
-- what administrators did.


-- The gateway -----------------------------------------------------------------------------------------------------------

-- The stamp: what ties a database to its mode, bank, key and server.
create table gateway (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'live')),
  psp text not null,
  pix_key text not null,
  -- An encrypted known text: reveals a wrong SECRET_KEY before anything is read with it.
  secret_check bytea not null,
  -- The server from which money may leave, as server_identity() gives it, and its data directory; empty if it is not known.
  server text not null default '',
  data_directory text not null default '',
  -- The stop: while it is set, no withdrawal or refund is sent.
  payouts_stopped_because text,
  -- After a failover stopped payouts: when the gateway compares with the bank what was sent, by the server's clock, to resume
  -- them by itself. Null for every other stop: those an operator lifts.
  compare_with_bank_at timestamptz,
  -- Whether administrators still have to hear of a change of the server.
  server_change_unreported boolean not null default false,
  -- The current epoch of the feed of events. Transaction ids order events within an epoch, and each server has its own.
  feed_epoch integer not null default 1,
  created_at timestamptz not null
);

-- Identifies the cluster and its timeline, which PostgreSQL counts up when a standby is promoted or a backup recovered. Null
-- on a standby. The timeline in the control file is older than that of the log for some time after a promotion.
create function server_identity() returns text language sql volatile as $$
  select case when not pg_is_in_recovery()
    then system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end
  from pg_control_system()
$$;

-- Called on each new connection. After a failover, the latest transactions may be missing here: the bank may have carried out
-- orders that this database does not know, and readers may have cursors of events that no longer exist. So payouts stop, and
-- a new epoch of the feed begins.
create function recognize_server() returns void language plpgsql as $$
declare
  current text := server_identity();
begin
  -- A standby takes no updates, not even of no row.
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
             -- By then no call to the bank that was made before the failover is under way.
             case when is_resumable then now() + interval '90 seconds' end
      from (select split_part(current, '/', 1) = split_part(gateway.server, '/', 1)
              and (payouts_stopped_because is null or compare_with_bank_at is not null)) kind (is_resumable))
  where server <> current;
end $$;

-- When a process last found out that it can write here; health depends on it.
create table write_checks (
  only_row boolean primary key default true check (only_row),
  written_at timestamptz not null
);


-- Our books and the bank's account --------------------------------------------------------------------------------------

-- The bank says that something of ours changed there: a payout (by idEnvio), a return or a dispute of a Pix (by endToEndId).
-- None of it is believed: whoever processes the hint asks the bank. One row, however often it is said.
create table bank_hints (
  kind text not null check (kind in ('payout', 'return', 'dispute')),
  reference text collate "C" not null,
  -- When it was last said, and how often: what is said again while it is processed is processed again.
  told_at timestamptz not null,
  tellings integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (kind, reference)
);
create index bank_hints_due on bank_hints (kind, due_at);

-- The last look at the balance of the bank account. While it is in doubt, or was too low twice in a row, nothing is sent.
create table bank_balance (
  only_row boolean primary key default true check (only_row),
  read_at timestamptz not null,
  -- Null: the bank did not report it.
  balance_cents bigint,
  -- The last balance that the bank reported, and when: shown while it reports none.
  known_cents bigint,
  known_at timestamptz,
  -- The balance that our books require, and since when the account has held less.
  needed_cents bigint not null,
  below_since timestamptz
);

-- The last comparison of the account's balance with the books.
create table balance_comparison (
  only_row boolean primary key default true check (only_row),
  compared_at timestamptz not null,
  -- How much more the bank has than the books; null while money moved too fast to compare.
  difference_cents bigint
);

-- Days whose lists of Pix at the bank were compared with ours.
create table reconciled_days (
  day date primary key,
  -- Null until it was compared to its end for the first time.
  compared_at timestamptz,
  -- What was received on that day, what has gone back of it, and what was sent on that day.
  received_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  sent_cents bigint not null default 0,
  differences integer not null default 0,
  -- A comparison in progress: until when it belongs to a process, and what it has found so far.
  taken_until timestamptz,
  under_way jsonb
);

-- Movements of the bank account other than Pix: tariffs, the operator's fees taken out, money put in. Recorded by the operator.
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

-- Items that the operator has to examine, and close with evidence.
create table open_items (
  id uuid primary key,
  kind text not null,
  -- The payment, payout, day … that it is about; one kind has at most one open item for each.
  reference text collate "C" not null,
  merchant_id bigint not null default 0,
  detail jsonb not null,
  opened_at timestamptz not null,
  -- When a check last found it.
  seen_at timestamptz not null,
  closed_at timestamptz,
  closed_by bigint,
  evidence text
);
create unique index open_items_one on open_items (kind, reference) where closed_at is null;
create index open_items_of on open_items (kind, reference);
create index open_items_newest on open_items (opened_at desc, id desc);


-- The audit log ---------------------------------------------------------------------------------------------------------

-- Changes made by administrators. Append only.
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
-- For the sum that one administrator has adjusted today.
create index audit_log_actor on audit_log (actor_id, at);
-- Read newest first: of one account, of one administrator, or of one kind of action.
create index audit_log_of_subject on audit_log (subject_id, id);
create index audit_log_of_actor on audit_log (actor_id, id);
create index audit_log_of_action on audit_log (action, id);
create trigger audit_stays before update or delete on audit_log
for each row execute function refuse_change();
create trigger audit_stays_all before truncate on audit_log
for each statement execute function refuse_change();

-- Each entry of the log has its position, and an HMAC of itself and of the entry before, under a key outside the database.
create table audit_chain (
  position bigint primary key check (position > 0),
  entry_id bigint not null unique references audit_log (id),
  mac bytea not null
);
create trigger audit_chain_stays before update or delete on audit_chain
for each row execute function refuse_change();
create trigger audit_chain_stays_all before truncate on audit_chain
for each statement execute function refuse_change();

-- Where the chain ends; signed too, so that nobody can cut it short. Whoever adds an entry locks this row.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  entries bigint not null,
  last_mac bytea not null,
  mac bytea not null
);
insert into audit_head (entries, last_mac, mac) values (0, '', '');
