#!/bin/sh
# Makes the two roles and the database of the gateway. As PostgreSQL's superuser, with OWNER_PASSWORD and APP_PASSWORD set.
set -eu
: "${OWNER_PASSWORD:?}" "${APP_PASSWORD:?}"
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" <<'SQL'
create role jangada_owner login password :'owner_password';
create role jangada_app login password :'app_password';
create database jangada owner jangada_owner;
revoke connect, temporary on database jangada from public;
grant connect on database jangada to jangada_owner, jangada_app;
-- So that a database that woke up in another directory is noticed.
grant pg_read_all_settings to jangada_owner;
\connect jangada
-- Whoever may run a function that the owner makes is granted it by name.
alter default privileges for role jangada_owner revoke execute on functions from public;
SQL
