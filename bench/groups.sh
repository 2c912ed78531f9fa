#!/usr/bin/env bash
# Stages that parts of a block bring: the pipelines of Stretto beside barriers written by hand in CUDA C++. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/groups.sh [ROUNDS]   3 processes of each in turn unless given; a table with the worst of all of them
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/groups" "$kit/bench/cpp/groups.cu"
for ((round = 0; round < rounds; round++)); do
  "$work/groups" >>"$work/cpp"
  "$kit/run" bench groups >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
