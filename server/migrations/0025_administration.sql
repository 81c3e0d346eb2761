-- What administrators do, and that nobody changes what was written about it.

alter table users
  add column frozen_at timestamptz,
  add column frozen_because text;

-- Each entry of the audit log has its place, and an HMAC of itself and of the one before, under a key that stands
-- outside the database. Entries that were written before this are chained by whoever writes the next one.
create table audit_chain (
  position bigint primary key check (position > 0),
  entry_id bigint not null unique references audit_log (id),
  mac bytea not null
);

create trigger audit_chain_stays before update or delete on audit_chain
for each row execute function refuse_change();
create trigger audit_chain_stays_all before truncate on audit_chain
for each statement execute function refuse_change();

-- Where the chain ends, signed too, so that it cannot end earlier. Whoever adds an entry takes this row.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  entries bigint not null,
  last_mac bytea not null,
  mac bytea not null
);
insert into audit_head (entries, last_mac, mac) values (0, '', '');

-- The log is read newest first: all of it, of one account, or one kind of act.
create index audit_log_of_subject on audit_log (subject_id, id);
create index audit_log_of_actor on audit_log (actor_id, id);
create index audit_log_of_action on audit_log (action, id);
