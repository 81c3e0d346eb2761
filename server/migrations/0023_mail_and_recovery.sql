-- Mail, and what is opened by a link in it.

-- Mail to be sent, and in the sandbox what would have been: written in the transaction that causes it.
create table mails (
  id uuid primary key,
  user_id bigint not null references users (id),
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Sealed: a link in it opens an account. Emptied once it was sent.
  sealed_text bytea,
  attempts integer not null default 0,
  -- Null once it was sent, kept or given up.
  due_at timestamptz,
  sent_at timestamptz,
  error text,
  created_at timestamptz not null
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_newest on mails (created_at desc);

create table mail_links (
  token_hash bytea primary key,
  user_id bigint not null references users (id),
  purpose text not null check (purpose in ('password', 'email')),
  -- The address that a link of purpose email confirms.
  email text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index mail_links_user on mail_links (user_id, purpose);
create index mail_links_end on mail_links (expires_at);

-- Names a session to its owner: the hash of its token is nobody's business.
alter table sessions add column id uuid not null default gen_random_uuid();
create unique index sessions_id on sessions (id);

alter table users
  -- Null: since the account was made.
  add column password_changed_at timestamptz,
  add column closing_requested_at timestamptz,
  add column closing_reason text;
