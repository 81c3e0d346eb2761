#!/bin/sh
# ops/restore.sh BACKUP
# Puts a backup into the empty database that the settings name, with the SECRET_KEY that it was taken under, and verifies
# books and audit log. Overwrites nothing. Payouts are stopped afterwards.
set -eu
umask 077
backup=${1:?"the backup, a folder that ops/backup.sh made"}
case $backup in /*) ;; *) backup=$PWD/$backup ;; esac
cd "$(dirname "$0")/.."
node=node_modules/.bin/node
[ -x "$node" ] || node=node
"$node" server/src/backup-command.ts restore "$backup"
"$node" server/src/verify-ledger.ts
"$node" server/src/verify-audit.ts
