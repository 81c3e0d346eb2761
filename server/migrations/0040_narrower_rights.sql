-- Nobody runs a function of ours but its owner, and who is granted it by name (grants.sql). PostgreSQL lets everybody run
-- every function: with a temporary table of its own and a trigger on it, the application's role could have had balances
-- moved without a transfer, by the functions that write them as their owner.

do $$ declare ours regprocedure; begin
  for ours in
    select oid from pg_proc
    where pronamespace = 'public'::regnamespace
      -- An extension's functions do what its operators do, which everybody may use.
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  loop
    execute format('revoke execute on function %s from public', ours);
  end loop;
  execute format('revoke temporary on database %I from public', current_database());
end $$;
-- Of functions that are made later, the job queue's too.
alter default privileges revoke execute on functions from public;

-- These are called by triggers of tables that the application writes, and call a function that it may not run.
alter function check_charge_against_refunds() security definer;
alter function check_refund_against_charge() security definer;
