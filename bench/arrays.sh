#!/usr/bin/env bash
# Arrays on the heap, in chunks of several sizes on several streams, and by flows. Run it out of a kit (tools/gpu-kit) on a
# machine with a GPU:
#   bench/arrays.sh   prints tables in Markdown; the JSON lines go to arrays.jsonl in $OUT or here
# Everything is measured in three processes, since machines and processes differ. STRETTO_BENCH_ROUNDS sets another number.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
rounds=${STRETTO_BENCH_ROUNDS:-3}

: >"$out/arrays.jsonl"
for ((round = 0; round < rounds; round++)); do
  "$kit/run" bench arrays >>"$out/arrays.jsonl"
done
python3 "$kit/bench/py/tables.py" arrays "$out/arrays.jsonl"
