#!/usr/bin/env bash
# What it costs to enqueue an operation that is watched, beside what the driver takes for an event in CUDA C++. Run it out of
# a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/watching.sh [ROUNDS]   3 processes of each in turn unless given; prints what they print
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/watching" "$kit/bench/cpp/watching.cu" -lcuda
for ((round = 0; round < rounds; round++)); do
  "$work/watching"
  "$kit/run" bench --device "${STRETTO_DEVICE:-cuda:0}" watching
done
