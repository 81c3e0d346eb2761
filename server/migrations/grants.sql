-- What the application's role may do. Run after every migration by the owner; :app_role is its name.
grant usage on schema public to :app_role;
grant select, insert, update, delete on all tables in schema public to :app_role;
grant usage, select on all sequences in schema public to :app_role;
-- What it calls by itself: a trigger needs no right of whoever sets it off.
grant execute on function lock_balances(bigint[]), lock_merchant_counters(bigint[]) to :app_role;
-- A copy of a database, or one that is loaded from a dump, has the rights of a new one.
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;
revoke update, delete on ledger_transfers, audit_log, audit_chain from :app_role;
revoke insert, delete on audit_head from :app_role;
revoke insert, update, delete on ledger_balances, ledger_days, merchant_counters, merchant_days, charge_runs
from :app_role;
revoke insert, update, delete on schema_migrations from :app_role;
revoke delete on users, charges, received_pix, reserves, reserve_claims from :app_role;
revoke delete on disputes, refunds from :app_role;
revoke delete on withdrawals from :app_role;
revoke update, delete on withdrawal_returns from :app_role;
revoke delete on kyc_submissions from :app_role;
revoke delete on open_items from :app_role;
revoke update, delete on bank_movements from :app_role;
revoke update, delete on charge_metadata from :app_role;
revoke update, delete on charge_options from :app_role;
revoke delete on payment_links, counter_codes from :app_role;
revoke delete on scoped_keys from :app_role;
