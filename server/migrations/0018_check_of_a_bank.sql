-- A check of a merchant's bank account is asked for by a call and made by a process with background work.
do $$ begin
  alter table bank_connections add column is_check_claimed boolean not null default false;
  -- Only accounts in use hold a key, so that nobody keeps a key from its owner by entering it in a draft.
  drop index bank_connections_by_key;
  create unique index bank_connections_by_key on bank_connections (pix_key)
  where state in ('active', 'suspended', 'retiring');
  create index bank_connections_to_check on bank_connections (check_started_at)
  where check_started_at is not null and check_ended_at is null;
end $$;
