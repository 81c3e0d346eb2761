-- Keys of a merchant's systems, beside the readable key of the account: each has a name, and says what it may do, from
-- where and until when. Only their hashes are kept, so nobody reads one back.

create table scoped_keys (
  merchant_id bigint not null references users (id),
  id uuid not null,
  name text not null,
  key_hash bytea not null,
  masked_key text not null,
  scopes text[] not null constraint scoped_keys_open_something check (cardinality(scopes) > 0),
  -- Addresses and networks in one way of writing; none: from anywhere.
  allowed_addresses text[] not null,
  created_at timestamptz not null,
  -- Null: it does not end by itself.
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  -- When its owner was told that it ends soon.
  expiry_told_at timestamptz,
  revoked_at timestamptz,
  -- The key that took its place: it works beside it until it expires.
  successor uuid,
  primary key (merchant_id, id)
);
create unique index scoped_keys_hash on scoped_keys (key_hash);
create index scoped_keys_ending on scoped_keys (expires_at)
  where revoked_at is null and successor is null and expiry_told_at is null;
