-- Merchants bring bank accounts of their own: credentials that only the gateway's key opens, how the bank was checked,
-- who suspended the account, and since when nothing works there.

-- Whether a merchant is paid into the operator's account or into accounts of their own, where the operator admits both.
alter table users add column merchant_kind text not null default 'pooled' check (merchant_kind in ('pooled', 'direct'));

do $$ begin
  alter table bank_connections
    add column name text not null default '',
    -- The order in which the accounts of a merchant are tried for a new charge.
    add column position integer not null default 1,
    -- The key of this row, sealed under the gateway's key, and the credentials, sealed under the key of this row.
    add column sealed_key bytea,
    add column sealed_credentials bytea,
    -- Replace the ones above when their check has passed.
    add column new_sealed_credentials bytea,
    -- What screens show of the credentials.
    add column client_id_start text,
    add column certificate_holder text,
    add column certificate_fingerprint text,
    add column certificate_expires_at timestamptz,
    -- The smallest number of days before the expiry of the certificate about which its owner was told.
    add column certificate_warned_days integer,
    -- The addresses of a bank that the gateway does not know, as an administrator entered them.
    add column api_url text,
    add column token_url text,
    add column suspended_by text check (suspended_by in ('merchant', 'operator', 'certificate')),
    add column suspended_reason text,
    add column broken_since timestamptz,
    add column broken_reason text,
    -- Whether the owner was told of what is broken.
    add column is_broken_told boolean not null default false,
    add column last_answer_at timestamptz,
    add column check_started_at timestamptz,
    add column check_ended_at timestamptz,
    add column check_passed boolean,
    add column check_steps jsonb,
    add column retiring_since timestamptz;
  alter table bank_connections drop constraint bank_connections_state_check;
  alter table bank_connections add constraint bank_connections_state_check
  check (state in ('draft', 'active', 'suspended', 'retiring', 'retired'));
  alter table bank_connections add constraint bank_connections_suspended
  check ((state = 'suspended') = (suspended_by is not null));
  alter table bank_connections add constraint bank_connections_erased
  check (state <> 'retired' or (sealed_key is null and sealed_credentials is null and new_sealed_credentials is null));
end $$;
-- All processes read the rows that changed.
create index bank_connections_by_change on bank_connections (updated_at);
