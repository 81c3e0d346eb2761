-- What signing in and administering need as accounts grow: a browser that signed in before keeps attempts of its
-- own, and administrators find an account by any part of its name, username, e-mail or document.

create table known_devices (
  user_id bigint not null references users (id),
  device_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);

-- Folded by the application: lower case, without accents.
alter table users add column search_text text not null default '';

-- A search for a part of a word is an index scan where PostgreSQL has its trigrams (contrib, a trusted extension);
-- elsewhere it finds the same, more slowly.
do $$
declare trigrams text;
begin
  begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm is not available: %', sqlerrm;
  end;
  select extnamespace::regnamespace::text into trigrams from pg_extension where extname = 'pg_trgm';
  if trigrams is not null then
    execute format('create index users_search on users using gin (search_text %s.gin_trgm_ops)', trigrams);
  end if;
end $$;

-- What one administrator adjusted today.
create index audit_log_actor on audit_log (actor_id, at);
