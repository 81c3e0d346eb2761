-- When the bank's list of disputes was last read, also where not all of it could be booked.
alter table dispute_reads add column read_at timestamptz;
update dispute_reads set read_at = read_until;
alter table dispute_reads alter column read_at set not null;
