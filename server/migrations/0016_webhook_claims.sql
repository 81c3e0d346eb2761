-- Claims cost what can be sent now. Where everything that waits can be sent at once, nothing but leases is written; what
-- rests, or has all its places taken, is left alone until something ends that.

-- A lane is kept only while something may wait in it that is not under way.
alter table webhook_lanes
  -- Nothing in it is due before then: what was sent before, and is still in the index until a vacuum, is passed by.
  add column since timestamptz not null default 'epoch';
alter table webhook_lanes alter column since drop default;

-- When to look at the lanes of a merchant next: when its first lane is due, or later where all its places are taken.
-- Only claims write here, in turn.
create table webhook_turns (
  merchant_id bigint primary key,
  due_at timestamptz not null
) with (fillfactor = 50);
create index webhook_turns_due on webhook_turns (due_at);
insert into webhook_turns (merchant_id, due_at) select merchant_id, min(due_at) from webhook_lanes group by 1;

-- The earliest time when something is due that came in; null where attempts ended and left nothing to be sent again.
alter table webhook_lane_changes add column since timestamptz;
update webhook_lane_changes set since = 'epoch';

-- Leads to leases that nobody ended.
create index webhook_leases_lost on webhook_leases (until);

-- An attempt is written by the statement that finds its delivery, and forgotten before it.
alter table webhook_attempts drop constraint webhook_attempts_merchant_id_delivery_id_fkey;

-- What came to its end is found by its age, in a few pages of summary, and each delivery writes an index less.
drop index webhook_deliveries_finished;
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);
