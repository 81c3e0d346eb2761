#!/bin/sh
# Creates the gateway's database and its two roles: jangada_owner migrates the schema, jangada_app is the role under which
# the gateway runs. Run it as PostgreSQL's superuser, with OWNER_PASSWORD and APP_PASSWORD set.
set -eu
: "${OWNER_PASSWORD:?}" "${APP_PASSWORD:?}"
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" <<'SQL'
create role jangada_owner login password :'owner_password';
create role jangada_app login password :'app_password';
create database jangada owner jangada_owner;
revoke connect, temporary on database jangada from public;
grant connect on database jangada to jangada_owner, jangada_app;
-- With this right the gateway notices that its database runs from another directory, and so may be a copy.
grant pg_read_all_settings to jangada_owner;
\connect jangada
-- No role may execute a new function of the owner unless a migration grants it.
alter default privileges for role jangada_owner revoke execute on functions from public;
SQL
