#!/usr/bin/env bash
# Kernels in Java beside the same kernels in CUDA C++, in one go. Run it out of a kit (tools/gpu-kit) on a machine with a
# GPU and nvcc:
#   bench/kernels.sh [--checked] [BENCH…]   the figures as a table in Markdown, with ratios and their geometric mean; the
#                                           JSON lines go to kernels-java.jsonl and kernels-cpp.jsonl in $OUT or here
# Each benchmark runs in a process of its own, C++ and Java in turn, so that one that fails or hangs spoils no other.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-120} # for one benchmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=()
while [[ ${1:-} == --* ]]; do
  options+=("$1")
  shift
done
benches=("$@")
# The samples are kernels of the kinds that CUDA's samples have.
samples=(conv-rows conv-columns conv-square conv-tiled heat-3d waves-3d grey sobel median box bilateral rotate
  black-scholes binomial pi mandelbrot quasirandom bitonic merge scan walsh dot scalar-products matrix-vector spmv
  matrix-mul matrix-mul-int softmax layer-norm dct crc32 hash64 gather)
((${#benches[@]})) || benches=(saxpy triad reduction sum-1g transpose stencil histogram chacha20 sgemm nbody mma-bf16
  "${samples[@]}")

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

: >"$out/kernels-cpp.jsonl"
: >"$out/kernels-java.jsonl"
compiled=true
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/kernels" "$kit/bench/cpp/kernels.cu" 2>"$work/nvcc" || compiled=false
$compiled || cat "$work/nvcc" >&2
for bench in "${benches[@]}"; do
  ! $compiled || measure "$bench" "$out/kernels-cpp.jsonl" "$work/kernels" "$bench"
  measure "$bench" "$out/kernels-java.jsonl" "$kit/run" bench kernels "${options[@]}" "$bench"
done

python3 "$kit/bench/py/tables.py" kernels "$out/kernels-java.jsonl" "$out/kernels-cpp.jsonl" "${benches[@]}"
