#!/usr/bin/env bash
# From a completion on the device to a virtual thread that runs again, of very many that wait, and what that depends on. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU:
#   bench/completion.sh   a table; the JSON lines go to completion.jsonl in $OUT or here
# Each row is of a process of its own: the medians of its rounds, and the times between completions, which ought to be the spacing. Where streams
# share a queue of the hardware (CUDA_DEVICE_MAX_CONNECTIONS, 8 unless set) they come in bursts.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
rounds=${STRETTO_BENCH_ROUNDS:-3}
file=$out/completion.jsonl
: >"$file"
failed=0

measure() { # NAME [ENVIRONMENT…] -- [OPTION…]
  local name=$1 environment=()
  shift
  while [[ $1 != -- ]]; do
    environment+=("$1")
    shift
  done
  shift
  env "${environment[@]}" timeout -k 5 120 "$kit/run" bench --rounds "$rounds" "$@" completion-latency |
    sed "s/^{/{\"variant\":\"$name\",/" >>"$file" || failed=1
}

measure "16 streams" --
measure "16 streams, 32 connections" CUDA_DEVICE_MAX_CONNECTIONS=32 --
measure "4 streams" -- --streams 4
measure "1 stream" -- --streams 1
measure "16 streams, awake for 0.2 ms" STRETTO_JAVA_OPTS=-Ddev.stretto.awakeNanos=200000 --
measure "16 streams, not awake" STRETTO_JAVA_OPTS=-Ddev.stretto.awakeNanos=0 --

python3 - "$file" <<'PY'
import json, statistics, sys

rows = {}
for row in map(json.loads, open(sys.argv[1])):
    if "medianMicroseconds" in row:
        rows.setdefault(row["variant"], []).append(row)
columns = ["median", "p90", "p99", "max", "gapMedian", "gap90", "gap99"]
print(f"{'us':34}" + "".join(f"{column:>11}" for column in columns))
for name, rounds in rows.items():
    figures = [statistics.median(row[column + "Microseconds"] for row in rounds) for column in columns]
    print(f"{name:34}" + "".join(f"{figure:>11.1f}" for figure in figures))
PY
exit "$failed"
