-- A withdrawal and a refund stay bound to one account at a bank, as a charge does: only that bank gets the order, and
-- only that bank's word ends it. 1 is the operator's own account, which the settings name. The ids that a bank assigns
-- are unique at one account only, because a bank may repeat, or make up, the id of another.
--
-- Reads the refunds and the returns of payouts once, to build their indexes again: about four seconds for a million
-- refunds.
--
-- Triggers and indexes are changed within blocks (`do`), which execute one statement at a time: a cluster sends such a
-- statement to its servers together with everything else that was sent with it, and they refuse that.


-- Withdrawals -----------------------------------------------------------------------------------------------------------

alter table withdrawals add column connection_id integer not null default 1;

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
        and (new.status = 'failed') <> (new.returned_cents = new.amount_cents - new.fee_cents)))
  execute function refuse_withdrawal_change();
end $$;

-- The account of the withdrawal that was returned.
alter table withdrawal_returns add column connection_id integer not null default 1;
do $$ begin
  alter table withdrawal_returns drop constraint withdrawal_returns_pkey;
  alter table withdrawal_returns
  add constraint withdrawal_returns_pkey primary key (merchant_id, rtr_id, connection_id);
end $$;

-- How far each bank's list of sent Pix has been read.
alter table payout_list_position drop column only_row;
alter table payout_list_position add column connection_id integer not null default 1;
alter table payout_list_position add constraint payout_list_position_pkey primary key (connection_id);


-- Refunds ---------------------------------------------------------------------------------------------------------------

-- The account of the charge; for a Pix in suspense, the one on which it arrived.
alter table refunds add column connection_id integer not null default 1;

do $$ begin
  drop trigger guard_refunds on refunds;
  create trigger guard_refunds before update on refunds
  for each row when (
    (new.merchant_id, new.id, new.connection_id, new.charge_id, new.end_to_end_id, new.external_id, new.requested_cents,
     new.bank_refund_id, new.origin, new.amount_cents, new.created_at)
    is distinct from
    (old.merchant_id, old.id, old.connection_id, old.charge_id, old.end_to_end_id, old.external_id, old.requested_cents,
     old.bank_refund_id, old.origin, old.amount_cents, old.created_at)
    or (new.status <> old.status and old.status <> 'processing')
    or (old.rtr_id is not null and new.rtr_id is distinct from old.rtr_id)
    or new.send_count < old.send_count)
  execute function refuse_refund_change();
end $$;

do $$ begin
  drop index refunds_by_bank_refund_id;
  create unique index refunds_by_bank_refund_id on refunds (merchant_id, end_to_end_id, bank_refund_id, connection_id)
  where status <> 'failed';
  drop index refunds_by_rtr_id;
  create unique index refunds_by_rtr_id on refunds (merchant_id, rtr_id, connection_id)
  where rtr_id is not null and status <> 'failed';
end $$;

-- As before, and a charge must have no refund at another account than its own.
create or replace function check_refunds_of_charge(merchant bigint, charge uuid) returns void
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform from charges
  cross join lateral (
    select coalesce(sum(amount_cents) filter (where status = 'processing'), 0) as refunding,
           coalesce(sum(amount_cents) filter (where status = 'completed'), 0) as refunded,
           count(*) filter (where refunds.connection_id <> charges.connection_id) as elsewhere
    from refunds
    where refunds.merchant_id = charges.merchant_id and refunds.charge_id = charges.id
  ) sums
  where merchant_id = merchant and id = charge
    and (refunding_cents, refunded_cents, 0) <> (sums.refunding, sums.refunded, sums.elsewhere);
  if found then
    raise exception 'a charge differs from its refunds' using errcode = 'check_violation',
      constraint = 'charges_sum_of_refunds';
  end if;
end $$;
