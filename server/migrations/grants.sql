-- What the application's role may do. The owner runs this at every start, after the migrations; :app_role is the role's
-- name. It may read and write every table; then rights are taken away, so that not even a mistake of ours can rewrite
-- history, forge a figure, or lose a record of money.
grant usage on schema public to :app_role;
grant select, insert, update, delete on all tables in schema public to :app_role;
grant usage, select on all sequences in schema public to :app_role;

-- Functions that it calls by itself. Those of triggers need no grant: they run for whoever sets them off.
grant execute on function lock_balances(bigint[]), lock_merchant_counters(bigint[]) to :app_role;
grant execute on function post, settle to :app_role;
grant execute on function server_identity, recognize_server to :app_role;
grant execute on function write_events, untried_deliveries, write_notifications, write_messages to :app_role;
-- As in the first migration. A copy of a database, or one restored from a dump, has the rights of a new one.
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;

-- Written only by functions that run as the owner (`post`, `settle`, and those of triggers): entries, balances, and figures kept for speed.
revoke insert, update, delete on ledger_entries, ledger_balances, ledger_days, merchant_counters, merchant_days, charge_runs,
open_charges, ended_charges, unposted_pix from :app_role;

-- History: rows are added, and then stay as they are.
revoke update, delete on withdrawal_returns, bank_movements, audit_log, audit_chain from :app_role;
revoke update, delete on charge_metadata, charge_options from :app_role;

-- Records that change, but are never deleted. A received Pix is written by `settle`, with its entry in the books.
revoke insert on received_pix from :app_role;
revoke delete on users, scoped_keys, kyc_submissions from :app_role;
revoke delete on charges, received_pix, reserves, payment_links, counter_codes from :app_role;
revoke delete on withdrawals, refunds, disputes, reserve_claims, open_items from :app_role;

-- The end of the audit log moves, but there is always one.
revoke insert, delete on audit_head from :app_role;

-- Migrations are the owner's.
revoke insert, update, delete on schema_migrations from :app_role;
