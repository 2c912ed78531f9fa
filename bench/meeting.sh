#!/usr/bin/env bash
# What kernels, the host and streams tell each other while they run: Stretto beside CUDA C++. Run it out of a kit
# (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/meeting.sh [ROUNDS]   3 processes of each in turn unless given; a table with the worst of all of them
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90 -o "$work/meeting" "$kit/bench/cpp/meeting.cu" -lcuda
for ((round = 0; round < rounds; round++)); do
  "$work/meeting" >>"$work/cpp"
  "$kit/run" bench meeting >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
