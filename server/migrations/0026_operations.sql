-- A withdrawal that an operator holds back: it is not sent before it is released.
alter table withdrawals
  add column operator_hold text;
