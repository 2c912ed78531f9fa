#!/usr/bin/env bash
# What the blocks of a cluster do with each other's shared memory: Stretto beside CUDA C++. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/clusters.sh [ROUNDS]   3 processes of each in turn unless given; a table with the worst of all of them
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/clusters" "$kit/bench/cpp/clusters.cu"
for ((round = 0; round < rounds; round++)); do
  "$work/clusters" >>"$work/cpp"
  "$kit/run" bench clusters >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
