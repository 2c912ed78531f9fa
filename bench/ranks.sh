#!/usr/bin/env bash
# A communicator's collectives beside the same NCCL called from PyTorch, in turns; a process for each GPU on both sides.
# Run it out of a kit (tools/gpu-kit) on a machine with two GPUs or more and PyTorch:
#   bench/ranks.sh [--gpus N] [--rounds N] [--sizes MIB,…] [OPERATION…]   and more, as bench/py/collectives.py says
#   bench/ranks.sh --windows …   all-gather and all-to-all in windows, by NCCL's copy engines, beside PyTorch's by kernels
# Prints a table in Markdown. Both sides use the NCCL of PyTorch's wheel.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
nccl=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])')
export STRETTO_JAVA_OPTS="-Ddev.stretto.nccl=$nccl/lib/libnccl.so.2 ${STRETTO_JAVA_OPTS:-}"
exec "$kit/bench/collectives.sh" --ranks "$@"
