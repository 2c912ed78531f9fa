#!/usr/bin/env bash
# Small kernels at the same time, priorities, and copies beside them: what the virtual device says beside what happens. Run it
# out of a kit (tools/gpu-kit):
#   bench/beside.sh            measures on cuda:0, and prints the table
#   bench/beside.sh FILE       compares with FILE, which another run on a GPU has written; needs no GPU
# The times of the GPU are medians of 15 runs each, and stay in $OUT/beside-gpu (by default in the working directory). Ends
# with 1 if a program's times differ by more than 15 %.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
profile=${STRETTO_PROFILE:-h200}
gpu=${1:-}
if [[ -z $gpu ]]; then
  gpu=$out/beside-gpu
  "$kit/run" bench --device "${STRETTO_DEVICE:-cuda:0}" beside >"$gpu"
fi
"$kit/run" bench --device "virtual:$profile" beside >"$out/beside-virtual"
python3 "$kit/bench/py/tables.py" beside "$out/beside-virtual" "$gpu"
