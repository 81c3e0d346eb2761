-- The triggers of server/migrations/0006_figures.sql for a cluster: they call the functions of figures.sql for each row.

drop trigger count_new_charges on charges;
drop trigger count_changed_charges on charges;
drop trigger unlist_ended_charges on charges;
drop trigger count_new_withdrawals on withdrawals;
drop trigger count_changed_withdrawals on withdrawals;

create trigger count_new_charges after insert on charges for each row execute function count_new_charges();
create trigger count_changed_charges after update on charges for each row execute function count_changed_charges();
create trigger count_new_withdrawals after insert on withdrawals for each row execute function count_new_withdrawals();
create trigger count_changed_withdrawals after update on withdrawals for each row execute function count_changed_withdrawals();
