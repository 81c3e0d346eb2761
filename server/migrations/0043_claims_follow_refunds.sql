-- What a dispute claims grows when a refund of its Pix, which was on its way when it was opened, does not happen: the money
-- came back, and was free to leave though the bank could still take it.

drop trigger guard_disputes on disputes;
create trigger guard_disputes before update on disputes
for each row when (
  (new.merchant_id, new.id, new.bank_dispute_id, new.charge_id, new.end_to_end_id, new.disputed_cents, new.opened_at)
  is distinct from
  (old.merchant_id, old.id, old.bank_dispute_id, old.charge_id, old.end_to_end_id, old.disputed_cents, old.opened_at)
  or new.claimed_cents < old.claimed_cents
  or (new.status <> old.status and old.status <> 'open')
  or new.returned_cents < old.returned_cents
  or (old.defence is not null and new.defence is distinct from old.defence))
execute function refuse_dispute();
