#!/usr/bin/env bash
# What one call of NCCL costs the host: Stretto's communicator beside CUDA C++, in turns in one process, with one rank, and with two
# (processes) if the machine has two GPUs. Run it out of a kit (tools/gpu-kit) on a machine with nvcc and PyTorch's wheel of NCCL:
#   bench/nccl.sh [ROUNDS]   3 unless given; JSON lines, microseconds a call, medians of 101 rows of 200 calls
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
nccl=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++20 -arch=sm_90 -shared -Xcompiler -fPIC -I"$nccl/include" -o "$work/nccl.so" "$kit/bench/cpp/nccl.cu" \
  -Xlinker "$nccl/lib/libnccl.so.2" -Xlinker "-rpath=$nccl/lib"
export STRETTO_JAVA_OPTS="-Ddev.stretto.nccl=$nccl/lib/libnccl.so.2"
gpus=$(nvidia-smi --list-gpus | wc -l)
for ((round = 0; round < rounds; round++)); do
  for ((ranks = 1; ranks <= gpus && ranks <= 2; ranks++)); do
    folder=$(mktemp -d -p "$work")
    for ((rank = 1; rank < ranks; rank++)); do
      "$kit/run" bench nccl "$work/nccl.so" "$rank" "$ranks" "$folder" &
    done
    "$kit/run" bench nccl "$work/nccl.so" 0 "$ranks" "$folder"
    wait
  done
done
