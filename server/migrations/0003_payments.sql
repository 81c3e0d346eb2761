-- Money in: charges, the Pix that pay them, reserves (the share of each payment that is withheld for some days), and
-- payment links and counter codes, which create charges without a call to the API.
--
-- All triggers in this file protect money: they refuse changes that must never happen. The triggers that keep counters
-- for screens are in 0006_figures.sql.


-- Charges ---------------------------------------------------------------------------------------------------------------

create table charges (
  merchant_id bigint not null,
  -- A UUID of version 7. It begins with the millisecond of created_at, so the primary key already has the order of the
  -- merchant's lists.
  id uuid not null,
  -- The merchant's number, the id in base 62 and five random characters. The primary key can be read from it, so a
  -- notice from the bank leads to its charge without another index.
  txid text collate "C" not null,
  status text not null check (status in ('pending', 'paid', 'expired', 'refunded', 'error')),
  amount_cents bigint not null check (amount_cents > 0),

  -- The account's terms when the charge was created. The charge settles by these terms even if the account's terms
  -- change.
  in_rate integer not null,
  fix_in_cents bigint not null,
  reserve_rate integer not null,
  reserve_days integer not null,
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  reserve_cents bigint not null check (reserve_cents >= 0 and reserve_cents <= amount_cents - fee_cents),

  expires_at timestamptz not null,
  callback_url text,
  -- Pix copia e cola; empty until the bank has confirmed the charge.
  br_code text not null default '',
  -- The Pix that paid the charge.
  end_to_end_id text collate "C",
  paid_at timestamptz,
  -- The amounts already refunded and being refunded. Together they never exceed the payment.
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  refunding_cents bigint not null default 0,
  cancelled_at timestamptz check (cancelled_at is null or status <> 'pending'),
  -- When a pending charge is next looked up at the bank (see open_charges).
  next_check_at timestamptz,

  -- The integrator's own id for the charge. Not unique, because an order that is charged again keeps its id.
  external_id text check (length(external_id) between 1 and 100),
  -- The integrator's own texts by name. Searched through charge_metadata.
  metadata jsonb,
  -- The call that created the charge (null for the Pix of a counter code, which arrives without a call), and what
  -- created it: the id of a named API key, or panel, readable-key, payment-link or counter-code.
  request_id text,
  made_with text,

  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  constraint charges_refunds_within_payment check (
    refunding_cents >= 0 and refunded_cents + refunding_cents <= amount_cents)
) with (fillfactor = 50);
-- No indexed column ever changes. So PostgreSQL can write a new version of a charge to the same page without touching
-- an index (a HOT update), both when the charge gets its BR Code and when it is paid. Half of each page stays free for
-- the new versions: with 70 percent filled, two of five updates found no room on their page. Lists by status and the
-- look-up of due charges therefore use open_charges and ended_charges, and received_pix leads from a Pix to the charge
-- that it paid.
create index charges_by_amount on charges (merchant_id, amount_cents, id);
create index charges_by_external_id on charges (merchant_id, external_id, id) where external_id is not null;

-- The rules for new charges and for changes of charges. The counters of 0006_figures.sql rely on them.
create function refuse_malformed_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a charge begins as pending, with the time in its id' using errcode = 'check_violation';
end $$;
create trigger guard_new_charges before insert on charges
for each row when (
  new.status not in ('pending', 'error') or (new.refunding_cents, new.refunded_cents) <> (0, 0)
  -- The first 48 bits of the id must be created_at in milliseconds, and created_at may have no finer part: lists in the
  -- order of time are sorted by the id alone.
  or ('x' || translate(left(new.id::text, 13), '-', ''))::bit(48)::bigint <> extract(epoch from new.created_at) * 1000)
execute function refuse_malformed_charge();

-- The rules are in the function, not in a `when` condition of the trigger: PostgreSQL parses such a condition again for
-- each statement, which for this long one costs as much as fifty calls of the function.
create function guard_charge() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if
    -- The identity, the terms and the creator of a charge never change.
    (new.merchant_id, new.id, new.txid, new.amount_cents, new.in_rate, new.fix_in_cents, new.reserve_rate,
     new.reserve_days, new.fee_cents, new.reserve_cents, new.expires_at, new.created_at,
     new.external_id, new.metadata, new.request_id, new.made_with)
    is distinct from
    (old.merchant_id, old.id, old.txid, old.amount_cents, old.in_rate, old.fix_in_cents, old.reserve_rate,
     old.reserve_days, old.fee_cents, old.reserve_cents, old.expires_at, old.created_at,
     old.external_id, old.metadata, old.request_id, old.made_with)
    or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at)
    -- The status only moves forward. Money that arrives late still pays a charge that has expired or failed.
    or (new.status <> old.status
        and (old.status, new.status) not in (
          ('pending', 'paid'), ('pending', 'expired'), ('pending', 'error'),
          ('expired', 'paid'), ('error', 'paid'), ('paid', 'refunded')))
    -- The Pix that paid the charge never changes, and the refunded amount never falls.
    or (old.end_to_end_id is not null
        and (new.end_to_end_id, new.paid_at) is distinct from (old.end_to_end_id, old.paid_at))
    or new.refunded_cents < old.refunded_cents
    or (new.refunded_cents + new.refunding_cents > 0 and new.paid_at is null)
    -- The status must agree with the other columns.
    or (new.status = 'refunded') <> (new.refunded_cents = new.amount_cents)
    or (new.status in ('paid', 'refunded')) <> (new.end_to_end_id is not null)
    or (new.end_to_end_id is null) <> (new.paid_at is null)
  then
    raise exception 'a charge does not change this way' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_charges before update on charges
for each row execute function guard_charge();

-- The pending charges, to list them and to find those that are due. The triggers of 0006_figures.sql write this table
-- and the next one.
create table open_charges (
  merchant_id bigint not null,
  charge_id uuid not null,
  next_check_at timestamptz,
  primary key (merchant_id, charge_id)
);
create index open_charges_due on open_charges (next_check_at);

-- The charges that are paid, refunded, expired or failed, to list them by status.
create table ended_charges (
  merchant_id bigint not null,
  status text collate "C" not null,
  charge_id uuid not null,
  primary key (merchant_id, status, charge_id)
);

-- One row for each entry of a charge's metadata. Finds the charges that have a given entry, newest first, no matter how
-- many charges share it.
create table charge_metadata (
  merchant_id bigint not null,
  name text collate "C" not null,
  value text collate "C" not null,
  charge_id uuid not null,
  primary key (merchant_id, name, value, charge_id)
);

-- Fields that few charges have. They have their own table so that all other charges are cheaper to insert.
create table charge_options (
  merchant_id bigint not null,
  charge_id uuid not null,
  -- Shown to the payer.
  description text,
  -- Where the payment page sends the payer after the payment.
  success_url text,
  -- The payment link or the counter code that created the charge.
  payment_link_id uuid,
  counter_code_id uuid,
  -- The opened page of a payment link from which the charge was created, so that a form that is sent twice creates one
  -- charge.
  page_id uuid,
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id)
);
create index charge_options_of_links on charge_options (merchant_id, payment_link_id, charge_id)
where payment_link_id is not null;
create index charge_options_of_counters on charge_options (merchant_id, counter_code_id, charge_id)
where counter_code_id is not null;
create unique index charge_options_of_pages on charge_options (merchant_id, page_id) where page_id is not null;


-- Payment links, counter codes, and the look of payment pages -----------------------------------------------------------

create table payment_links (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- The last part of the link's address. Unique across merchants, because the address does not name the merchant.
  slug text collate "C" not null unique,
  title text not null,
  description text,
  -- Null if the payer enters the amount.
  amount_cents bigint check (amount_cents > 0),
  max_payments integer check (max_payments > 0),
  ends_at timestamptz,
  success_url text,
  active boolean not null,
  version integer not null default 1,
  -- The number and the total of the payments through this link, counted when they settle. Refunds lower neither.
  payments bigint not null default 0,
  received_cents bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create index payment_links_newest on payment_links (merchant_id, created_at desc, id desc);

-- Printed codes that are paid again and again.
create table counter_codes (
  merchant_id bigint not null references users (id),
  id uuid not null,
  -- Part of the printed code. Begins with the merchant's number, so the txid of a Pix leads to the merchant's code by
  -- the unique key below.
  txid text collate "C" not null,
  name text not null,
  -- Part of the printed code; null if the payer enters the amount.
  amount_cents bigint check (amount_cents > 0),
  active boolean not null,
  version integer not null default 1,
  -- As in payment_links.
  payments bigint not null default 0,
  received_cents bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, txid)
);
create index counter_codes_newest on counter_codes (merchant_id, created_at desc, id desc);

-- The name, colour and logo on a merchant's payment pages. Merchants who chose none of them have no row, and their
-- pages show the name of the account.
create table merchant_brands (
  merchant_id bigint primary key references users (id),
  display_name text check (length(display_name) between 1 and 60),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  -- Each new picture gets a new id, so that browsers may cache a picture for ever.
  logo_id uuid unique,
  -- A WebP picture.
  logo bytea,
  updated_at timestamptz not null,
  check ((logo_id is null) = (logo is null))
);


-- Received Pix ----------------------------------------------------------------------------------------------------------

-- Notices as received, stored before the bank gets our response. A row holds the notices of one call, or of several
-- calls that arrive together, so that a hundred notices cost as much as one. A notice about which the bank must be
-- asked again moves to its own row. Rows have their own id and not that of the Pix: the bank may send notices of one
-- payment several times, and a forged notice must not keep out the true one.
create table psp_inbox (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  notices json not null,
  -- The number of notices in the row.
  size integer not null check (size > 0),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  outcome text,
  finished_at timestamptz
);
-- Notices are written once and read once or twice, so compressing them would cost more than storing them as they are.
alter table psp_inbox alter column notices set storage external;
create index psp_inbox_due on psp_inbox (due_at, id) where state = 'waiting';
-- Finds old rows, which retention deletes. Rows are stored in the order of their age, so a small BRIN index is enough.
create index psp_inbox_age on psp_inbox using brin (received_at);

-- Each row is the fact that a Pix arrived, as confirmed by our own bank: one row per endToEndId, kept for ever.
create table received_pix (
  end_to_end_id text collate "C" primary key,
  -- 0 while the money belongs to no merchant.
  merchant_id bigint not null,
  charge_id uuid,
  -- A Pix is credited at once or goes to suspense. An administrator then assigns it to a merchant or returns it to the
  -- payer.
  outcome text not null check (outcome in ('credited', 'suspense', 'assigned', 'returning', 'returned')),
  -- Why the Pix went to suspense: no-txid, unknown-txid, wrong-key, wrong-amount, second-payment or below-fee.
  reason text,
  txid text,
  pix_key text,
  amount_cents bigint not null check (amount_cents > 0),
  paid_at timestamptz not null,
  received_at timestamptz not null,
  -- The payer as reported by the bank. A CPF is masked except for its middle digits.
  payer_name text,
  payer_document text
);
create index received_pix_unclaimed on received_pix (received_at, end_to_end_id)
where outcome in ('suspense', 'returning');
-- Finds a merchant's charges by the beginning of an endToEndId.
create index received_pix_of_merchant on received_pix (merchant_id, end_to_end_id) where charge_id is not null;
-- Finds the Pix of one day, to compare them with the bank's list. Pix are stored nearly in the order of their time, so
-- a small BRIN index is enough.
create index received_pix_by_time on received_pix using brin (paid_at) with (pages_per_range = 32, autosummarize = on);

-- The facts that the bank confirmed never change, and a Pix leaves suspense only once.
create function refuse_received_pix_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a received Pix does not change this way' using errcode = 'check_violation';
end $$;
create trigger guard_received_pix before update on received_pix
for each row when (
  (new.end_to_end_id, new.reason, new.txid, new.pix_key, new.amount_cents, new.paid_at, new.received_at)
  is distinct from
  (old.end_to_end_id, old.reason, old.txid, old.pix_key, old.amount_cents, old.paid_at, old.received_at)
  or (old.outcome, new.outcome) not in (
    ('suspense', 'assigned'), ('suspense', 'returning'), ('suspense', 'returned'),
    ('returning', 'suspense'), ('returning', 'returned'))
  or ((new.merchant_id, new.charge_id) is distinct from (old.merchant_id, old.charge_id)
      and new.outcome <> 'assigned'))
execute function refuse_received_pix_change();

-- For a large Pix in suspense, what one administrator proposes to do with it. A second administrator must agree.
create table suspense_proposals (
  end_to_end_id text collate "C" primary key,
  action text not null check (action in ('assign', 'return')),
  merchant_id bigint,
  reason text not null,
  proposed_by bigint not null,
  proposed_at timestamptz not null
);

-- Received Pix that the running transaction has inserted but not posted yet (see `settle`). The trigger below refuses
-- to commit while one is left, so the table is empty between transactions.
create table unposted_pix (
  end_to_end_id text collate "C" primary key
);
create function refuse_unposted_pix() returns trigger
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform from unposted_pix where end_to_end_id = new.end_to_end_id;
  if found then
    raise exception 'a received Pix was not posted' using errcode = 'check_violation', constraint = 'received_pix_posted';
  end if;
  return null;
end $$;
create constraint trigger received_pix_posted after insert on unposted_pix deferrable initially deferred
for each row execute function refuse_unposted_pix();

-- Books received Pix in one call: inserts the Pix, posts their entries by `post`, marks the charges as paid, and
-- inserts their reserves. The caller decided the outcome of each Pix from rows that it read without a lock. So the
-- function checks what another transaction may have changed in between:
--   - another transaction booked some of the Pix: nothing is posted, and `already_booked` names those Pix;
--   - a merchant who gains has a shortfall or a debt: nothing is posted, and `is_settled` is false (see `post`);
--   - another Pix paid one of the charges: an error makes the caller run the transaction again.
-- In the first two cases the new Pix stay inserted. The caller calls again for them with `are_pix_inserted`; until then
-- they are in `unposted_pix`, which keeps the transaction from committing.
--
-- The first entries must be those of the Pix, in the same order. They are checked, so that each Pix is posted to its
-- owner and in full.
--
-- With `are_charges_stored_later`, the caller creates charges for counter codes after this call, and then marks all
-- charges as paid and inserts their reserves itself.
create function settle(
  posted_at timestamptz, merchants bigint[], event_names text[], entry_references text[], available bigint[],
  reserved bigint[], blocked bigint[], in_transit bigint[], suspense bigint[], receivable bigint[], psp bigint[],
  fees bigint[], adjustments bigint[], merchants_to_check bigint[],
  are_pix_inserted boolean, end_to_end_ids text[], owners bigint[], paid_charges uuid[], outcomes text[],
  reasons text[], txids text[], pix_keys text[], amounts bigint[], paid_times timestamptz[], payer_names text[],
  payer_documents text[],
  are_charges_stored_later boolean, reserve_owners bigint[], reserve_charges uuid[], reserve_amounts bigint[],
  reserve_times timestamptz[],
  out is_settled boolean, out already_booked text[]
)
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  size constant integer := cardinality(end_to_end_ids);
  changed integer;
begin
  if entry_references[:size] is distinct from end_to_end_ids or merchants[:size] is distinct from owners
     or exists (select from unnest(psp[:size], amounts) one (psp, amount) where one.psp is distinct from - one.amount) then
    raise exception 'a received Pix is not posted in full' using errcode = 'check_violation';
  end if;

  is_settled := false;
  if not are_pix_inserted then
    with booked as (
      insert into received_pix (
        end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, payer_name,
        payer_document, received_at)
      select pix.*, posted_at
      from unnest(end_to_end_ids, owners, paid_charges, outcomes, reasons, txids, pix_keys, amounts, paid_times,
                  payer_names, payer_documents) pix (end_to_end_id)
      order by pix.end_to_end_id
      on conflict (end_to_end_id) do nothing
      returning end_to_end_id
    )
    select count(*), array_agg(end_to_end_id) into changed, already_booked from booked;
    if changed < size then
      insert into unposted_pix select unnest(already_booked);
      already_booked := array(
        select id from unnest(end_to_end_ids) one (id) where id <> all(coalesce(already_booked, '{}')));
      return;
    end if;
  end if;
  already_booked := '{}';

  if not post(posted_at, merchants, event_names, entry_references, available, reserved, blocked, in_transit, suspense,
              receivable, psp, fees, adjustments, merchants_to_check) then
    if not are_pix_inserted then
      insert into unposted_pix select unnest(end_to_end_ids);
    end if;
    return;
  end if;
  if are_pix_inserted then
    delete from unposted_pix where end_to_end_id = any(end_to_end_ids);
    get diagnostics changed = row_count;
    if changed <> size then
      raise exception 'a received Pix was not claimed' using errcode = 'check_violation';
    end if;
  end if;

  -- A transaction that pays a charge has locked the balances of its merchant in `post` first. So from here on no other
  -- transaction can pay one of these charges.
  if are_charges_stored_later then
    perform from unnest(owners, paid_charges) one (merchant_id, charge_id)
    join charges on charges.merchant_id = one.merchant_id and charges.id = one.charge_id
    where charges.end_to_end_id is not null;
    if found then
      raise exception 'a charge was paid meanwhile' using errcode = 'serialization_failure';
    end if;
  else
    update charges
    set status = 'paid', end_to_end_id = paid.end_to_end_id, paid_at = paid.paid_at, next_check_at = null,
        updated_at = posted_at
    from (
      select one.* from unnest(owners, paid_charges, end_to_end_ids, paid_times)
        one (merchant_id, charge_id, end_to_end_id, paid_at)
      where one.charge_id is not null
      order by one.merchant_id, one.charge_id
    ) paid
    where charges.merchant_id = paid.merchant_id and charges.id = paid.charge_id and charges.end_to_end_id is null;
    get diagnostics changed = row_count;
    if changed < cardinality(array_remove(paid_charges, null)) then
      raise exception 'a charge was paid meanwhile' using errcode = 'serialization_failure';
    end if;

    if cardinality(reserve_owners) > 0 then
      insert into reserves (merchant_id, charge_id, amount_cents, due_at)
      select * from unnest(reserve_owners, reserve_charges, reserve_amounts, reserve_times);
    end if;
  end if;
  is_settled := true;
end $$;

-- How far the bank's list of received Pix has been read.
create table received_pix_list_position (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz not null,
  finished_at timestamptz not null
);


-- Reserves --------------------------------------------------------------------------------------------------------------

-- The share of a payment that is withheld for some days.
create table reserves (
  merchant_id bigint not null,
  charge_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- How much of the reserve disputes have taken (see reserve_claims). Only the rest is released.
  claimed_cents bigint not null default 0,
  due_at timestamptz not null,
  released_at timestamptz,
  primary key (merchant_id, charge_id),
  foreign key (merchant_id, charge_id) references charges (merchant_id, id),
  constraint reserves_claimed_within check (claimed_cents between 0 and amount_cents)
);
create index reserves_due on reserves (due_at) where released_at is null;
-- A dispute takes from a merchant's oldest reserves first.
create index reserves_of_merchant on reserves (merchant_id, due_at, charge_id) where released_at is null;
