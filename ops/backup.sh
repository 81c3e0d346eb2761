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
find "$folder" -mindepth 1 -maxdepth 1 -type d -name '20*Z' -mtime "+$days" -exec rm -rf {} +
echo "$taken"
