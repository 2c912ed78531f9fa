#!/usr/bin/env bash
# Work that two processes hand over to each other on one GPU: Stretto beside CUDA C++. Run it out of a kit (tools/gpu-kit) on a
# machine with a GPU and nvcc:
#   bench/processes.sh [ROUNDS [HAND-OVERS]]   3 pairs of processes of each in turn and 10000 hand-overs of each kind unless
#                                              given; a table with the worst of all of them
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
times=${2:-10000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90 -o "$work/processes" "$kit/bench/cpp/processes.cu" -lcuda
for ((round = 0; round < rounds; round++)); do
  "$work/processes" "$times" >>"$work/cpp"
  "$kit/run" bench --hand-overs "$times" processes >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
