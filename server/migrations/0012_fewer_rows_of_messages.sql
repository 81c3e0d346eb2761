-- What payments cause is told in few rows: a settlement of hundreds writes as many messages into one row as one NOTIFY
-- carries, and one row that names all the receivers it has something for.

-- A row belongs to no single merchant, so its key is the order in which it was written: the queue is emptied from its
-- beginning by one announcer at a time, whatever merchants it concerns, and nobody asks it for those of one. What was
-- not announced yet goes: screens read everything anew when they connect, and they connect again to a gateway that was
-- started on this schema.
drop table outbox;
create table outbox (
  id bigint generated always as identity primary key,
  -- As it is announced; null for a message that was too long to be.
  payload text,
  -- Those whose balance is told after it.
  merchant_ids bigint[] not null
);
-- Written once and read once, a moment later: packing it would cost more than keeping it, and it always fits a page.
alter table outbox alter column payload set storage plain, alter column merchant_ids set storage plain;

-- One row for what one statement changed. The two arrays are read side by side.
alter table webhook_lane_changes add column merchant_ids bigint[], add column endpoints text[];
update webhook_lane_changes set merchant_ids = array[merchant_id], endpoints = array[endpoint];
alter table webhook_lane_changes
  drop constraint webhook_lane_changes_pkey,
  drop column merchant_id,
  drop column endpoint,
  add primary key (id),
  alter column merchant_ids set not null,
  alter column endpoints set not null,
  -- Kept beside the row's other columns as long as a page holds it.
  alter column merchant_ids set storage main,
  alter column endpoints set storage main,
  add check (cardinality(merchant_ids) = cardinality(endpoints));

-- Kept to the letter: nothing is looked for inside it.
alter table notifications alter column data type json;
