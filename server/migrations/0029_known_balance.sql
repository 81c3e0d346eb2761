-- While the bank does not say its balance, what it said last is shown with its own moment.
alter table bank_balance
  add column known_cents bigint,
  add column known_at timestamptz;
update bank_balance set known_cents = balance_cents, known_at = read_at where balance_cents is not null;
