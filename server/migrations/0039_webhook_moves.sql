-- An endpoint that is turned off, removed or given another address is so at once; what waits for it follows in parts, so
-- that no number of waiting deliveries stands in the way. A row: there may be more to follow.
create table webhook_moves (
  merchant_id bigint not null,
  endpoint_id uuid not null,
  -- What follows: that the endpoint is off or removed, or its address.
  follows text not null check (follows in ('state', 'address')),
  primary key (merchant_id, endpoint_id, follows)
);
