-- A lane is an endpoint of a merchant with anything waiting. Claims read lanes in the order in which they are due, so
-- that what waits for later costs them nothing.

create table webhook_lanes (
  merchant_id bigint not null references users (id),
  endpoint text not null,
  -- When to look at it next; never later than its first delivery could be sent. Only claims write here, in turn.
  due_at timestamptz not null,
  primary key (merchant_id, endpoint)
);
-- Leads from each merchant to the next, and through the lanes of one in their order.
create index webhook_lanes_due on webhook_lanes (merchant_id, due_at);

-- Lanes that changed: something came in, or an attempt ended. The next claim looks at them and forgets the message.
-- Only ever added to, so that a payment never waits for another one with the same receiver.
create table webhook_lane_changes (
  merchant_id bigint not null,
  id bigint generated always as identity,
  endpoint text not null,
  primary key (merchant_id, id)
);
create index webhook_lane_changes_oldest on webhook_lane_changes (id);

insert into webhook_lanes (merchant_id, endpoint, due_at)
select merchant_id, endpoint, min(due_at) from webhook_deliveries where state = 'waiting' group by 1, 2;
