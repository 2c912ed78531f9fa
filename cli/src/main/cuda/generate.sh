#!/bin/sh
# Makes the PTX of chacha20.cu that the command `stretto` loads, and assembles it for sm_80 and sm_90 as a check.
# PTX 7.0 (CUDA 11) is all that the kernel needs: the version is lowered so that older drivers load it too.
set -eu
cd "$(dirname "$0")"
ptx=../resources/dev/stretto/cli/chacha20.ptx
{
  cat <<'HEAD'
// ChaCha20 (RFC 8439). Generated: do not edit. Source and parameters: cli/src/main/cuda/chacha20.cu
// Made by cli/src/main/cuda/generate.sh: nvcc -ptx -arch=sm_80 -O3, CUDA 13.0; .version lowered to 7.0.
// Launch: 256 threads a block, ceil(bytes / 16384) blocks, no dynamic shared memory.
HEAD
  nvcc -ptx -arch=sm_80 -O3 -std=c++17 -o - chacha20.cu |
    sed -e '/^\/\//d' -e '/^$/d' -e 's/^\.version .*/.version 7.0/'
} > "$ptx"
for arch in sm_80 sm_90; do
  ptxas -v -arch=$arch -o /dev/null "$ptx"
done
