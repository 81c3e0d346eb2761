#!/bin/sh
# ops/backup.sh FOLDER [DAYS]
# Takes a backup beside the running gateway into FOLDER/<time>, and removes those that are older than DAYS (14). Wants the
# gateway's settings in its environment. SECRET_KEY is not in it: keep that apart.
set -eu
umask 077
folder=${1:?"the folder of the backups"}
days=${2:-14}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
cd "$(dirname "$0")/.."
node=node_modules/.bin/node
[ -x "$node" ] || node=node
mkdir -p "$folder"
taken="$folder/$(date -u +%Y-%m-%dT%H%M%SZ)"
"$node" server/src/backup-command.ts take "$taken"
# By their names: a backup that was copied here has the date of its copy.
oldest=$("$node" -p 'new Date(Date.now() - process.argv[1] * 86400000).toISOString().slice(0, 19).replaceAll(":", "") + "Z"' "$days")
for backup in "$folder"/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9]*Z; do
  if expr "${backup##*/}" '<' "$oldest" >/dev/null; then rm -rf "$backup"; fi
done
echo "$taken"
