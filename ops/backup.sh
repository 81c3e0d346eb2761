#!/bin/sh
# ops/backup.sh FOLDER [DAYS]
# Takes a backup into FOLDER/<time> while the gateway runs, and removes backups that are older than DAYS (14 by default). The
# gateway's settings must be in the environment. The backup does not contain SECRET_KEY, without which its encrypted data
# cannot be read: keep that in another place.
set -eu
umask 077
folder=${1:?"the folder of the backups"}
days=${2:-14}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
cd "$(dirname "$0")/.."
node=node_modules/.bin/node
[ -x "$node" ] || node=node
mkdir -p "$folder"
new_backup="$folder/$(date -u +%Y-%m-%dT%H%M%SZ)"
"$node" server/src/backup-command.ts take "$new_backup"
# Backups that were interrupted go with the old ones. The age is read from the name, since a backup that was copied here has the file date of its copy.
oldest_name=$("$node" -p 'new Date(Date.now() - process.argv[1] * 86400000).toISOString().slice(0, 19).replaceAll(":", "") + "Z"' "$days")
for backup in "$folder"/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9]*Z "$folder"/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9]*Z.unfinished; do
  if expr "${backup##*/}" '<' "$oldest_name" >/dev/null; then rm -rf "$backup"; fi
done
echo "$new_backup"
