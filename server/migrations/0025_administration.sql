-- What administrators do, and that nobody changes what was written about it.

alter table users
  add column frozen_at timestamptz,
  add column frozen_because text;

-- Each entry carries the HMAC of itself and of the one before, under a key that stands outside the database.
alter table audit_log add column mac bytea;

-- The head of the chain: whoever writes an entry takes this row first.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  entries bigint not null,
  last_id bigint not null,
  mac bytea not null
);
