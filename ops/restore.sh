#!/bin/sh
# ops/restore.sh BACKUP
# Restores a backup into the database that the settings name, and verifies the books and the audit log. The database must be
# empty, since nothing is overwritten, and SECRET_KEY must be the one with which the backup was taken. Payouts are stopped
# afterwards, until an operator resumes them.
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
