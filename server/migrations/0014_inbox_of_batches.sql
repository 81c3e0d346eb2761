-- What the bank tells in one stroke is kept as one row: a notice of a hundred payments, or a hundred notices that came
-- at once, cost what one costs. A notice that has to be asked about again gets a row of its own.

alter table psp_inbox add column notices json;
update psp_inbox set notices = json_build_array(json_build_object(
  'endToEndId', end_to_end_id, 'claimedAt', notice ->> 'horario', 'told', notice));
alter table psp_inbox
  alter column notices set not null,
  drop column notice,
  drop column end_to_end_id,
  -- How many notices it holds.
  add column size integer not null default 1 check (size > 0);
alter table psp_inbox alter column size drop default;
-- Written once and read at most once or twice: packing it would cost more than keeping it.
alter table psp_inbox alter column notices set storage external;
