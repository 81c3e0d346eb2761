-- Monthly statements of the fees that cannot be kept back, because the payments arrived at an account of the merchant's
-- own. A statement is paid by Pix into the operator's account, or marked as paid by an administrator.

create table fee_statements (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- The first day of the month whose fees it has.
  month date not null check (extract(day from month) = 1),
  -- What people call it by: the month and the merchant's number.
  number text collate "C" not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  fee_count integer not null check (fee_count > 0),
  closed_at timestamptz not null,
  -- The last day on which it is paid in time.
  due_on date not null,
  state text not null default 'open' check (state in ('open', 'paid')),
  paid_at timestamptz,
  -- The Pix that paid it, or what an administrator wrote about a payment by other means.
  end_to_end_id text collate "C",
  paid_reference text,
  -- Of what the merchant was last told: that it was closed, that new charges will be refused, or that they are.
  told text not null default 'closed' check (told in ('closed', 'warned', 'stopped')),
  primary key (merchant_id, id),
  unique (merchant_id, month),
  check ((state = 'paid') = (paid_at is not null)),
  check (num_nonnulls(end_to_end_id, paid_reference) = case state when 'paid' then 1 else 0 end)
);
create index fee_statements_open on fee_statements (due_on, merchant_id, id) where state = 'open';
create index fee_statements_newest on fee_statements (month desc, merchant_id desc);

-- The fees of a statement, by the day on which they fell due.
create table fee_statement_days (
  merchant_id bigint not null,
  statement_id uuid not null,
  day date not null,
  fee_count integer not null check (fee_count > 0),
  amount_cents bigint not null check (amount_cents > 0),
  primary key (merchant_id, statement_id, day),
  foreign key (merchant_id, statement_id) references fee_statements (merchant_id, id)
);

-- The charges by which a statement can be paid at the operator's bank. An older one is paid too, if its Pix comes late.
create table fee_statement_charges (
  merchant_id bigint not null,
  -- Begins with the merchant's number, so a Pix leads to it by the primary key.
  txid text collate "C" not null,
  statement_id uuid not null,
  -- Empty until the bank has confirmed the charge.
  br_code text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, txid),
  foreign key (merchant_id, statement_id) references fee_statements (merchant_id, id)
);
create index fee_statement_charges_of_statement on fee_statement_charges (merchant_id, statement_id, created_at);

create function refuse_fee_statement_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a fee statement does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_fee_statements before update on fee_statements
for each row when (
  (new.merchant_id, new.id, new.month, new.number, new.amount_cents, new.fee_count, new.closed_at, new.due_on)
  is distinct from
  (old.merchant_id, old.id, old.month, old.number, old.amount_cents, old.fee_count, old.closed_at, old.due_on)
  or old.state = 'paid')
execute function refuse_fee_statement_change();
create trigger guard_fee_statement_days before update or delete on fee_statement_days
for each row execute function refuse_fee_statement_change();
create trigger guard_fee_statement_charges before update on fee_statement_charges
for each row when (
  (new.merchant_id, new.txid, new.statement_id, new.created_at, new.expires_at)
  is distinct from
  (old.merchant_id, old.txid, old.statement_id, old.created_at, old.expires_at)
  or (old.br_code <> '' and new.br_code <> old.br_code))
execute function refuse_fee_statement_change();

-- A statement is what its days say, and it is paid by the entry that says so, in full. Checked at commit, because the
-- transaction writes them by separate statements.
create function check_fee_statement() returns trigger
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  day_count bigint;
  day_cents bigint;
  paid_cents bigint;
begin
  select coalesce(sum(fee_count), 0), coalesce(sum(amount_cents), 0) into day_count, day_cents
  from fee_statement_days where merchant_id = new.merchant_id and statement_id = new.id;
  select coalesce(sum(fees_due_cents), 0) into paid_cents
  from ledger_entries
  where merchant_id = new.merchant_id and connection_id = 1
    and (reference, event) in ((new.end_to_end_id, 'fees paid'), (new.id::text, 'fees paid elsewhere'));
  if (day_count, day_cents) <> (new.fee_count, new.amount_cents)
     or paid_cents <> (case new.state when 'paid' then new.amount_cents else 0 end) then
    raise exception 'a fee statement differs from its days or its payment' using errcode = 'check_violation',
      constraint = 'fee_statements_right';
  end if;
  return null;
end $$;
create constraint trigger new_fee_statements_right after insert on fee_statements deferrable initially deferred
for each row execute function check_fee_statement();
create constraint trigger fee_statements_right after update of state on fee_statements deferrable initially deferred
for each row execute function check_fee_statement();

do $$ begin
  -- Adds up the fees of a merchant by day.
  create index ledger_entries_of_fees_due on ledger_entries (merchant_id, posted_at) include (fees_due_cents)
  where fees_due_cents < 0;

  -- `fees`: the Pix paid a fee statement. It has no charge.
  alter table received_pix drop constraint received_pix_outcome_check;
  alter table received_pix add constraint received_pix_outcome_check
  check (outcome in ('credited', 'suspense', 'assigned', 'returning', 'returned', 'fees'));
end $$;
