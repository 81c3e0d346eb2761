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
create index kyc_submissions_newest on kyc_submissions (merchant_id, submitted_at desc);
create index kyc_submissions_pending on kyc_submissions (submitted_at, id) where status = 'pending';
create index kyc_submissions_remove on kyc_submissions (remove_at) where remove_at is not null;

-- A row stands as long as its file: the file's name is that of the submission and the side.
create table kyc_pictures (
  merchant_id bigint not null,
  submission_id uuid not null,
  side text not null check (side in ('document_front', 'document_back', 'selfie')),
  sealed_thumbnail bytea not null,
  width integer not null,
  height integer not null,
  size integer not null,
  primary key (merchant_id, submission_id, side),
  foreign key (merchant_id, submission_id) references kyc_submissions (merchant_id, id)
);

-- Submissions whose files are being stored: written before the first file, taken away with the last. What a process left
-- when it died is found by it.
create table kyc_uploads (
  merchant_id bigint not null references users (id),
  submission_id uuid not null,
  -- After this it becomes no submission any more.
  ends_at timestamptz not null,
  primary key (merchant_id, submission_id)
);
create index kyc_uploads_end on kyc_uploads (ends_at);

-- The picture of an account: 256 pixels of WebP. The id is new with each picture, so that it may be kept for ever.
create table avatars (
  merchant_id bigint primary key references users (id),
  id uuid not null unique,
  content bytea not null,
  created_at timestamptz not null
);
