-- What was told and answered is kept for some months and then forgotten: webhooks that reached their end, and
-- notifications. What money did stays in the books for ever.

create index webhook_deliveries_finished on webhook_deliveries (finished_at) where state <> 'waiting';
create index notifications_oldest on notifications (created_at);
