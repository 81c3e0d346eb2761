-- Money out: what a merchant set for withdrawals, and the withdrawals. An order stands here under our own id, its money
-- held, before it leaves for the bank; what becomes of it is the bank's word or an operator's evidence.

-- One row per merchant who ever set anything; made when first needed. Whatever asks for a merchant's money locks it first.
create table withdrawal_controls (
  merchant_id bigint primary key,
  -- argon2id under a key that is not in the database; null while no PIN is set.
  pin_hash text,
  pin_set_at timestamptz,
  -- Tries since the last right PIN or the last lock, and how often they have locked withdrawals since the last right PIN.
  wrong_pins integer not null default 0,
  pin_locks integer not null default 0,
  pin_locked_until timestamptz,
  -- Withdrawals wait until then, because something that guards them changed.
  held_until timestamptz,
  held_because text,
  -- Withdrawals by API key: off until turned on with password and PIN.
  api_enabled boolean not null default false,
  api_changed_at timestamptz
);

-- Where withdrawals by API key may go: saved with password and PIN.
create table withdrawal_destinations (
  merchant_id bigint not null,
  pix_key text not null,
  key_type text not null check (key_type in ('cpf', 'cnpj', 'email', 'phone', 'random')),
  label text not null default '',
  created_at timestamptz not null,
  primary key (merchant_id, pix_key)
);

create table withdrawals (
  merchant_id bigint not null,
  id uuid not null,
  -- Our name for the order at the bank: begins with the merchant's number, like a txid, and is else random.
  id_envio text collate "C" not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  origin text not null check (origin in ('panel', 'api')),
  -- The fee is part of the amount: the key receives amount less fee.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  key_type text not null check (key_type in ('cpf', 'cnpj', 'email', 'phone', 'random')),
  pix_key text not null,
  callback_url text,
  -- Known once the bank tells it.
  end_to_end_id text collate "C",
  -- Why it failed or waits: a stable code, and a Portuguese sentence for the merchant.
  error_code text,
  error text,
  -- What came back after completion.
  returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents - fee_cents),
  -- When it is looked at next; null when nothing is left to happen by itself.
  due_at timestamptz,
  -- How often it left for the bank. Since then: how often it was looked up there, and how often the bank knew nothing of it.
  sends integer not null default 0,
  lookups integer not null default 0,
  not_found integer not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  -- Since it left and nobody told what became of it.
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, id_envio)
);
create unique index withdrawals_one_at_a_time on withdrawals (merchant_id) where status in ('pending', 'processing');
create index withdrawals_newest on withdrawals (merchant_id, created_at desc, id desc);
create index withdrawals_newest_by_status on withdrawals (merchant_id, status, created_at desc, id desc);
create index withdrawals_due on withdrawals (due_at) where due_at is not null;
create index withdrawals_sent on withdrawals (first_sent_at) where first_sent_at is not null;
create index withdrawals_sent_by_merchant on withdrawals (merchant_id, first_sent_at) where first_sent_at is not null;

-- The fact that some of a payout came back, once for each of the bank's returns.
create table withdrawal_returns (
  merchant_id bigint not null,
  withdrawal_id uuid not null,
  rtr_id text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- At the bank, by its own word.
  returned_at timestamptz not null,
  booked_at timestamptz not null,
  primary key (merchant_id, rtr_id),
  foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id)
);
create index withdrawal_returns_of on withdrawal_returns (merchant_id, withdrawal_id);
create trigger withdrawal_returns_stay before update or delete on withdrawal_returns
for each row execute function refuse_change();

-- Up to where the bank's own list of sent Pix was read.
create table payout_reconciliation (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null
);

-- What a withdrawal is stays, what happened to it is not taken back, and its status goes along the paths that there are.
create function refuse_withdrawal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', case tg_op when 'INSERT' then 'a withdrawal begins as pending'
                                  else 'a withdrawal does not change this way' end
  using errcode = 'check_violation';
end $$;

create trigger guard_new_withdrawals before insert on withdrawals
for each row when (
  (new.status, new.sends, new.returned_cents) <> ('pending', 0, 0)
  or coalesce(new.first_sent_at, new.completed_at) is not null or new.end_to_end_id is not null)
execute function refuse_withdrawal();

create trigger guard_withdrawals before update on withdrawals
for each row when (
  (new.merchant_id, new.id, new.id_envio, new.origin, new.amount_cents, new.fee_cents, new.key_type, new.pix_key,
   new.callback_url, new.created_at)
  is distinct from
  (old.merchant_id, old.id, old.id_envio, old.origin, old.amount_cents, old.fee_cents, old.key_type, old.pix_key,
   old.callback_url, old.created_at)
  or (new.status <> old.status
      and (old.status, new.status) not in (
        ('pending', 'processing'), ('pending', 'failed'),
        ('processing', 'completed'), ('processing', 'failed'), ('completed', 'failed')))
  or (old.end_to_end_id is not null and new.end_to_end_id is distinct from old.end_to_end_id)
  or (old.first_sent_at is not null and new.first_sent_at is distinct from old.first_sent_at)
  or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
  or new.sends < old.sends or new.returned_cents < old.returned_cents
  or (new.sends > 0) <> (new.first_sent_at is not null)
  or (new.status = 'pending' and new.sends > 0) or (new.status in ('processing', 'completed') and new.sends = 0)
  or (new.status in ('pending', 'processing') and new.completed_at is not null)
  or (new.status = 'completed' and new.completed_at is null)
  or (new.completed_at is null and new.returned_cents > 0)
  -- It fails after completion when all of it came back, and only then.
  or (new.completed_at is not null
      and (new.status = 'failed') <> (new.returned_cents = new.amount_cents - new.fee_cents)))
execute function refuse_withdrawal();

-- No withdrawal stands without its postings, and none has others: looked at when the transaction ends that writes both.
create function check_withdrawal_postings() returns trigger
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform from withdrawals one
  cross join lateral (
    select coalesce(sum(amount_cents) filter (where event = 'withdrawal requested'), 0) as requested,
           coalesce(sum(amount_cents) filter (where event = 'withdrawal completed'), 0) as completed,
           coalesce(sum(amount_cents) filter (where event = 'withdrawal refused'), 0) as refused
    from ledger_transfers
    where ledger_transfers.merchant_id = one.merchant_id and reference = one.id::text
  ) posted
  cross join lateral (
    select coalesce(sum(amount_cents), 0) as returned from withdrawal_returns
    where withdrawal_returns.merchant_id = one.merchant_id and withdrawal_id = one.id
  ) back
  where one.merchant_id = new.merchant_id and one.id = new.id
    and (posted.requested, posted.completed, posted.refused, back.returned) <> (
      one.amount_cents,
      case when one.completed_at is null then 0 else one.amount_cents end,
      case when one.status = 'failed' and one.completed_at is null then one.amount_cents else 0 end,
      one.returned_cents);
  if found then
    raise exception 'a withdrawal differs from its postings' using errcode = 'check_violation',
      constraint = 'withdrawals_posted';
  end if;
  return null;
end $$;

create constraint trigger new_withdrawals_posted after insert on withdrawals deferrable initially deferred
for each row execute function check_withdrawal_postings();
create constraint trigger withdrawals_posted after update of status, returned_cents on withdrawals
deferrable initially deferred
for each row when ((new.status, new.returned_cents) <> (old.status, old.returned_cents))
execute function check_withdrawal_postings();

alter table merchant_counters
  add column pending_withdrawals_count bigint not null default 0,
  add column pending_withdrawals_cents bigint not null default 0,
  add column completed_withdrawals_count bigint not null default 0,
  -- Less what came back.
  add column completed_withdrawals_cents bigint not null default 0,
  add column failed_withdrawals_count bigint not null default 0;

create function count_new_withdrawals() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  counted integer;
begin
  update merchant_counters counter
  set pending_withdrawals_count = counter.pending_withdrawals_count + made.number,
      pending_withdrawals_cents = counter.pending_withdrawals_cents + made.cents
  from (
    select counts.*
    from (
      select merchant_id, count(*) as number, sum(amount_cents)::bigint as cents from written group by merchant_id
    ) counts
    join merchant_counters locked using (merchant_id)
    order by merchant_id
    for no key update of locked
  ) made
  where counter.merchant_id = made.merchant_id;
  get diagnostics counted = row_count;

  if counted <> (select count(distinct merchant_id) from written) then
    raise exception 'a withdrawal names a merchant who does not exist' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger count_new_withdrawals after insert on withdrawals
referencing new table as written
for each statement execute function count_new_withdrawals();

create function count_changed_withdrawals() returns trigger
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update merchant_counters counter
  set pending_withdrawals_count = counter.pending_withdrawals_count + change.pending,
      pending_withdrawals_cents = counter.pending_withdrawals_cents + change.pending_cents,
      completed_withdrawals_count = counter.completed_withdrawals_count + change.completed,
      completed_withdrawals_cents = counter.completed_withdrawals_cents + change.completed_cents,
      failed_withdrawals_count = counter.failed_withdrawals_count + change.failed,
      last_transaction_at = greatest(counter.last_transaction_at, change.newest)
  from (
    select sums.*
    from (
      select merchant_id,
             coalesce(sum(sign) filter (where status in ('pending', 'processing')), 0) as pending,
             coalesce(sum(sign * amount_cents) filter (where status in ('pending', 'processing')), 0)::bigint
               as pending_cents,
             coalesce(sum(sign) filter (where status = 'completed'), 0) as completed,
             coalesce(sum(sign * (amount_cents - returned_cents)) filter (where status = 'completed'), 0)::bigint
               as completed_cents,
             coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
             max(completed_at) filter (where sign = 1) as newest
      from (
        select 1 as sign, merchant_id, status, amount_cents, returned_cents, completed_at from written
        union all
        select -1, merchant_id, status, amount_cents, returned_cents, completed_at from was
      ) part
      group by merchant_id
    ) sums
    join merchant_counters locked using (merchant_id)
    where (sums.pending, sums.completed, sums.completed_cents, sums.failed) <> (0, 0, 0, 0)
    order by merchant_id
    for no key update of locked
  ) change
  where counter.merchant_id = change.merchant_id;
  return null;
end $$;

create trigger count_changed_withdrawals after update on withdrawals
referencing old table as was new table as written
for each statement execute function count_changed_withdrawals();
