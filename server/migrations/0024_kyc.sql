-- Who somebody is, shown by documents. Pictures are files outside the database, sealed before they are stored.

create table kyc_submissions (
  merchant_id bigint not null references users (id),
  id uuid not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  reason text,
  submitted_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users (id),
  -- When its pictures are removed by the rule of retention; null: not yet known, or done.
  remove_at timestamptz,
  removed_at timestamptz,
  primary key (merchant_id, id),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'rejected') = (reason is not null))
);
-- One waits or stands at a time.
create unique index kyc_submissions_one on kyc_submissions (merchant_id) where status in ('pending', 'approved');
create index kyc_submissions_pending on kyc_submissions (submitted_at, merchant_id) where status = 'pending';
create index kyc_submissions_remove on kyc_submissions (remove_at) where remove_at is not null;

create table kyc_pictures (
  merchant_id bigint not null,
  submission_id uuid not null,
  side text not null check (side in ('document_front', 'document_back', 'selfie')),
  -- Where the file stands; null once it was removed.
  file_name text,
  sealed_thumbnail bytea,
  width integer not null,
  height integer not null,
  size integer not null,
  primary key (merchant_id, submission_id, side),
  foreign key (merchant_id, submission_id) references kyc_submissions (merchant_id, id)
);

-- The picture of an account: 256 pixels of WebP. The id is new with each picture, so that it may be kept for ever.
create table avatars (
  merchant_id bigint primary key references users (id),
  id uuid not null unique,
  content bytea not null,
  created_at timestamptz not null
);
