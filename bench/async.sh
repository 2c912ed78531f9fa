#!/usr/bin/env bash
# Asynchronous work: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/async.sh [BENCH…]   the figures as a table in Markdown; the JSON lines go to async-java.jsonl and async-cpp.jsonl in $OUT or here
# Each benchmark runs in processes of its own, C++ and Java in turn, because the cost of a call differs from process to process
# by a third and more: the figures are medians of the rounds. Where C++ has several ways, the ratio is to the best of them.
# STRETTO_BENCH_ROUNDS sets the number of rounds.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-60} # for one benchmark in one process
rounds=${STRETTO_BENCH_ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

benches=("$@")
((${#benches[@]})) || benches=(allocate-free-4k allocate-free-16m allocate-use-free graph-chain graph-wide
  graph-chain-copies graph-wide-copies await-event await-event-100us await-event-10ms copy-all)

: >"$out/async-cpp.jsonl"
: >"$out/async-java.jsonl"
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/async" "$kit/bench/cpp/async.cu" || exit 1
failed=0
for bench in "${benches[@]}"; do
  for ((round = 0; round < rounds; round++)); do
    timeout -k 5 "$seconds" "$work/async" "$bench" >>"$out/async-cpp.jsonl" || failed=1
    timeout -k 5 "$seconds" "$kit/run" bench async "$bench" >>"$out/async-java.jsonl" || failed=1
  done
done
if ((!$#)); then
  timeout -k 5 "$seconds" "$work/async" queue-launch queue-graphs queue-allocate-free >>"$out/async-cpp.jsonl" || failed=1
fi

python3 "$kit/bench/py/tables.py" async "$out/async-java.jsonl" "$out/async-cpp.jsonl" || failed=1
exit "$failed"
