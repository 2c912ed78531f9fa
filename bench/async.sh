#!/usr/bin/env bash
# Asynchronous work: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/async.sh [BENCH…]   the figures as a table; the JSON lines go to async-java.jsonl and async-cpp.jsonl in $OUT or here
# Each benchmark runs in a process of its own. Where C++ has several ways, the ratio is to the best of them.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-60} # for one benchmark
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
  timeout -k 5 "$seconds" "$work/async" "$bench" >>"$out/async-cpp.jsonl" || failed=1
  timeout -k 5 "$seconds" "$kit/run" bench async "$bench" >>"$out/async-java.jsonl" || failed=1
done
if ((!$#)); then
  timeout -k 5 "$seconds" "$work/async" queue-launch queue-graphs queue-allocate-free >>"$out/async-cpp.jsonl" || failed=1
fi

python3 - "$out/async-java.jsonl" "$out/async-cpp.jsonl" <<'PY'
import json, sys

UNITS = {"nanosecondsPerOperation": "ns", "microseconds": "us"}

def read(path):
    return {row["bench"]: row for row in map(json.loads, open(path))}

java, cpp = read(sys.argv[1]), read(sys.argv[2])
print(f"{'':24}{'Stretto':>14}{'C++':>14}{'Stretto/C++':>13}")
for name, mine in java.items():
    key = next(key for key in UNITS if key in mine)
    line = f"{name:24}{mine[key]:>11.1f} {UNITS[key]}"
    notes = []
    if (theirs := cpp.get(name)) is not None:
        line += f"{theirs[key]:>11.1f} {UNITS[key]}{mine[key] / theirs[key]:>13.3f}"
        if len(theirs["ways"]) > 1:
            notes.append("C++: " + ", ".join(f"{way} {figure:.1f}" for way, figure in theirs["ways"].items()))
    if "percentile99" in mine:
        notes.append(f"99th percentile {mine['percentile99']:.1f} us")
    notes.append(f"{mine['bytesAllocatedPerOperation']:.1f} bytes allocated an operation")
    print(f"{line}   {'; '.join(notes)}")
for name, row in cpp.items():
    if "blocked" in row:
        more = "" if row["blocked"] else " and more"
        print(f"{name}: the driver takes {row['operations']}{more} behind a kernel that does not end")
PY
exit "$failed"
