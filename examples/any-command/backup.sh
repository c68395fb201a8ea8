#!/bin/sh
# Packs a folder, looks whether the archive can be read, and keeps the newest few.
set -eu

what=${WHAT:?which folder}
into=${INTO:-${TMPDIR:-/tmp}/backups}
keep=${KEEP:-3}

[ -d "$what" ] || { echo "There is no folder $what" >&2; exit 3; }
mkdir -p "$into"
archive="$into/$(date -u +%Y%m%dT%H%M%S)-$$.tar.gz"
tar -czf "$archive" -C "$what" .
echo "Packed $(tar -tzf "$archive" | wc -l) files into $archive"

ls -1t "$into"/*.tar.gz | tail -n +$((keep + 1)) | while read -r old; do
  rm "$old"
  echo "Removed $old"
done
