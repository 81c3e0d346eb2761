-- What a merchant wants done with a Pix that somebody else pays than the person the charge is for, one that is late, and
-- a second one for a charge that is paid. Without a rule everything stays as it was. `null`: no rule.
create table payer_rules (
  merchant_id bigint primary key references users (id),
  other_payer text check (other_payer in ('accept', 'hold', 'give_back')),
  late text check (late in ('accept', 'hold', 'give_back')),
  doubled text check (doubled in ('accept', 'hold', 'give_back')),
  updated_at timestamptz not null
);

-- The rules of one charge, which win over those of the account.
alter table charge_options add column payer_rules json;

-- Received Pix that name a charge of a merchant but wait for a decision of the merchant, or are given back by a rule. At
-- the operator's own account the Pix itself is in suspense meanwhile. At an account of the merchant's own it is not in
-- the books: the money is the merchant's, and the row of received_pix with the outcome `held` makes it count once.
create table held_pix (
  merchant_id bigint not null,
  -- A UUID of version 7, so that the list of the newest goes by the primary key.
  id uuid not null,
  end_to_end_id text collate "C" not null,
  connection_id integer not null,
  -- The charge that the Pix names.
  charge_id uuid not null,
  why text not null check (
    why in ('other-payer', 'late', 'second-payment', 'wrong-amount', 'wrong-key', 'below-fee')),
  -- How the bank explained the amount, if it would have paid a charge with a due date.
  due_amount json,
  held_at timestamptz not null,
  -- When the rule gives it back; null once it is ordered, or if a person decides.
  give_back_at timestamptz,
  decision text check (decision in ('accepted', 'given-back')),
  decided_at timestamptz,
  -- The person who decided; null if a rule or a key did.
  decided_by bigint,
  -- The charge that it pays after all, if it is not the one that it names.
  paid_charge_id uuid,
  refund_id uuid,
  primary key (merchant_id, id),
  unique (end_to_end_id, connection_id),
  check ((decision is null) = (decided_at is null)),
  check (decision is distinct from 'given-back' or refund_id is not null)
);
create index held_pix_to_give_back on held_pix (give_back_at) where give_back_at is not null;

do $$ begin
  alter table received_pix drop constraint received_pix_outcome_check;
  alter table received_pix add constraint received_pix_outcome_check
  check (outcome in ('credited', 'suspense', 'assigned', 'returning', 'returned', 'fees', 'held'));
  -- Only the operator holds money of unknown owners. `returned` at an account of a merchant's own: the merchant gave it
  -- back at the bank.
  alter table received_pix drop constraint received_pix_suspense_at_house;
  alter table received_pix add constraint received_pix_suspense_at_house check (
    case when connection_id = 1 then outcome <> 'held'
         else outcome in ('credited', 'held', 'assigned', 'returned') end);

  drop trigger guard_received_pix on received_pix;
  create trigger guard_received_pix before update on received_pix
  for each row when (
    (new.end_to_end_id, new.connection_id, new.reason, new.txid, new.pix_key, new.amount_cents, new.paid_at,
     new.received_at)
    is distinct from
    (old.end_to_end_id, old.connection_id, old.reason, old.txid, old.pix_key, old.amount_cents, old.paid_at,
     old.received_at)
    or (old.outcome, new.outcome) not in (
      ('suspense', 'assigned'), ('suspense', 'returning'), ('suspense', 'returned'),
      ('returning', 'suspense'), ('returning', 'returned'),
      ('held', 'assigned'), ('held', 'returned'))
    or ((new.merchant_id, new.charge_id) is distinct from (old.merchant_id, old.charge_id)
        and new.outcome <> 'assigned'))
  execute function refuse_received_pix_change();
end $$;

-- Holds Pix that arrived at accounts of merchants' own: nothing is posted. Returns those that no other transaction booked
-- or held before. As `settle` does, it locks the rows in the order of their ids.
create function hold_own_pix(
  held_at timestamptz, end_to_end_ids text[], owners bigint[], reasons text[], txids text[], pix_keys text[],
  amounts bigint[], paid_times timestamptz[], payer_names text[], payer_documents text[], accounts integer[]
) returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held text[];
begin
  -- At the operator's own account each received Pix has an entry in the books.
  if 1 = any(accounts) then
    raise exception 'a Pix at the operator''s own account is posted' using errcode = 'check_violation';
  end if;
  with new_pix as (
    insert into received_pix (
      end_to_end_id, merchant_id, outcome, reason, txid, pix_key, amount_cents, paid_at, payer_name, payer_document,
      received_at, connection_id)
    select pix.end_to_end_id, merchant_id, 'held', reason, txid, pix_key, amount_cents, paid_at, payer_name,
           payer_document, held_at, connection_id
    from unnest(end_to_end_ids, owners, reasons, txids, pix_keys, amounts, paid_times, payer_names, payer_documents,
                accounts)
      pix (end_to_end_id, merchant_id, reason, txid, pix_key, amount_cents, paid_at, payer_name, payer_document,
           connection_id)
    order by pix.end_to_end_id
    on conflict (end_to_end_id, connection_id) do nothing
    returning end_to_end_id
  )
  select array_agg(end_to_end_id) into held from new_pix;
  return coalesce(held, '{}');
end $$;
