-- The operator's history names its own people only. A factor that was removed ended in it for everybody, because who
-- counts there is known only from documents: it now ends for whoever is an administrator, or was made one at some time.
create or replace function end_approvals_of_key() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended text;
begin
  ended := case tg_table_name
    when 'passkeys' then translate(rtrim(replace(encode((to_jsonb(old) ->> 'credential_id')::bytea, 'base64'), e'\n', ''), '='), '+/', '-_')
    else 'totp:' || encode(sha256((to_jsonb(old) ->> 'sealed_secret')::bytea), 'hex') end;
  perform end_approvals(merchant_id, old.user_id, ended, now()) from members where user_id = old.user_id;
  perform end_approvals(0, old.user_id, ended, now())
  from users where id = old.user_id and (role = 'ADMIN' or staff_since is not null);
  return null;
end $$;
