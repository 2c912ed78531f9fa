// ChaCha20 (RFC 8439, section 2.4) over device memory, from src to dst; the two may be the same.
//
//   launch     256 threads per block, ceil(bytes / 16384) blocks, no dynamic shared memory
//   src, dst   aligned to 4 bytes; bytes may be any number
//   k0…k7      the 256-bit key as little-endian words; n0…n2 the 96-bit nonce likewise
//   counter    block counter of the first 64 bytes of src; it wraps at 2^32, as in the RFC
//
// A thread computes one 64-byte block of key stream. If it applied that block too, the threads of a warp would access
// memory 64 bytes apart; so the warp exchanges its 32 blocks through shared memory and processes them word by word,
// neighbouring threads on neighbouring words. No other warp takes part: there is no block-wide barrier.
//
// The PTX that the product loads is made from this file by cli/src/main/cuda/generate.sh.
#include <cstdint>

static __host__ __device__ inline uint32_t rotateLeft(uint32_t x, int bits) {
  return x << bits | x >> (32 - bits);
}

static __host__ __device__ inline void quarterRound(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  a += b; d = rotateLeft(d ^ a, 16);
  c += d; b = rotateLeft(b ^ c, 12);
  a += b; d = rotateLeft(d ^ a, 8);
  c += d; b = rotateLeft(b ^ c, 7);
}

/** The block function of section 2.3: state in, 16 little-endian words of key stream out. */
static __host__ __device__ inline void chacha20Block(const uint32_t (&state)[16], uint32_t (&out)[16]) {
#pragma unroll
  for (int i = 0; i < 16; i++) out[i] = state[i];
#pragma unroll
  for (int twoRounds = 0; twoRounds < 10; twoRounds++) {
    quarterRound(out[0], out[4], out[8], out[12]);
    quarterRound(out[1], out[5], out[9], out[13]);
    quarterRound(out[2], out[6], out[10], out[14]);
    quarterRound(out[3], out[7], out[11], out[15]);
    quarterRound(out[0], out[5], out[10], out[15]);
    quarterRound(out[1], out[6], out[11], out[12]);
    quarterRound(out[2], out[7], out[8], out[13]);
    quarterRound(out[3], out[4], out[9], out[14]);
  }
#pragma unroll
  for (int i = 0; i < 16; i++) out[i] += state[i];
}

constexpr int kThreads = 256;  // a block
constexpr int kWarps = kThreads / 32;
constexpr int kWords = 16;           // of one ChaCha20 block
constexpr int kStride = kWords + 1;  // odd, so that the 32 threads of a warp write to 32 banks

extern "C" __global__ void __launch_bounds__(kThreads)
chacha20(const uint32_t* src, uint32_t* dst, long long bytes,
         uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
         uint32_t k4, uint32_t k5, uint32_t k6, uint32_t k7,
         uint32_t counter, uint32_t n0, uint32_t n1, uint32_t n2) {
  __shared__ uint32_t exchange[kWarps][32 * kStride];
  const int lane = threadIdx.x % 32;
  uint32_t* const stream = exchange[threadIdx.x / 32];

  const long long block = (long long)blockIdx.x * kThreads + threadIdx.x;
  const long long firstWord = (block - lane) * kWords;  // of this warp
  const long long left = bytes - firstWord * 4;         // for this warp and those after it
  if (left <= 0) return;                                // the whole warp together

  const uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,  // "expand 32-byte k"
                              k0, k1, k2, k3, k4, k5, k6, k7,
                              counter + (uint32_t)block, n0, n1, n2};
  uint32_t keyStream[16];
  chacha20Block(state, keyStream);
#pragma unroll
  for (int i = 0; i < kWords; i++) stream[lane * kStride + i] = keyStream[i];
  __syncwarp();

  const uint32_t* const in = src + firstWord;
  uint32_t* const out = dst + firstWord;
  if (left >= 32 * kWords * 4) {
    uint32_t text[kWords];  // every load before the first store: the compiler cannot know whether src is dst
#pragma unroll
    for (int i = 0; i < kWords; i++) text[i] = in[i * 32 + lane];
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      const int word = i * 32 + lane;
      out[word] = text[i] ^ stream[word / kWords * kStride + word % kWords];
    }
  } else {
    const int whole = (int)(left / 4);
    for (int word = lane; word < whole; word += 32) {
      out[word] = in[word] ^ stream[word / kWords * kStride + word % kWords];
    }
    // Up to three bytes are left. Words are little-endian on every NVIDIA GPU, so byte i of the stream is bits 8i.
    const int tail = (int)(left % 4);
    if (lane < tail) {
      const uint32_t word = stream[whole / kWords * kStride + whole % kWords];
      ((uint8_t*)(out + whole))[lane] = ((const uint8_t*)(in + whole))[lane] ^ (uint8_t)(word >> 8 * lane);
    }
  }
}
