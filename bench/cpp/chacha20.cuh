// ChaCha20 for the C++ benchmarks: the kernel text that the product ships as PTX, with a launch and a check.
#pragma once
#include <cuda_runtime.h>

#include "../../cli/src/main/cuda/chacha20.cu"

struct ChaCha20Key {
  uint32_t key[8];
  uint32_t nonce[3];
};

/** Enqueues one launch over `bytes` bytes; `counter` is the block counter of the first 64. */
inline cudaError_t enqueueChaCha20(const void* src, void* dst, long long bytes, const ChaCha20Key& k, uint32_t counter,
                                   cudaStream_t stream) {
  constexpr long long perBlock = kThreads * 64;
  chacha20<<<static_cast<unsigned>((bytes + perBlock - 1) / perBlock), kThreads, 0, stream>>>(
      static_cast<const uint32_t*>(src), static_cast<uint32_t*>(dst), bytes, k.key[0], k.key[1], k.key[2], k.key[3],
      k.key[4], k.key[5], k.key[6], k.key[7], counter, k.nonce[0], k.nonce[1], k.nonce[2]);
  return cudaGetLastError();
}

/** Block `index` of the key stream, computed on the CPU. */
inline void chacha20KeyStream(const ChaCha20Key& k, uint32_t index, uint32_t (&out)[16]) {
  const uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, k.key[0],   k.key[1],   k.key[2],
                              k.key[3],   k.key[4],   k.key[5],   k.key[6],   k.key[7],   index,      k.nonce[0],
                              k.nonce[1], k.nonce[2]};
  chacha20Block(state, out);
}
