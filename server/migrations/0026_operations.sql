-- The operator's desk: a withdrawal that an operator holds back is not sent before it is released, and what all
-- merchants withdrew, and what was contested of them, is read in one list.

alter table withdrawals
  -- Why an operator holds it; null unless one does.
  add column operator_hold text,
  add constraint withdrawals_held_wait check (operator_hold is null or status = 'pending');

create index withdrawals_open on withdrawals (created_at desc, id desc) where status in ('pending', 'processing');
create index withdrawals_ended on withdrawals (status, created_at desc, id desc)
where status in ('completed', 'failed');

create index disputes_open on disputes (deadline_at, id) where status = 'open';
create index disputes_ended on disputes (resolved_at desc, id desc) where status <> 'open';
