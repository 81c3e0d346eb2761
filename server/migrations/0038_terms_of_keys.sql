-- A key whose end was moved works from then on for another time than it was made for: its successor is to have that time.
-- Null: its end is the one that it was made with.
alter table scoped_keys add column expiry_set_at timestamptz;
