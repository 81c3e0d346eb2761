-- An event and its delivery are written with each payment, so their indexes hold no more than leads to the row.

-- The id begins with the subject, and leads to the event without it.
alter table events drop constraint events_pkey, add primary key (merchant_id, id);
-- Only tells apart what one transaction wrote, which is one connection's: each takes its numbers a hundred at a time.
alter table events alter column seq set cache 100;

-- Those of one moment, few of a merchant's, are put in the order of their ids as they are read. What one transaction wrote
-- shares an entry.
drop index webhook_deliveries_log;
create index webhook_deliveries_log on webhook_deliveries (merchant_id, created_at);
