-- What payers see of who is paid: the name, colour and logo of a merchant's payment pages. A merchant who chose
-- none has no row: the account's name is shown then.

create table merchant_brands (
  merchant_id bigint primary key references users (id),
  display_name text check (length(display_name) between 1 and 60),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  -- The id is new with each picture, so that it may be kept for ever.
  logo_id uuid unique,
  -- WebP.
  logo bytea,
  updated_at timestamptz not null,
  check ((logo_id is null) = (logo is null))
);
