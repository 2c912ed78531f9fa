#!/usr/bin/env bash
# Asynchronous work: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/async.sh [BENCH…]   the figures as a table; the JSON lines go to async-java.jsonl and async-cpp.jsonl in $OUT or here
# Each benchmark runs in processes of its own, C++ and Java in turn, for what a call costs differs from process to process by
# a third and more: the figures are medians of the rounds. Where C++ has several ways, the ratio is to the best of them.
# STRETTO_BENCH_ROUNDS says how many rounds.
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

python3 - "$out/async-java.jsonl" "$out/async-cpp.jsonl" <<'PY'
import json, statistics, sys

UNITS = {"nanosecondsPerOperation": "ns", "microseconds": "us"}

def read(path):
    rows = {}
    for row in map(json.loads, open(path)):
        rows.setdefault(row["bench"], []).append(row)
    return rows

def median(rows, key):
    return statistics.median(row[key] for row in rows)

java, cpp = read(sys.argv[1]), read(sys.argv[2])
print(f"{'':24}{'Stretto':>14}{'C++':>14}{'Stretto/C++':>13}")
for name, mine in java.items():
    key = next(key for key in UNITS if key in mine[0])
    figure = median(mine, key)
    line = f"{name:24}{figure:>11.1f} {UNITS[key]}"
    notes = [f"{min(row[key] for row in mine):.1f} to {max(row[key] for row in mine):.1f}"]
    if theirs := cpp.get(name):
        ways = {way: statistics.median(row["ways"][way] for row in theirs) for way in theirs[0]["ways"]}
        line += f"{min(ways.values()):>11.1f} {UNITS[key]}{figure / min(ways.values()):>13.3f}"
        notes[0] += f", C++ {min(row[key] for row in theirs):.1f} to {max(row[key] for row in theirs):.1f}"
        best = min(way for row in theirs for way in row["ways"].values())
        notes.append(f"best of each {min(row[key] for row in mine) / best:.3f}")
        if len(ways) > 1:
            notes.append("C++: " + ", ".join(f"{way} {ways[way]:.1f}" for way in ways))
    if "percentile99" in mine[0]:
        notes.append(f"99th percentile {median(mine, 'percentile99'):.1f} us")
    notes.append(f"{median(mine, 'bytesAllocatedPerOperation'):.1f} bytes allocated an operation")
    print(f"{line}   {'; '.join(notes)}")
for name, (row, *_) in cpp.items():
    if "blocked" in row:
        more = "" if row["blocked"] else " and more"
        print(f"{name}: the driver takes {row['operations']}{more} behind a kernel that does not end")
PY
exit "$failed"
