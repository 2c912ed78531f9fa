#!/usr/bin/env bash
# What one call of NCCL costs the host: Stretto's communicator beside CUDA C++, with one rank, and with two if the machine has two
# GPUs. Run it out of a kit (tools/gpu-kit) on a machine with nvcc and PyTorch's wheel of NCCL:
#   bench/nccl.sh [ROUNDS]   3 processes of each in turn unless given; JSON lines, microseconds a call
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
nccl=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++20 -arch=sm_90 -I"$nccl/include" -o "$work/nccl" "$kit/bench/cpp/nccl.cu" -Xlinker "$nccl/lib/libnccl.so.2"
for ((round = 0; round < rounds; round++)); do
  LD_LIBRARY_PATH="$nccl/lib" "$work/nccl"
  STRETTO_JAVA_OPTS="-Ddev.stretto.nccl=$nccl/lib/libnccl.so.2" "$kit/run" bench nccl
done
