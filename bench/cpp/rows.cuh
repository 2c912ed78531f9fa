// The second half of the samples (see samples.cuh): options, sorting, products, rows and codes.
#pragma once
#include <cstdint>

namespace samples {

constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffffu;

// ---- Options

constexpr int kOptionThreads = 128;
constexpr int kTreeSteps = 2048;
constexpr int kShare = kTreeSteps / kOptionThreads;

/** A step of the binomial tree. */
struct Step {
  float growth, up, down;
};

/** The chance that a normally distributed number is at most d: a polynomial. */
__device__ inline float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938154f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302745f))));
  const float tail = 0.3989423f * expf(-0.5f * d * d) * polynomial;
  return d > 0 ? 1 - tail : tail;
}

__global__ void __launch_bounds__(kOptionThreads)
    blackScholes(float* calls, float* puts, const float* prices, const float* strikes, const float* years, float rate,
                 float volatility, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const float price = prices[i];
    const float strike = strikes[i];
    const float time = years[i];
    const float root = sqrtf(time);
    const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float chance1 = normal(d1);
    const float chance2 = normal(d2);
    const float discounted = strike * expf(-rate * time);
    calls[i] = price * chance1 - discounted * chance2;
    puts[i] = discounted * (1 - chance2) - price * (1 - chance1);
  }
}

/** What the option is worth at the end, after so many steps up. */
__device__ inline float leaf(float price, float strike, Step step, int ups) {
  const float end = price * expf(step.growth * (2.0f * ups - kTreeSteps));
  return fmaxf(0, end - strike);
}

/** A tree for a call; a block for each option. */
__global__ void __launch_bounds__(kOptionThreads)
    binomial(float* calls, const float* prices, const float* strikes, Step step) {
  __shared__ float exchange[kOptionThreads + 1];
  const int rank = threadIdx.x;
  const float price = prices[blockIdx.x];
  const float strike = strikes[blockIdx.x];
  float call[kShare + 1];
#pragma unroll
  for (int i = 0; i < kShare; i++) call[i] = leaf(price, strike, step, rank * kShare + i);
  if (rank == 0) exchange[kOptionThreads] = leaf(price, strike, step, kTreeSteps);
  const int last = max(0, rank * kShare - 1);
  for (int i = kTreeSteps; i > 0; i--) {
    exchange[rank] = call[0];
    __syncthreads();
    call[kShare] = exchange[rank + 1];
    __syncthreads();
    if (i > last) {
#pragma unroll
      for (int j = 0; j < kShare; j++) call[j] = step.up * call[j + 1] + step.down * call[j];
    }
  }
  if (rank == 0) calls[blockIdx.x] = call[0];
}

// ---- Halving and doubling

constexpr int kKeys = 1024;   // of a block of bitonic
constexpr int kWaves = 2048;  // elements of a block of walsh

__device__ inline void exchangeKeys(int* keys, int i, int j, bool falling) {
  const int a = keys[i];
  const int b = keys[j];
  if ((a > b) != falling) {
    keys[i] = b;
    keys[j] = a;
  }
}

/** Sorts each kKeys keys. */
__global__ void __launch_bounds__(kKeys / 2) bitonic(const int* in, int* out) {
  __shared__ int keys[kKeys];
  const int rank = threadIdx.x;
  const int first = blockIdx.x * kKeys + rank;
  keys[rank] = in[first];
  keys[rank + kKeys / 2] = in[first + kKeys / 2];
  for (int size = 2; size < kKeys; size *= 2) {
    const bool falling = (rank & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * rank - (rank & (stride - 1));
      exchangeKeys(keys, at, at + stride, falling);
    }
  }
  for (int stride = kKeys / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int at = 2 * rank - (rank & (stride - 1));
    exchangeKeys(keys, at, at + stride, false);
  }
  __syncthreads();
  out[first] = keys[rank];
  out[first + kKeys / 2] = keys[rank + kKeys / 2];
}

/** How many elements are less than the key, or equal to it if they are to count too. */
__device__ inline long long countBelow(const int* sorted, long long length, int key, bool orEqual) {
  long long low = 0;
  long long high = length;
  while (low < high) {
    const long long middle = (low + high) >> 1;
    const int value = sorted[middle];
    if (value < key || (orEqual && value == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Merges two sorted arrays of equal length. */
__global__ void __launch_bounds__(kThreads) merge(const int* a, const int* b, int* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const int x = a[i];
    out[i + countBelow(b, n, x, false)] = x;
    const int y = b[i];
    out[i + countBelow(a, n, y, true)] = y;
  }
}

/** The sum of the values of all lanes up to this one. */
__device__ inline int scanWarp(int value) {
  const int lane = threadIdx.x % 32;
  int sum = value;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    const int other = __shfl_up_sync(kAll, sum, delta);
    if (lane >= delta) sum += other;
  }
  return sum;
}

/** The sums of all elements up to each one, for each kThreads elements. */
__global__ void __launch_bounds__(kThreads) scan(const int* in, int* out) {
  __shared__ int ofWarps[kThreads / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = scanWarp(in[i]);
  if (lane == 31) ofWarps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int ofWarp = lane < kThreads / 32 ? ofWarps[lane] : 0;
    ofWarp = scanWarp(ofWarp);
    if (lane < kThreads / 32) ofWarps[lane] = ofWarp;
  }
  __syncthreads();
  if (warp > 0) sum += ofWarps[warp - 1];
  out[i] = sum;
}

/** The Walsh transform of each kWaves elements. */
__global__ void __launch_bounds__(kWaves / 4) walsh(const float* in, float* out) {
  __shared__ float data[kWaves];
  const int rank = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kWaves;
  for (int i = rank; i < kWaves; i += threads) data[i] = in[first + i];
  for (int stride = kWaves / 4; stride > 0; stride /= 4) {
    const int low = rank & (stride - 1);
    const int i0 = (rank - low) * 4 + low;
    const int i1 = i0 + stride;
    const int i2 = i1 + stride;
    const int i3 = i2 + stride;
    __syncthreads();
    const float d0 = data[i0];
    const float d1 = data[i1];
    const float d2 = data[i2];
    const float d3 = data[i3];
    const float sum02 = d0 + d2;
    const float difference02 = d0 - d2;
    const float sum13 = d1 + d3;
    const float difference13 = d1 - d3;
    data[i0] = sum02 + sum13;
    data[i1] = sum02 - sum13;
    data[i2] = difference02 + difference13;
    data[i3] = difference02 - difference13;
  }
  __syncthreads();
  for (int i = rank; i < kWaves / 2; i += threads) {
    const float d0 = data[2 * i];
    const float d1 = data[2 * i + 1];
    data[2 * i] = d0 + d1;
    data[2 * i + 1] = d0 - d1;
  }
  __syncthreads();
  for (int i = rank; i < kWaves; i += threads) out[first + i] = data[i];
}

// ---- Products

constexpr int kTile = 32;
constexpr int kSums = 1024;  // that a block of pairs keeps

template <typename T>
__device__ inline T warpSum(T value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(kAll, value, mask);
  return value;
}

/** A block's share of the product of two vectors. */
__global__ void __launch_bounds__(kThreads) dot(const double* x, const double* y, double* sums, long long n) {
  __shared__ double ofWarps[kThreads / 32];
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    sum += x[i] * y[i];
  }
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double all = 0;
    for (int i = 0; i < kThreads / 32; i++) all += ofWarps[i];
    sums[blockIdx.x] = all;
  }
}

/** The products of many pairs of vectors. */
__global__ void __launch_bounds__(kThreads)
    pairs(float* products, const float* a, const float* b, int vectors, int length) {
  __shared__ float sums[kSums];
  const int rank = threadIdx.x;
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int begin = vector * length;
    const int end = begin + length;
    for (int slot = rank; slot < kSums; slot += blockDim.x) {
      float sum = 0;
      for (int i = begin + slot; i < end; i += kSums) sum += a[i] * b[i];
      sums[slot] = sum;
    }
    for (int stride = kSums / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int slot = rank; slot < stride; slot += blockDim.x) sums[slot] += sums[slot + stride];
    }
    __syncthreads();
    if (rank == 0) products[vector] = sums[0];
  }
}

/** A matrix times a vector; a warp for each row. */
__global__ void __launch_bounds__(kThreads)
    vector(const float* matrix, const float* x, float* y, int columns, long long rows) {
  const int lane = threadIdx.x % 32;
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row < rows) {
    float sum = 0;
    for (int i = lane; i < columns; i += 32) sum += matrix[row * columns + i] * x[i];
    sum = warpSum(sum);
    if (lane == 0) y[row] = sum;
  }
}

/** A sparse matrix times a vector. */
__global__ void __launch_bounds__(kThreads)
    sparse(const int* starts, const int* columns, const float* values, const float* x, float* y, long long rows) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    const int end = starts[row + 1];
    for (int i = starts[row]; i < end; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

/** The product of two square matrices; T is the type of the elements, and I that of their places. */
template <typename T, typename I>
__global__ void __launch_bounds__(kTile* kTile) matrices(const T* a, const T* b, T* c, I n) {
  __shared__ T tileA[kTile][kTile];
  __shared__ T tileB[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const I row = static_cast<I>(blockIdx.y) * kTile + ty;
  const I column = static_cast<I>(blockIdx.x) * kTile + tx;
  T sum = 0;
  for (I step = 0; step < n; step += kTile) {
    tileA[ty][tx] = a[row * n + step + tx];
    tileB[ty][tx] = b[(step + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; k++) sum += tileA[ty][k] * tileB[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// ---- Rows

/** The greatest value of the block, in all of its threads. */
__device__ inline float blockMaximum(float value) {
  __shared__ float ofWarps[kThreads / 32];
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, mask));
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = value;
  __syncthreads();
  float most = ofWarps[0];
  for (int i = 1; i < kThreads / 32; i++) most = fmaxf(most, ofWarps[i]);
  __syncthreads();
  return most;
}

/** The sum of the block's values, in all of its threads. */
__device__ inline float blockTotal(float value) {
  __shared__ float ofWarps[kThreads / 32];
  const float ofWarp = warpSum(value);
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = ofWarp;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kThreads / 32; i++) sum += ofWarps[i];
  __syncthreads();
  return sum;
}

/** Each element's share of the sum of the powers of e. */
__global__ void __launch_bounds__(kThreads) softmax(const float* in, float* out, int columns) {
  const long long row = static_cast<long long>(blockIdx.x) * columns;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += kThreads) most = fmaxf(most, in[row + i]);
  most = blockMaximum(most);
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += expf(in[row + i] - most);
  sum = blockTotal(sum);
  for (int i = threadIdx.x; i < columns; i += kThreads) out[row + i] = expf(in[row + i] - most) / sum;
}

/** Each row with a mean of 0 and a variance of 1, then scaled and shifted column by column. */
__global__ void __launch_bounds__(kThreads)
    normalize(const float* in, const float* scales, const float* shifts, float* out, int columns) {
  const long long row = static_cast<long long>(blockIdx.x) * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += in[row + i];
  const float mean = blockTotal(sum) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    const float difference = in[row + i] - mean;
    squares += difference * difference;
  }
  const float variance = blockTotal(squares) / columns;
  const float scale = 1 / sqrtf(variance + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    out[row + i] = (in[row + i] - mean) * scale * scales[i] + shifts[i];
  }
}

// ---- Codes

constexpr int kCosines = 8;  // rows and columns of a square
constexpr int kWords = 16;   // of a message
constexpr int kHashRounds = 16;
__constant__ float cCosines[kCosines * kCosines];
__constant__ uint32_t cRemainders[256];

/** The cosine transform of squares of 8 times 8 pixels. */
__global__ void __launch_bounds__(kCosines* kCosines) cosines(const float* in, float* out, int width) {
  __shared__ float pixels[kCosines * kCosines];
  __shared__ float half[kCosines * kCosines];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int at = (blockIdx.y * kCosines + ty) * width + blockIdx.x * kCosines + tx;
  pixels[ty * kCosines + tx] = in[at];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kCosines; i++) sum += cCosines[ty * kCosines + i] * pixels[i * kCosines + tx];
  half[ty * kCosines + tx] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int i = 0; i < kCosines; i++) sum += half[ty * kCosines + i] * cCosines[tx * kCosines + i];
  out[at] = sum;
}

/** The CRC-32 of messages. */
__global__ void __launch_bounds__(kThreads) crc(const uint32_t* words, uint32_t* sums, long long messages) {
  const long long message = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (message < messages) {
    uint32_t crc = ~0u;
    for (int i = 0; i < kWords; i++) {
      const uint32_t word = words[message * kWords + i];
      for (int shift = 0; shift < 32; shift += 8) crc = crc >> 8 ^ cRemainders[(crc ^ word >> shift) & 0xff];
    }
    sums[message] = ~crc;
  }
}

/** Numbers mixed by products of 64 bits. */
__global__ void __launch_bounds__(kThreads) hash(unsigned long long* out, unsigned long long seed, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned long long z = seed + i;
    for (int round = 0; round < kHashRounds; round++) {
      z += 0x9E3779B97F4A7C15ull;
      z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ z >> 27) * 0x94D049BB133111EBull;
      z ^= z >> 31;
    }
    out[i] = z;
  }
}

/** Elements in the order that the indices tell. */
__global__ void __launch_bounds__(kThreads) gather(const float* in, const int* indices, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[indices[i]];
}

}  // namespace samples
