-- Mail, and what is opened by a link in it.

-- What a link in a mail opens. The link itself stands nowhere: it is made of the id under a key outside the database,
-- the same at every sending.
create table mail_links (
  id uuid primary key,
  user_id bigint not null references users (id),
  purpose text not null check (purpose in ('password', 'email')),
  -- The address that a link of purpose email confirms.
  email text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((purpose = 'email') = (email is not null))
);
create index mail_links_user on mail_links (user_id, purpose);
create index mail_links_end on mail_links (expires_at);

-- Mail to be sent, and in the sandbox what would have been: written in the transaction that causes it.
create table mails (
  id uuid primary key,
  user_id bigint not null references users (id),
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Without the link, and emptied once it was sent.
  body text,
  -- When the link has ended, the mail is not sent. Its row may be gone: no reference.
  link_id uuid,
  attempts integer not null default 0,
  -- Null once it was sent, kept or given up.
  due_at timestamptz,
  -- In the sandbox: when it was kept.
  sent_at timestamptz,
  error text,
  created_at timestamptz not null
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_newest on mails (created_at);
create index mails_user on mails (user_id, created_at);

-- Asked for by whoever forgot a password. Written alike for addresses that have an account and those that have none, so
-- that neither the answer nor its time tells which; worked and removed within a second or two.
create table password_recoveries (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);

-- Names a session to its owner: the hash of its token is nobody's business. Everybody signs in anew, and the table is
-- rewritten while nothing is in it.
delete from sessions;
alter table sessions add column id uuid not null default gen_random_uuid();
create unique index sessions_id on sessions (id);

alter table users
  -- Null: since the account was made.
  add column password_changed_at timestamptz,
  add column closing_requested_at timestamptz,
  add column closing_reason text;
