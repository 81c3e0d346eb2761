-- The rights of the application's role, whose name replaces :app_role. The owner runs this file at every start, after
-- the migrations. It first grants reading and writing of every table, and then takes rights away, so that not even a
-- defect in the application can rewrite history, forge a figure or lose a record of money.
grant usage on schema public to :app_role;
grant select, insert, update, delete on all tables in schema public to :app_role;
grant usage, select on all sequences in schema public to :app_role;

-- The functions that the application calls. Trigger functions need no grant: they run for whoever sets them off.
grant execute on function lock_balances(bigint[], integer), lock_merchant_counters(bigint[]) to :app_role;
grant execute on function post, settle, hold_own_pix to :app_role;
grant execute on function server_identity, detect_server_change to :app_role;
grant execute on function write_events, untried_deliveries, write_notifications, write_messages to :app_role;
-- Repeated from the first migration, because a database that was copied, or restored from a dump without its rights, has
-- those of a new one: everybody may run every function and create temporary tables. Functions of extensions stay free; those
-- of an operator in this schema need a grant of their own.
alter default privileges revoke execute on functions from public;
do $$
declare
  routine regprocedure;
begin
  execute format('revoke temporary on database %I from public', current_database());
  for routine in
    select oid from pg_proc
    where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      and exists (
        select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0 and privilege_type = 'EXECUTE')
  loop
    execute format('revoke execute on routine %s from public', routine);
  end loop;
end $$;

-- Entries, balances and the figures that are kept for speed. Only functions that run as the owner write them: `post`,
-- `settle` and the trigger functions.
revoke insert, update, delete on ledger_entries, ledger_balances, ledger_days, merchant_counters, merchant_days, charge_runs,
open_charges, ended_charges, unposted_pix from :app_role;

-- History: rows are added and never changed.
revoke update, delete on approval_history, withdrawal_returns, bank_movements, audit_log, audit_chain from :app_role;
revoke update, delete on charge_metadata, charge_options, charge_reminders, debit_reminders, fee_statement_days from :app_role;

-- Records that change but are never deleted. Only `settle` inserts a received Pix, so that it always has its ledger
-- entry; what an account of a merchant's own holds without one, `hold_own_pix` inserts.
revoke insert on received_pix from :app_role;
revoke delete on users, scoped_keys, kyc_submissions from :app_role;
revoke delete on customers, reminder_settings from :app_role;
revoke delete on bank_connections, charges, due_terms, abandoned_charges, received_pix, held_pix, charge_batches, charge_batch_lines, reserves, payment_links, counter_codes from :app_role;
revoke delete on withdrawals, refunds, disputes, reserve_claims, open_items from :app_role;
revoke delete on fee_statements, fee_statement_charges, approval_requests from :app_role;
revoke delete on subscriptions, mandates, cycles, cycle_codes, debit_attempts from :app_role;
revoke update on approvals from :app_role;

-- The end of the audit log moves, but its row always exists.
revoke insert, delete on audit_head from :app_role;

-- Only the owner migrates the database.
revoke insert, update, delete on schema_migrations from :app_role;
