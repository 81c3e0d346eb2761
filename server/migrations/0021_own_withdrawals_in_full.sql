-- A withdrawal from an account of the merchant's own pays out all of its amount, because its fee is billed: so as much may
-- come back, and only then has it failed.
do $$
declare
  name text;
begin
  select conname into strict name from pg_constraint
  where conrelid = 'withdrawals'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%returned_cents%';
  execute format('alter table withdrawals drop constraint %I', name);
  alter table withdrawals add constraint withdrawals_returned_at_most_paid check (
    returned_cents between 0 and case when connection_id = 1 then amount_cents - fee_cents else amount_cents end);
end $$;

do $$ begin
  drop trigger guard_withdrawals on withdrawals;
  create trigger guard_withdrawals before update on withdrawals
  for each row when (
    -- The identity, the account and the terms of a withdrawal never change.
    (new.merchant_id, new.id, new.connection_id, new.id_envio, new.origin, new.amount_cents, new.fee_cents,
     new.key_type, new.pix_key, new.callback_url, new.created_at)
    is distinct from
    (old.merchant_id, old.id, old.connection_id, old.id_envio, old.origin, old.amount_cents, old.fee_cents,
     old.key_type, old.pix_key, old.callback_url, old.created_at)
    -- The status only moves forward. A completed withdrawal fails only when the whole amount came back.
    or (new.status <> old.status
        and (old.status, new.status) not in (
          ('pending', 'processing'), ('pending', 'failed'),
          ('processing', 'completed'), ('processing', 'failed'), ('completed', 'failed')))
    -- Once recorded, the facts about sending and completion stay.
    or (old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id)
    or (old.first_sent_at is not null and new.first_sent_at is distinct from old.first_sent_at)
    or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
    or new.send_count < old.send_count or new.returned_cents < old.returned_cents
    -- The status must agree with the other columns.
    or (new.send_count > 0) <> (new.first_sent_at is not null)
    or (new.status = 'pending' and new.send_count > 0)
    or (new.status in ('processing', 'completed') and new.send_count = 0)
    or (new.status in ('pending', 'processing') and new.completed_at is not null)
    or (new.status = 'completed' and new.completed_at is null)
    or (new.completed_at is null and new.returned_cents > 0)
    or (new.completed_at is not null
        and (new.status = 'failed') <> (
          new.returned_cents = case when new.connection_id = 1 then new.amount_cents - new.fee_cents else new.amount_cents end)))
  execute function refuse_withdrawal_change();
end $$;
