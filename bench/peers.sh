#!/usr/bin/env bash
# Between devices: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with two GPUs or more
# and nvcc:
#   bench/peers.sh [BENCH…]   the figures as a table; the JSON lines go to peers-java.jsonl and peers-cpp.jsonl in $OUT or here
# Each benchmark runs in a process of its own, C++ and Java in turn, so that one that fails or hangs spoils no other.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-120} # for one benchmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

benches=("$@")
((${#benches[@]})) || benches=(peer-one peer-both peer-read off-one off-both latency-on latency-off all-to-all
  chain-broadcast overlap)

# Runs a command that prints a line for benchmark $1 to the file $2; where it prints none, the line says why.
measure() {
  local bench=$1 file=$2 status=0
  shift 2
  timeout -k 5 "$seconds" "$@" >"$work/line" 2>"$work/errors" || status=$?
  grep -a '^{"bench"' "$work/line" >>"$file" && return
  python3 - "$bench" "$status" "$work/errors" >>"$file" <<'PY'
import json, sys
bench, status, path = sys.argv[1:]
lines = [line.strip() for line in open(path, errors="replace") if line.strip()]
telling = [line for line in lines if "Exception" in line or "Error" in line] or lines[-1:]
what = "took too long" if status in ("124", "137") else f"exit status {status}"
print(json.dumps({"bench": bench, "error": f"{what}: {telling[0] if telling else 'nothing on standard error'}"}))
PY
}

: >"$out/peers-cpp.jsonl"
: >"$out/peers-java.jsonl"
compiled=true
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/peers" "$kit/bench/cpp/peers.cu" 2>"$work/nvcc" || compiled=false
$compiled || cat "$work/nvcc" >&2
for bench in "${benches[@]}"; do
  if $compiled; then
    measure "$bench" "$out/peers-cpp.jsonl" "$work/peers" "$bench"
    # Without peer access C++ has two ways: the driver's staging, and staging by hand. Stretto's one is beside both.
    case $bench in
      off-one | off-both)
        measure "off-hand-${bench#off-}" "$out/peers-cpp.jsonl" "$work/peers" "off-hand-${bench#off-}"
        ;;
    esac
  fi
  measure "$bench" "$out/peers-java.jsonl" "$kit/run" bench "$bench"
done

python3 - "$out/peers-java.jsonl" "$out/peers-cpp.jsonl" "${benches[@]}" <<'PY'
import json, sys

UNITS = {"gigabytesPerSecond": "GB/s", "microseconds": "us", "togetherMilliseconds": "ms"}

def read(path):
    return {row["bench"]: row for row in map(json.loads, open(path))}

def figure(row):
    """The figure, its text, and whether less of it is better."""
    if row is None or "error" in row:
        return None, "failed" if row else "missing", False
    key = next((key for key in UNITS if key in row), None)
    if key is None:
        return None, "no figure", False
    return row[key], f"{row[key]:.{1 if key == 'gigabytesPerSecond' else 2}f} {UNITS[key]}", UNITS[key] != "GB/s"

def remarks(mine, theirs, less):
    notes = ["less is better"] if less else []
    if mine and theirs and "hidden" in mine and "hidden" in theirs:
        notes.append(f"copies hidden: {mine['hidden']:.3f} and {theirs['hidden']:.3f}")
    if theirs and "way" in theirs:
        notes.append(f"C++: {theirs['way']}")
    if theirs and "devices" in theirs:
        notes.append(f"{theirs['devices']} devices")
    return "; ".join(notes)

java, cpp = read(sys.argv[1]), read(sys.argv[2])
errors = []

def found(side, rows, name):
    row = rows.get(name)
    if row is None or "error" in row:
        errors.append(f"{side}, {name}: {row['error'][:400] if row else 'no line'}")
    return row

print(f"{'':18}{'Stretto':>14}{'C++':>14}{'Stretto/C++':>13}")
for name in sys.argv[3:]:
    mine = found("Stretto", java, name)
    others = [name]
    if name in ("off-one", "off-both"):
        others.append(name.replace("off-", "off-hand-"))
    for other in others:
        theirs = found("C++", cpp, other)
        (a, left, less), (b, right, _) = figure(mine), figure(theirs)
        ratio = f"{a / b:.3f}" if a and b else ""
        label = other if other == name else f"  {other}"
        print(f"{label:18}{left:>14}{right:>14}{ratio:>13}   {remarks(mine, theirs, less)}".rstrip())
for error in errors:
    print(error)
sys.exit(1 if errors else 0)
PY
