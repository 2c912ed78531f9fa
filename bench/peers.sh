#!/usr/bin/env bash
# Between devices: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with two GPUs or more
# and nvcc:
#   bench/peers.sh [BENCH…]   the figures as tables in Markdown; the JSON lines go to peers-java.jsonl and peers-cpp.jsonl in $OUT or here
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

# Runs a command that prints a line for benchmark $1 to the file $2; if it prints none, the line says why.
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

python3 "$kit/bench/py/tables.py" peers "$out/peers-java.jsonl" "$out/peers-cpp.jsonl" "${benches[@]}"
