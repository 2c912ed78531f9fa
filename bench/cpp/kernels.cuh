// The kernels that Stretto's Java kernels stand beside: one algorithm, one shape of blocks, in both languages. The Java
// twins are in bench/src/main/java/dev/stretto/bench/kernel. Sizes are multiples of the tiles; the harness sees to it.
#pragma once
#include <cstdint>

namespace kernels {

// ---- Streams of floats

/** y = a x + y; a thread an element. */
constexpr int kSaxpyThreads = 256;
__global__ void __launch_bounds__(kSaxpyThreads) saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * kSaxpyThreads + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

/** a = b + s c; a thread four elements, which it moves at once. */
constexpr int kTriadThreads = 256;
__global__ void __launch_bounds__(kTriadThreads) triad(float* a, const float* b, const float* c, float s, int n) {
  const int i = (blockIdx.x * kTriadThreads + threadIdx.x) * 4;
  if (i < n) {
    const float4 x = *reinterpret_cast<const float4*>(b + i);
    const float4 y = *reinterpret_cast<const float4*>(c + i);
    *reinterpret_cast<float4*>(a + i) =
        make_float4(fmaf(s, y.x, x.x), fmaf(s, y.y, x.y), fmaf(s, y.z, x.z), fmaf(s, y.w, x.w));
  }
}

// ---- Sums

constexpr int kSumThreads = 256;
constexpr int kSumBlocks = 1056;  // eight on each of 132 multiprocessors; any number is right

/** The sum over a block, in its thread 0. */
__device__ inline float blockSum(float value) {
  __shared__ float warpSums[kSumThreads / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  if (lane == 0) warpSums[warp] = value;
  __syncthreads();
  float sum = 0;
  if (warp == 0) {
    sum = lane < kSumThreads / 32 ? warpSums[lane] : 0.0f;
#pragma unroll
    for (int delta = kSumThreads / 64; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
  }
  return sum;
}

/** A block's share of the sum of x goes to sums[block]; a second launch of one block sums those. */
__global__ void __launch_bounds__(kSumThreads) reduce(const float* x, float* sums, int n) {
  const int stride = gridDim.x * kSumThreads;
  float sum = 0;
  for (int i = blockIdx.x * kSumThreads + threadIdx.x; i < n; i += stride) sum += x[i];
  sum = blockSum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/** As `reduce`, with four loads of four floats in flight a thread; n is a multiple of 4. */
__global__ void __launch_bounds__(kSumThreads) sumWide(const float* x, float* sums, int n) {
  const float4* const quads = reinterpret_cast<const float4*>(x);
  const int count = n / 4;
  const int stride = gridDim.x * kSumThreads;
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  int i = blockIdx.x * kSumThreads + threadIdx.x;
  for (; i < count - 3 * stride; i += 4 * stride) {
    const float4 a = quads[i];
    const float4 b = quads[i + stride];
    const float4 c = quads[i + 2 * stride];
    const float4 d = quads[i + 3 * stride];
    sum0 += (a.x + a.y) + (a.z + a.w);
    sum1 += (b.x + b.y) + (b.z + b.w);
    sum2 += (c.x + c.y) + (c.z + c.w);
    sum3 += (d.x + d.y) + (d.z + d.w);
  }
  for (; i < count; i += stride) {
    const float4 a = quads[i];
    sum0 += (a.x + a.y) + (a.z + a.w);
  }
  const float sum = blockSum((sum0 + sum1) + (sum2 + sum3));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// ---- Transpose and stencil

constexpr int kTile = 32;
constexpr int kTileRows = 8;  // of threads; a thread moves four elements of the tile

/** out[x][y] = in[y][x], through a tile whose columns lie in 32 banks. */
__global__ void __launch_bounds__(kTile* kTileRows) transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kTileRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int outX = blockIdx.y * kTile + threadIdx.x;
  const int outY = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kTileRows) out[(outY + j) * height + outX] = tile[threadIdx.x][threadIdx.y + j];
}

constexpr int kStencilX = 32;
constexpr int kStencilY = 8;

/** Half of the cell and an eighth of each neighbour; the edge stays. */
__global__ void __launch_bounds__(kStencilX* kStencilY) stencil(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kStencilX + threadIdx.x;
  const int y = blockIdx.y * kStencilY + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float center = in[at];
  float result = center;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    const float around = (in[at - 1] + in[at + 1]) + (in[at - width] + in[at + width]);
    result = fmaf(0.5f, center, 0.125f * around);
  }
  out[at] = result;
}

// ---- Histogram

constexpr int kBins = 256;
constexpr int kHistogramThreads = 256;
constexpr int kHistogramBlocks = 1056;
constexpr int kHistogramWarps = kHistogramThreads / 32;

/** Adds to bins how often each byte occurs in the words; every warp counts on its own in shared memory. */
__global__ void __launch_bounds__(kHistogramThreads) histogram(const int* words, int* bins, int n) {
  __shared__ int counts[kHistogramWarps * kBins];
  for (int i = threadIdx.x; i < kHistogramWarps * kBins; i += kHistogramThreads) counts[i] = 0;
  __syncthreads();
  int* const mine = counts + threadIdx.x / 32 * kBins;
  const int4* const quads = reinterpret_cast<const int4*>(words);
  const int stride = gridDim.x * kHistogramThreads;
  for (int i = blockIdx.x * kHistogramThreads + threadIdx.x; i < n / 4; i += stride) {
    const int4 quad = quads[i];
    const int four[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
    for (int j = 0; j < 4; j++) {
#pragma unroll
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&mine[four[j] >> shift & 0xff], 1);
    }
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += kHistogramThreads) {
    int sum = 0;
#pragma unroll
    for (int warp = 0; warp < kHistogramWarps; warp++) sum += counts[warp * kBins + bin];
    atomicAdd(&bins[bin], sum);
  }
}

// ---- n bodies

constexpr int kBodyThreads = 256;
constexpr int kBodyUnroll = 8;
constexpr float kSoftening = 1e-3f;

/** The acceleration of each of n bodies (x, y, z, mass) by all of them, a tile of them in shared memory at a time. */
__global__ void __launch_bounds__(kBodyThreads) nbody(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 tile[kBodyThreads];
  const int i = blockIdx.x * kBodyThreads + threadIdx.x;
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += kBodyThreads) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < kBodyThreads; j += kBodyUnroll) {
#pragma unroll
      for (int k = 0; k < kBodyUnroll; k++) {
        const float4 other = tile[j + k];
        const float dx = other.x - me.x;
        const float dy = other.y - me.y;
        const float dz = other.z - me.z;
        const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, kSoftening))));
        const float scale = other.w * inverse * (inverse * inverse);
        ax = fmaf(dx, scale, ax);
        ay = fmaf(dy, scale, ay);
        az = fmaf(dz, scale, az);
      }
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(ax, ay, az, 0);
}

// ---- SGEMM: C = A B, row by row, floats

constexpr int kGemmTile = 128;           // rows and columns of C for a block
constexpr int kGemmDepth = 8;            // columns of A and rows of B in shared memory at a time
constexpr int kGemmThreads = 256;        // 16 x 16
constexpr int kGemmPitch = kGemmTile + 4;  // of A's transposed tile, so that its stores meet no bank twice

/** Four elements, and the four that lie 64 further on. */
__device__ inline void loadEight(const float* from, float (&to)[8]) {
  const float4 left = *reinterpret_cast<const float4*>(from);
  const float4 right = *reinterpret_cast<const float4*>(from + 64);
  to[0] = left.x, to[1] = left.y, to[2] = left.z, to[3] = left.w;
  to[4] = right.x, to[5] = right.y, to[6] = right.z, to[7] = right.w;
}

/**
 * A thread makes 8 x 8 elements of C: rows 4 ty … 4 ty + 3 and those 64 further down, columns likewise. The next tiles
 * travel through registers while this one is multiplied.
 */
__global__ void __launch_bounds__(kGemmThreads, 2)
sgemm(const float* a, const float* b, float* c, int n, int k) {
  __shared__ __align__(16) float tileA[2][kGemmDepth * kGemmPitch];
  __shared__ __align__(16) float tileB[2][kGemmDepth * kGemmTile];
  const int t = threadIdx.x;
  const int rowA = t / 2, columnA = t % 2 * 4;
  const int rowB = t / 32, columnB = t % 32 * 4;
  const int tx = t % 16 * 4, ty = t / 16 * 4;
  const float* fromA = a + static_cast<long long>(blockIdx.y * kGemmTile + rowA) * k + columnA;
  const float* fromB = b + static_cast<long long>(rowB) * n + blockIdx.x * kGemmTile + columnB;
  float sums[64];
#pragma unroll
  for (int i = 0; i < 64; i++) sums[i] = 0;

  float4 nextA = *reinterpret_cast<const float4*>(fromA);
  float4 nextB = *reinterpret_cast<const float4*>(fromB);
  int now = 0;
  for (int depth = 0; depth < k; depth += kGemmDepth) {
    float* const sharedA = tileA[now];
    float* const sharedB = tileB[now];
    sharedA[(columnA + 0) * kGemmPitch + rowA] = nextA.x;
    sharedA[(columnA + 1) * kGemmPitch + rowA] = nextA.y;
    sharedA[(columnA + 2) * kGemmPitch + rowA] = nextA.z;
    sharedA[(columnA + 3) * kGemmPitch + rowA] = nextA.w;
    *reinterpret_cast<float4*>(&sharedB[rowB * kGemmTile + columnB]) = nextB;
    // One barrier a tile: whoever is past it has read the other tiles, which the next turn overwrites.
    __syncthreads();
    if (depth + kGemmDepth < k) {
      fromA += kGemmDepth;
      fromB += static_cast<long long>(kGemmDepth) * n;
      nextA = *reinterpret_cast<const float4*>(fromA);
      nextB = *reinterpret_cast<const float4*>(fromB);
    }
    // Two of each: what the next round multiplies is read while this one multiplies.
    float rows[2][8], columns[2][8];
    loadEight(&sharedA[ty], rows[0]);
    loadEight(&sharedB[tx], columns[0]);
#pragma unroll
    for (int d = 0; d < kGemmDepth; d++) {
      if (d + 1 < kGemmDepth) {
        loadEight(&sharedA[(d + 1) * kGemmPitch + ty], rows[(d + 1) % 2]);
        loadEight(&sharedB[(d + 1) * kGemmTile + tx], columns[(d + 1) % 2]);
      }
#pragma unroll
      for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) sums[i * 8 + j] = fmaf(rows[d % 2][i], columns[d % 2][j], sums[i * 8 + j]);
      }
    }
    now ^= 1;
  }
  float* const toC = c + static_cast<long long>(blockIdx.y * kGemmTile + ty) * n + blockIdx.x * kGemmTile + tx;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    float* const row = toC + static_cast<long long>(i < 4 ? i : 60 + i) * n;
    *reinterpret_cast<float4*>(row) = make_float4(sums[i * 8], sums[i * 8 + 1], sums[i * 8 + 2], sums[i * 8 + 3]);
    *reinterpret_cast<float4*>(row + 64) =
        make_float4(sums[i * 8 + 4], sums[i * 8 + 5], sums[i * 8 + 6], sums[i * 8 + 7]);
  }
}

// ---- Matrix product of bf16 on tensor cores: C = A B, row by row, C in floats

constexpr int kMmaRows = 128;     // of C for a block
constexpr int kMmaColumns = 256;  // likewise
constexpr int kMmaDepth = 64;     // columns of A and rows of B in a stage
constexpr int kMmaStages = 4;     // of which all but one are on their way
constexpr int kMmaGroup = 16;    // block rows whose blocks are neighbours in time
constexpr int kMmaThreads = 256;  // 2 x 4 warps of 64 x 64 elements each
constexpr int kMmaBytesA = kMmaRows * kMmaDepth * 2;
constexpr int kMmaBytesB = kMmaDepth * kMmaColumns * 2;
constexpr int kMmaStage = kMmaBytesA + kMmaBytesB;
constexpr int kMmaSharedBytes = kMmaStages * kMmaStage;  // dynamic shared memory of a launch

__device__ inline void ldmatrixX4(uint32_t* r, uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row));
}

__device__ inline void ldmatrixX4Trans(uint32_t* r, uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row));
}

__device__ inline void mmaM16N8K16Bf16(float* d, const uint32_t* a, const uint32_t* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/** Copies 16 bytes, of which those from `bytes` on become 0. */
__device__ inline void cpAsyncCg16(uint32_t to, const uint32_t* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

/** A third of what a thread copies to a stage: rows of A, or rows of B, of which there are two thirds. */
__device__ inline void mmaCopy(int third, uint32_t to, const uint32_t* fromA, long long downA, const uint32_t* fromB,
                               long long downB, int bytes) {
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (third == 0) {
      cpAsyncCg16(to + i * 32 * 128, fromA + i * downA, bytes);
    } else {
      cpAsyncCg16(to + i * 128 + (third - 1) * 32 * 512, fromB + (third - 1) * downB + i * 32, bytes);
    }
  }
}

/** The operands of a step of 16 columns of A and rows of B: 64 rows of A, 64 columns of B. */
__device__ inline void mmaLoad(int step, uint32_t stage, const uint32_t* readA, const uint32_t* readB, uint32_t* a,
                               uint32_t* b) {
#pragma unroll
  for (int i = 0; i < 4; i++) ldmatrixX4(a + 4 * i, stage + readA[step] + i * 16 * 128);
#pragma unroll
  for (int j = 0; j < 4; j++) ldmatrixX4Trans(b + 4 * j, stage + readB[j] + step * 16 * 512);
}

/**
 * Global memory → shared memory → ldmatrix → mma. The copies of three stages are on their way while the tensor cores
 * work on the fourth, and the operands of a step are loaded while the step before is multiplied. A row of A's tile has 8
 * chunks of 16 bytes, one of B's 32; chunk c of row r lies at c ^ (r % 8), so that the eight rows that ldmatrix reads
 * together meet eight groups of four banks.
 */
__global__ void __launch_bounds__(kMmaThreads, 1)
mma(const uint32_t* a, const uint32_t* b, float* c, int n, int k) {
  extern __shared__ __align__(128) uint32_t tiles[];
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(tiles));
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warpRow = t / 32 / 4 * 64;
  const int warpColumn = t / 32 % 4 * 64;

  // Blocks that run at the same time share rows of A and columns of B: 16 block rows, column by column.
  const int group = min(kMmaGroup, static_cast<int>(gridDim.y));
  const int number = blockIdx.y * gridDim.x + blockIdx.x;
  const int inGroup = number % (group * gridDim.x);
  const int blockRow = (number / (group * gridDim.x) * group + inGroup % group) * kMmaRows;
  const int blockColumn = inGroup / group * kMmaColumns;

  // What this thread carries: chunk t % 8 of four rows of A's tile, four chunks of two rows of B's.
  const int row = t / 8, chunk = t % 8;
  const uint32_t* fromA = a + static_cast<long long>(blockRow + row) * (k / 2) + chunk * 4;
  const uint32_t* fromB = b + static_cast<long long>(row) * (n / 2) + blockColumn / 2 + chunk * 4;
  const long long downA = 32ll * (k / 2);
  const long long downB = 32ll * (n / 2);
  const uint32_t toA = shared + row * 128 + (chunk ^ row % 8) * 16;
  const uint32_t toB = shared + kMmaBytesA + row * 512 + (chunk ^ row % 8) * 16;

  // Where ldmatrix reads: lanes 0-15 name the rows of the left 8 columns, lanes 16-31 those of the right.
  uint32_t readA[4], readB[4];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    readA[i] = shared + (warpRow + lane % 16) * 128 + ((2 * i + lane / 16) ^ lane % 8) * 16;
    readB[i] = shared + kMmaBytesA + lane % 16 * 512 + ((warpColumn / 8 + 2 * i + lane / 16) ^ lane % 8) * 16;
  }

  float sums[128];
#pragma unroll
  for (int i = 0; i < 128; i++) sums[i] = 0;
  uint32_t fragmentA[2][16], fragmentB[2][16];

  int copied = 0;  // columns of A and rows of B
#pragma unroll
  for (int stage = 0; stage < kMmaStages - 1; stage++) {
    const int bytes = copied < k ? 16 : 0;
#pragma unroll
    for (int third = 0; third < 3; third++) {
      mmaCopy(third, (third == 0 ? toA : toB) + stage * kMmaStage, fromA, downA, fromB, downB, bytes);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    copied += kMmaDepth;
    fromA += kMmaDepth / 2;
    fromB += 2 * downB;
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(kMmaStages - 2) : "memory");
  __syncthreads();
  mmaLoad(0, 0, readA, readB, fragmentA[0], fragmentB[0]);

  uint32_t read = 0, write = (kMmaStages - 1) * kMmaStage;
#pragma unroll 1
  for (int depth = 0; depth < k; depth += kMmaDepth) {
    const int bytes = copied < k ? 16 : 0;
    const uint32_t next = read == (kMmaStages - 1) * kMmaStage ? 0 : read + kMmaStage;
#pragma unroll
    for (int step = 0; step < 4; step++) {
      if (step == 3) {
        // The next stage is there, for all threads; and all have read the last of this one, which is written next.
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group %0;" ::"n"(kMmaStages - 2) : "memory");
        __syncthreads();
      }
      mmaLoad((step + 1) % 4, step == 3 ? next : read, readA, readB, fragmentA[(step + 1) % 2], fragmentB[(step + 1) % 2]);
      if (step < 3) mmaCopy(step, (step == 0 ? toA : toB) + write, fromA, downA, fromB, downB, bytes);
#pragma unroll
      for (int j = 0; j < 8; j++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
          mmaM16N8K16Bf16(sums + (i * 8 + j) * 4, fragmentA[step % 2] + 4 * i, fragmentB[step % 2] + 2 * j);
        }
      }
    }
    write = read;
    read = next;
    copied += kMmaDepth;
    fromA += kMmaDepth / 2;
    fromB += 2 * downB;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");

  float* const toC =
      c + static_cast<long long>(blockRow + warpRow + lane / 4) * n + blockColumn + warpColumn + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    float* const upper = toC + static_cast<long long>(i * 16) * n;
    float* const lower = upper + 8ll * n;
#pragma unroll
    for (int j = 0; j < 8; j++) {
      const float* const four = sums + (i * 8 + j) * 4;
      *reinterpret_cast<float2*>(upper + j * 8) = make_float2(four[0], four[1]);
      *reinterpret_cast<float2*>(lower + j * 8) = make_float2(four[2], four[3]);
    }
  }
}

}  // namespace kernels
