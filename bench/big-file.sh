#!/usr/bin/env bash
# A file larger than the heap through the device: bench/big-file.sh GIBIBYTES [DEVICE]. Run out of a kit or a built checkout. Prints the
# report, and the resident memory of the process while it runs, which must stay flat.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
gibibytes=$1
device=${2:-cuda:0}
command=("$kit/run" stretto)
[[ -x $kit/run ]] || command=("$kit/stretto")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head -c 268435456 /dev/urandom >"$work/part"
for ((i = 0; i < gibibytes * 4; i++)); do cat "$work/part"; done >"$work/file"
rm "$work/part"

STRETTO_JAVA_OPTS="${STRETTO_JAVA_OPTS:-} -Xmx64m" "${command[@]}" overlap "$work/file" --mode overlap --device "$device" \
  --json >"$work/report" &
main=$!
while kill -0 $main 2>/dev/null; do
  sleep 0.25
  pid=$(pgrep -f 'dev.stretto.cli.Main overlap' | tail -n 1 || true)
  [[ -n $pid ]] && awk '/^VmRSS|^RssAnon/ { print $1, $2 }' "/proc/$pid/status" 2>/dev/null | paste -sd' ' || true
done >"$work/memory"
wait $main
cat "$work/report"
echo
awk '{ rss = $2; if (NR > 8) { if (!least || rss < least) least = rss; if (rss > most) most = rss } }
     END { printf "resident memory after the first 2 s: %.0f to %.0f MiB, %d samples\n", least / 1024, most / 1024, NR }' "$work/memory"
