-- What a dispute took from which reserve, so that it goes back there, with its day, when the dispute ends well. Without
-- it a reserve came free as soon as somebody contested a Pix and let go.

create table reserve_claims (
  merchant_id bigint not null,
  dispute_id uuid not null,
  -- The reserve is that of this charge.
  charge_id uuid not null,
  taken_cents bigint not null check (taken_cents > 0),
  -- As much of it as went back into the reserve.
  given_back_cents bigint not null default 0,
  primary key (merchant_id, dispute_id, charge_id),
  constraint reserve_claims_given_within check (given_back_cents between 0 and taken_cents)
);
create index reserve_claims_of_reserve on reserve_claims (merchant_id, charge_id);

-- Of disputes until now the sums are known: they took from the oldest reserves, one after another.
insert into reserve_claims (merchant_id, dispute_id, charge_id, taken_cents)
select merchant_id, dispute_id, charge_id, least(dispute_end, reserve_end) - greatest(dispute_begin, reserve_begin)
from (
  select merchant_id, reference::uuid as dispute_id, sum(amount_cents) over way as dispute_end,
         sum(amount_cents) over way - amount_cents as dispute_begin
  from ledger_transfers where event = 'dispute opened' and from_account = 'reserved'
  window way as (partition by merchant_id order by at, reference)
) taken
join (
  select merchant_id, charge_id, sum(claimed_cents) over way as reserve_end,
         sum(claimed_cents) over way - claimed_cents as reserve_begin
  from reserves where claimed_cents > 0
  window way as (partition by merchant_id order by due_at, charge_id)
) claimed using (merchant_id)
where least(dispute_end, reserve_end) > greatest(dispute_begin, reserve_begin);
