-- The statement reads what moved a merchant's money, newest first; what the platform earned is read by its cause.
create index ledger_transfers_statement on ledger_transfers (merchant_id, at desc, reference, event)
where not (from_account = 'psp' and to_account = 'fees');
