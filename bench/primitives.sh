#!/usr/bin/env bash
# What everybody needs: the primitives of stretto-kernels beside CUB's, for 2^20, 2^24 and 2^28 ints. The rates are of the
# input's bytes, so the ratio is the share of CUB's speed. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/primitives.sh [ROUNDS]   3 processes of each in turn unless given; a table with the worst of all of them
# Predicted for an H200, whose memory moves 4.8 TB/s, at 2^28: sums at nine tenths of that, running sums at four tenths (each
# byte in is a byte out), half of the ints at six tenths, histograms as sums unless shared memory is slower. Sorted ints are read
# five times and written four times, by blocks that look for equal digits: a fifteenth. The bars: 0.95 of CUB, sorts 0.90.
# The greatest are the first 1,000, with their places; CUB of CUDA 13.0 has no top-k, so there it sorts the keys.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/primitives" "$kit/bench/cpp/primitives.cu"
for ((round = 0; round < rounds; round++)); do
  "$work/primitives" >>"$work/cpp"
  "$kit/run" bench primitives >>"$work/java"
done
python3 "$kit/bench/py/tables.py" meeting "$work/java" "$work/cpp"
