#!/usr/bin/env bash
# What one call of NCCL costs the host: Stretto's communicator beside CUDA C++, in turns in one process, with one rank, and with two
# if the machine has two GPUs. Run it out of a kit (tools/gpu-kit) on a machine with nvcc and PyTorch's wheel of NCCL:
#   bench/nccl.sh [PROCESSES]   3 one after the other unless given; JSON lines, microseconds a call
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
processes=${1:-3}
nccl=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++20 -arch=sm_90 -shared -Xcompiler -fPIC -I"$nccl/include" -o "$work/nccl.so" "$kit/bench/cpp/nccl.cu" \
  -Xlinker "$nccl/lib/libnccl.so.2" -Xlinker "-rpath=$nccl/lib"
for ((process = 0; process < processes; process++)); do
  STRETTO_JAVA_OPTS="-Ddev.stretto.nccl=$nccl/lib/libnccl.so.2" "$kit/run" bench nccl "$work/nccl.so"
done
