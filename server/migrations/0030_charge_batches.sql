-- Batches: many charges that are asked for in one call, and created by a loop in turns of few lines. A line is a row, so
-- that nothing is lost or created twice when the gateway is killed.
create table charge_batches (
  merchant_id bigint not null references users (id),
  -- A UUID of version 7, so that the list of the newest goes by the primary key.
  id uuid not null,
  reference text check (length(reference) between 1 and 100),
  size integer not null check (size between 1 and 10000),
  -- The call that created it and its credential, which its charges carry too.
  request_id text,
  made_with text not null,
  -- The member who created it, if they are no owner.
  created_by bigint,
  created_at timestamptz not null,
  -- The last turn. Batches take turns, so that a large one does not hold up the others.
  worked_at timestamptz,
  -- Set once no line waits.
  completed_at timestamptz,
  primary key (merchant_id, id)
);
create index charge_batches_open on charge_batches (worked_at nulls first, id) where completed_at is null;

create table charge_batch_lines (
  merchant_id bigint not null,
  batch_id uuid not null,
  line integer not null check (line > 0),
  external_id text not null,
  -- The request, as the API takes it.
  request json not null,
  state text not null default 'waiting' check (state in ('waiting', 'created', 'refused', 'cancelled')),
  -- The charge. Stored before the charge is, so that a second attempt goes on with it.
  charge_id uuid,
  attempts integer not null default 0,
  -- While an attempt is made, until when nobody else makes one; else when the next one is due.
  due_at timestamptz not null,
  is_leased boolean not null default false,
  code text,
  message text,
  primary key (merchant_id, batch_id, line),
  foreign key (merchant_id, batch_id) references charge_batches (merchant_id, id),
  check (state <> 'created' or charge_id is not null),
  check ((state = 'refused') = (code is not null))
);
-- To find the lines that wait under an id, before the same is charged again.
create index charge_batch_lines_waiting on charge_batch_lines (merchant_id, external_id) where state = 'waiting';
create index charge_batch_lines_due on charge_batch_lines (merchant_id, batch_id, due_at) where state = 'waiting';
