-- As in 0011_books_by_account.sql, for Pix of several accounts (`accounts`, one for each Pix), each of which pays only a
-- charge of its account. So payments that arrive at many accounts together are booked together.
drop function settle;
create function settle(
  posted_at timestamptz, merchants bigint[], connections integer[], event_names text[], entry_references text[], available bigint[],
  reserved bigint[], blocked bigint[], in_transit bigint[], suspense bigint[], receivable bigint[], psp bigint[],
  fees bigint[], fees_due bigint[], adjustments bigint[], merchants_to_check bigint[],
  are_pix_inserted boolean, end_to_end_ids text[], owners bigint[], paid_charges uuid[], outcomes text[],
  reasons text[], txids text[], pix_keys text[], amounts bigint[], paid_times timestamptz[], payer_names text[],
  payer_documents text[],
  are_charges_stored_later boolean, reserve_owners bigint[], reserve_charges uuid[], reserve_amounts bigint[],
  reserve_times timestamptz[], accounts integer[],
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
     or connections[:size] is distinct from accounts
     or exists (select from unnest(psp[:size], amounts) one (psp, amount) where one.psp is distinct from - one.amount) then
    raise exception 'a received Pix is not posted in full' using errcode = 'check_violation';
  end if;

  is_settled := false;
  if not are_pix_inserted then
    with booked as (
      insert into received_pix (
        end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, payer_name,
        payer_document, received_at, connection_id)
      select pix.end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, payer_name,
             payer_document, posted_at, connection_id
      from unnest(end_to_end_ids, owners, paid_charges, outcomes, reasons, txids, pix_keys, amounts, paid_times,
                  payer_names, payer_documents, accounts)
        pix (end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, payer_name,
             payer_document, connection_id)
      order by pix.end_to_end_id
      on conflict (end_to_end_id, connection_id) do nothing
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

  if not post(posted_at, merchants, connections, event_names, entry_references, available, reserved, blocked, in_transit,
              suspense, receivable, psp, fees, fees_due, adjustments, merchants_to_check) then
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
      select one.* from unnest(owners, paid_charges, end_to_end_ids, paid_times, accounts)
        one (merchant_id, charge_id, end_to_end_id, paid_at, connection_id)
      where one.charge_id is not null
      order by one.merchant_id, one.charge_id
    ) paid
    where charges.merchant_id = paid.merchant_id and charges.id = paid.charge_id and charges.end_to_end_id is null
      and charges.connection_id = paid.connection_id;
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
