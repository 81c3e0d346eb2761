-- Whoever looks in the log for what failed asks for few rows among 90 days of deliveries. What is delivered never comes
-- into this index, so that a payment does not pay for it.
create index webhook_deliveries_failed on webhook_deliveries (merchant_id, created_at, id)
where state in ('exhausted', 'gone');
