#!/usr/bin/env bash
# What CUDA promises, in C++ and through Stretto, line by line. Run it out of a kit (tools/gpu-kit) on a machine with a
# GPU (two, for what concerns peers) and nvcc:
#   bench/semantics.sh               a table of equal and different programs, and a line that sums it up; what both
#                                    printed goes to semantics-cpp.txt and semantics-java.txt in $OUT or here. It ends
#                                    with 1 if anything differs that differences.txt does not list
#   bench/semantics.sh --note FILE   C++ alone: writes the outcome to FILE, for semantics-h200.txt of core's tests
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-300} # for each side
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A stream that is held up must not stand in the way of others that share its queue to the GPU.
export CUDA_DEVICE_MAX_CONNECTIONS=32
# Nor must a kernel that is loaded at its first launch wait for it.
export CUDA_MODULE_LOADING=EAGER

nvcc -arch=sm_90 -O2 -std=c++17 -o "$work/semantics" "$kit/bench/cpp/semantics.cu"
if [[ ${1:-} == --note ]]; then
  {
    echo "# What bench/cpp/semantics.cu printed. Written by bench/semantics.sh --note; nobody types it."
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/^/# /'
    timeout -k 5 "$seconds" "$work/semantics"
  } >"$2"
  exit
fi
# What is missing because a side was ended shows in the table.
timeout -k 5 "$seconds" "$work/semantics" >"$out/semantics-cpp.txt" || echo "C++ ended with $?" >&2
timeout -k 5 "$seconds" "$kit/run" java dev.stretto.twin.Main >"$out/semantics-java.txt" || echo "Java ended with $?" >&2
"$kit/run" java dev.stretto.twin.Comparison "$out/semantics-cpp.txt" "$out/semantics-java.txt"
