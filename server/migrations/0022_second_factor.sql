-- What shows who somebody is, beside a password.

-- An authenticator app (RFC 6238). Its secret is sealed under a key that stands outside the database.
create table totp_factors (
  user_id bigint primary key references users (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null until the first code of the app was given: until then it counts for nothing.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none of it or before is taken again.
  last_step bigint not null default 0
);

create table passkeys (
  user_id bigint not null references users (id),
  id uuid not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id)
);

-- Each opens once, where app and passkeys are lost.
create table recovery_codes (
  user_id bigint not null references users (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A question that waits for its answer: single use, and short.
create table factor_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'passkey-sign-in', 'passkey-registration', 'step-up')),
  -- Null while nobody is known: a passkey says itself whose it is.
  user_id bigint references users (id),
  -- The session that asked; null before there is one.
  session_hash bytea references sessions (token_hash) on delete cascade,
  -- What the authenticator has to sign; null where only a code may answer.
  webauthn_challenge text,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index factor_challenges_end on factor_challenges (expires_at);
create index factor_challenges_session on factor_challenges (session_hash);
create index factor_challenges_account on factor_challenges (user_id);

-- Proof that a session gave its second factor a moment ago: the header x-step-up.
create table step_ups (
  token_hash bytea primary key,
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  expires_at timestamptz not null
);
create index step_ups_session on step_ups (session_hash);
create index step_ups_end on step_ups (expires_at);

-- A session that ends takes its tickets along.
create index live_tickets_session on live_tickets (session_hash);

-- When this session was opened or raised with a second factor; null: with a password alone.
alter table sessions add column factor_at timestamptz;

-- Where a merchant's money went before: a new destination takes the second factor.
create index withdrawals_paid_keys on withdrawals (merchant_id, pix_key) where status = 'completed';
