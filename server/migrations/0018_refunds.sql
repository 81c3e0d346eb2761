-- Money back: every return of a received Pix, asked for by its merchant, by the operator (what nobody claimed), or made
-- by the bank itself (MED). Each is one fact, by our id or the bank's rtrId.

-- What is on its way back counts against what may still be asked for: the database refuses more than was paid.
alter table charges
  add column refunding_cents bigint not null default 0,
  add constraint charges_refunds_within_payment check (
    refunding_cents >= 0 and refunded_cents + refunding_cents <= amount_cents);

create table refunds (
  -- 0: a Pix that nobody claimed goes back.
  merchant_id bigint not null,
  id uuid not null,
  charge_id uuid,
  end_to_end_id text collate "C" not null,
  -- Our name for it at the bank; null when the bank made it by itself.
  bank_refund_id text collate "C",
  -- The bank's: known once it tells it.
  rtr_id text collate "C",
  origin text not null check (origin in ('panel', 'api', 'operator', 'bank')),
  status text not null check (status in ('processing', 'completed', 'failed')),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null default '',
  error_code text,
  error text,
  due_at timestamptz,
  sends integer not null default 0,
  lookups integer not null default 0,
  first_sent_at timestamptz,
  unknown_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (merchant_id, id)
);
create unique index refunds_by_bank_refund_id on refunds (merchant_id, end_to_end_id, bank_refund_id)
  where bank_refund_id is not null;
create unique index refunds_by_rtr_id on refunds (merchant_id, rtr_id) where rtr_id is not null;
create index refunds_by_charge on refunds (merchant_id, charge_id, created_at) where charge_id is not null;
create index refunds_due on refunds (due_at) where due_at is not null;

-- A Pix that nobody claimed leaves suspense once: assigned to a merchant, or sent back.
alter table received_pix drop constraint received_pix_outcome_check;
alter table received_pix add constraint received_pix_outcome_check
  check (outcome in ('credited', 'suspense', 'assigned', 'returning', 'returned'));

-- What one administrator proposed for a large Pix in suspense, until another agrees.
create table suspense_proposals (
  end_to_end_id text collate "C" primary key,
  action text not null check (action in ('assign', 'return')),
  merchant_id bigint,
  reason text not null,
  proposed_by bigint not null,
  proposed_at timestamptz not null
);
