#!/usr/bin/env bash
# What a Java program would use instead: Stretto, JCuda, JavaCPP's CUDA presets and LWJGL do the same jobs, each as its users
# write them and as an expert would. Run it out of a kit (tools/gpu-kit) on a machine with a GPU:
#   bench/bindings.sh [JOB…]   a table in Markdown; the JSON lines go to bindings.jsonl in $OUT or here
# The jobs are pinned (the limit), arrays, pipeline, copies, submit and file. The libraries take turns, and each does each job
# in a process of its own. STRETTO_BENCH_ROUNDS sets how many times (3), STRETTO_BENCH_SECONDS how long a process may take,
# STRETTO_BENCH_BYTES the size of an array (1 GiB). Ends with 1 if a library cannot be loaded, fails, or computes a wrong
# result; the others run all the same.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
rounds=${STRETTO_BENCH_ROUNDS:-3}
seconds=${STRETTO_BENCH_SECONDS:-120}
bytes=${STRETTO_BENCH_BYTES:-1073741824}
file=$(mktemp "${TMPDIR:-/tmp}/stretto-bindings.XXXXXX")
trap 'rm -f "$file"' EXIT

jobs=("$@")
((${#jobs[@]})) || jobs=(pinned arrays pipeline copies submit file)
libraries=(stretto jcuda javacpp lwjgl)

failed=0
: >"$out/bindings.jsonl"
for ((round = 0; round < rounds; round++)); do
  for job in "${jobs[@]}"; do
    for ((turn = 0; turn < ${#libraries[@]}; turn++)); do
      # Another library begins in each round.
      library=${libraries[(round + turn) % ${#libraries[@]}]}
      timeout -k 5 "$seconds" "$kit/run" bindings --bytes "$bytes" --file "$file" "$library" "$job" \
        >>"$out/bindings.jsonl"
      status=$?
      if ((status)); then
        failed=1
        ((status != 124 && status != 137)) || echo "$library, $job: not done after $seconds seconds" >&2
      fi
    done
  done
done

python3 "$kit/bench/py/tables.py" bindings "$out/bindings.jsonl" || failed=1
exit "$failed"
