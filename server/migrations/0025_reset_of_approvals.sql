-- A way out of a policy under which too few people are left who can approve: the operator takes it off, with the password
-- of the database's owner, and without approvals. The application's role cannot.
do $$ begin
  alter table approval_history drop constraint approval_history_kind_check;
  alter table approval_history add constraint approval_history_kind_check
  check (kind in ('policy', 'approver', 'destination', 'end', 'reset'));
  alter table approval_history drop constraint approval_history_check;
  alter table approval_history add constraint approval_history_check
  check ((kind in ('end', 'reset')) = (request_id is null));
  alter table approval_history add constraint approval_history_reset
  check (kind <> 'reset' or num_nonnulls(user_id, key_id, pix_key, mark) = 0);
end $$;

-- Not as the owner of the function: what counts is who inserts the row.
create function refuse_reset_by_others() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if current_user::regrole is distinct from (select relowner::regrole from pg_class where oid = tg_relid) then
    raise exception 'only the owner of the table takes a policy off' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger approval_history_reset_by_owner before insert on approval_history
for each row when (new.kind = 'reset') execute function refuse_reset_by_others();
