#!/usr/bin/env bash
# What tiles of shared memory are stored at by memcpyAsync: Stretto beside the best of several ways in CUDA C++. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/stores.sh [ROUNDS]   3 processes of each in turn unless given; a table with the worst of all of them
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/stores" "$kit/bench/cpp/stores.cu"
for ((round = 0; round < rounds; round++)); do
  "$work/stores" >>"$work/cpp"
  "$kit/run" bench stores >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
