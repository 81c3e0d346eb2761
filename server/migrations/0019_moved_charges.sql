-- A charge that moves to another account of its merchant is listed there: it is due at the bank of that account, and the
-- account is not retired before the charge has ended.
create function list_moved_charge() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  update open_charges set connection_id = new.connection_id
  where merchant_id = new.merchant_id and charge_id = new.id;
  return null;
end $$;
do $$ begin
  create trigger list_moved_charges after update of connection_id on charges
  for each row when (old.connection_id <> new.connection_id) execute function list_moved_charge();
end $$;

-- The charges that moved until now.
update open_charges listed set connection_id = charges.connection_id
from charges
where charges.merchant_id = listed.merchant_id and charges.id = listed.charge_id
  and charges.connection_id <> listed.connection_id;
