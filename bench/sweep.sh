#!/usr/bin/env bash
# Every way of copying, filling, allocating, launching and waiting, at 4 KiB to 1 GiB, from 1 to 16 streams and threads:
# Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/sweep.sh [WAY…]   tables in Markdown, those rows first that are worse than their bar; the JSON lines go to
#                           sweep-java.jsonl and sweep-cpp.jsonl in $OUT or here
# Each round is one process of Java and one of C++, in turn. Bars are judged by the worst round; the tables show medians.
# Files of several machines may be put together: bench/py/sweep.py JAVA CPP.
#   STRETTO_BENCH_ROUNDS       rounds, 3 by default; a full one takes three to four minutes
#   STRETTO_BENCH_SECONDS      for one process, 300 by default
#   STRETTO_SWEEP_SIZES        such as 4K,1M,1G
#   STRETTO_SWEEP_OPERATIONS   of a sample of a rate, at most: 2000 by default, which is more than a stream of the driver
#                              holds (about 1,000); 500 stays below
#   STRETTO_SWEEP_FOOTPRINT    memory of the copies of one direction, 1G by default: sizes and streams that need more
#                              are left out
#   STRETTO_SWEEP_MILLIS       for which a row is measured, 40 by default
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-300}
rounds=${STRETTO_BENCH_ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=()
for option in sizes operations footprint millis; do
  variable=STRETTO_SWEEP_${option^^}
  [[ -z ${!variable:-} ]] || options+=("--$option" "${!variable}")
done

: >"$out/sweep-java.jsonl"
: >"$out/sweep-cpp.jsonl"
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/sweep" "$kit/bench/cpp/sweep.cu" || exit 1

# Runs a command and adds its lines to the file $1, each with the name of the round $2.
measure() {
  local file=$1 name=$2
  shift 2
  local begin=$SECONDS status=0
  timeout -k 5 "$seconds" "$@" | sed -u "s/^{/{\"round\":\"$name\",/" >>"$file" || status=$?
  echo "$(basename "$file"), round $name: $((SECONDS - begin)) s" >&2
  return "$status"
}

run=$(date +%s)
failed=0
for ((round = 0; round < rounds; round++)); do
  measure "$out/sweep-java.jsonl" "$run-$round" "$kit/run" bench sweep "${options[@]}" "$@" || failed=1
  measure "$out/sweep-cpp.jsonl" "$run-$round" "$work/sweep" "${options[@]}" "$@" || failed=1
done

python3 "$kit/bench/py/sweep.py" "$out/sweep-java.jsonl" "$out/sweep-cpp.jsonl" || failed=1
exit "$failed"
