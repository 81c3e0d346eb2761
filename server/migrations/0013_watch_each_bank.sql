-- What a bank tells is known by the account at which it is told: hints, disputes, how far its lists were read, and the
-- comparison of its days. So the word of one bank changes nothing that another told, even under the same id. 1 is the
-- operator's own account, which the settings name.
--
-- `bank_balance` and `balance_comparison` keep their single row: they hold the operator's own account against the books,
-- and the money of the merchants in the books lies in that account only.

alter table bank_hints add column connection_id integer not null default 1;
alter table bank_hints drop constraint bank_hints_pkey;
alter table bank_hints add primary key (connection_id, kind, reference);
drop index bank_hints_due;
create index bank_hints_due on bank_hints (connection_id, kind, due_at);

-- A list is read of each account, up to a time of its own.
alter table dispute_list_position drop column only_row;
alter table dispute_list_position add column connection_id integer not null default 1 primary key;
alter table received_pix_list_position drop column only_row;
alter table received_pix_list_position add column connection_id integer not null default 1 primary key;

alter table reconciled_days add column connection_id integer not null default 1;
alter table reconciled_days drop constraint reconciled_days_pkey;
alter table reconciled_days add primary key (connection_id, day);

-- The account at which the discrepancy was found. Two banks may use the same reference for different things.
alter table open_items add column connection_id integer not null default 1;
drop index open_items_one;
create unique index open_items_one on open_items (connection_id, kind, reference) where closed_at is null;

-- In a block, because Citus sends the whole text in which it finds such a statement to the workers, and they take one
-- statement at a time.
do $$ begin
  alter table disputes add column connection_id integer not null default 1;
  alter table disputes drop constraint disputes_merchant_id_bank_dispute_id_key;
  alter table disputes add constraint disputes_bank_id unique (merchant_id, connection_id, bank_dispute_id);
  drop index disputes_one_open;
  create unique index disputes_one_open on disputes (merchant_id, connection_id, end_to_end_id) where status = 'open';
  -- Each account's disputes are processed at its own bank.
  drop index disputes_due;
  create index disputes_due on disputes (connection_id, due_at) where due_at is not null;

  -- The account and the payment of a dispute and the disputed amount never change, claimed and returned amounts never fall,
  -- a defence is handed in once, and an ended dispute keeps its status.
  drop trigger guard_disputes on disputes;
  create trigger guard_disputes before update on disputes
  for each row when (
    (new.merchant_id, new.id, new.connection_id, new.bank_dispute_id, new.charge_id, new.end_to_end_id, new.disputed_cents,
     new.opened_at)
    is distinct from
    (old.merchant_id, old.id, old.connection_id, old.bank_dispute_id, old.charge_id, old.end_to_end_id, old.disputed_cents,
     old.opened_at)
    or new.claimed_cents < old.claimed_cents
    or (new.status <> old.status and old.status <> 'open')
    or new.returned_cents < old.returned_cents
    or (old.defence is not null and new.defence is distinct from old.defence))
  execute function refuse_dispute_change();
end $$;
