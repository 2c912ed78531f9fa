#!/usr/bin/env bash
# The time from a completion on the device until a virtual thread runs again, one of very many that wait, and what it depends on. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU:
#   bench/completion.sh   a table in Markdown; the JSON lines go to completion.jsonl in $OUT or here
# Each row is a process of its own: the medians of its rounds, and the times between completions, which should equal the spacing. Streams
# that share a hardware queue (CUDA_DEVICE_MAX_CONNECTIONS, 8 unless set) complete in bursts.
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

python3 "$kit/bench/py/tables.py" completion "$file" || failed=1
exit "$failed"
