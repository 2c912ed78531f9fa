// A matrix that goes by in tiles, which the tensor memory accelerator brings to shared memory, several ahead. Two blocks
// share a multiprocessor, and both together have 192 KiB of stages. The Java twins are in
// dev.stretto.bench.kernel.TensorStreams.
#pragma once
#include <cuda.h>

#include <cstdint>
#include <cuda/ptx>

namespace tensors {

namespace ptx = cuda::ptx;

constexpr int kTile = 4096;        // floats
constexpr int kThreads = 160;      // of a block that sums: a warp that has tiles copied, and those that add up
constexpr int kCopyThreads = 32;   // of a block that copies: one does, and has all of it done
constexpr int kBlocks = 264;       // two on each of 132 multiprocessors; any number is right
constexpr int kStages = 6;
constexpr int kAhead = 4;  // of the stages of a copy as many are being filled; the others are on their way out
constexpr int kProducers = 32;
constexpr int kConsumers = kThreads - kProducers;
constexpr int kWarps = kThreads / 32;
constexpr int kBytes = kTile * sizeof(float);
constexpr int kSharedBytes = kStages * kBytes;  // dynamic shared memory of a launch

__device__ inline void await(uint64_t* barrier, uint32_t parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

template <int kWidth>
__device__ inline void load(const CUtensorMap& matrix, int tile, int across, float* stage, uint64_t* full) {
  const int32_t at[2] = {tile % across * kWidth, tile / across * (kTile / kWidth)};
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, kBytes);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &matrix, at, full);
}

/** The sum of what one of the threads that add up has of a tile. */
__device__ inline float share(const float* tile, int rank) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kTile; i += 4 * kConsumers) {
    const float4 four = *reinterpret_cast<const float4*>(tile + 4 * rank + i);
    sum += (four.x + four.y) + (four.z + four.w);
  }
  return sum;
}

/** All threads call it; those that copied bring nothing. */
__device__ inline void finish(float sum, float* sums) {
  __shared__ float warpSums[kWarps];
  const int rank = threadIdx.x;
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
  if (rank % 32 == 0) warpSums[rank / 32] = sum;
  __syncthreads();
  if (rank == 0) {
    float all = 0;
#pragma unroll
    for (int i = 0; i < kWarps; i++) all += warpSums[i];
    sums[blockIdx.x] = all;
  }
}

/** A block's share of the sum of a matrix goes to sums[block]. */
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
sum(const __grid_constant__ CUtensorMap matrix, float* sums, int across, int tiles) {
  extern __shared__ __align__(128) float stages[];
  __shared__ uint64_t full[kStages];
  __shared__ uint64_t empty[kStages];
  const int rank = threadIdx.x;
  if (rank == 0) {
    for (int i = 0; i < kStages; i++) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], kWarps - 1);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  float sum = 0;
  if (rank < kProducers) {
    if (rank == 0) {
      int stage = 0;
      int parity = 1;  // a stage that has not been used is empty
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        await(&empty[stage], parity);
        load<kWidth>(matrix, tile, across, stages + stage * kTile, &full[stage]);
        stage++;
        if (stage == kStages) {
          stage = 0;
          parity ^= 1;
        }
      }
    }
  } else {
    int stage = 0;
    int parity = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      await(&full[stage], parity);
      sum += share(stages + stage * kTile, rank - kProducers);
      __syncwarp();
      if (rank % 32 == 0) ptx::mbarrier_arrive(&empty[stage]);
      stage++;
      if (stage == kStages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }
  finish(sum, sums);
}

/** As `sum`, with a pipeline, on whose stages every thread arrives; libcu++'s has no copies of tensors. */
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
sumPipelined(const __grid_constant__ CUtensorMap matrix, float* sums, int across, int tiles) {
  extern __shared__ __align__(128) float stages[];
  __shared__ uint64_t full[kStages];
  __shared__ uint64_t empty[kStages];
  const int rank = threadIdx.x;
  if (rank == 0) {
    for (int i = 0; i < kStages; i++) {
      ptx::mbarrier_init(&full[i], kProducers);
      ptx::mbarrier_init(&empty[i], kConsumers);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  float sum = 0;
  int stage = 0;
  int parity = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (rank < kProducers) {
      await(&empty[stage], parity ^ 1);
      if (rank == 0) {
        const int32_t at[2] = {tile % across * kWidth, tile / across * (kTile / kWidth)};
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full[stage], kBytes);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stages + stage * kTile, &matrix, at,
                                  &full[stage]);
      }
      ptx::mbarrier_arrive(&full[stage]);
    } else {
      await(&full[stage], parity);
      sum += share(stages + stage * kTile, rank - kProducers);
      ptx::mbarrier_arrive(&empty[stage]);
    }
    stage++;
    if (stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
  finish(sum, sums);
}

/** Copies a matrix: tiles come and go without a thread that looks at them. */
template <int kWidth>
__global__ void __launch_bounds__(kCopyThreads)
copy(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int across, int tiles) {
  extern __shared__ __align__(128) float stages[];
  __shared__ uint64_t full[kStages];
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; i++) ptx::mbarrier_init(&full[i], 1);
    ptx::fence_proxy_async(ptx::space_shared);
    const int step = gridDim.x;
    int ahead = blockIdx.x;
    int filling = 0;
    for (; filling < kAhead && ahead < tiles; ahead += step) {
      load<kWidth>(from, ahead, across, stages + filling * kTile, &full[filling]);
      filling++;
    }
    int stage = 0;
    int parity = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += step) {
      await(&full[stage], parity);
      const int32_t at[2] = {tile % across * kWidth, tile / across * (kTile / kWidth)};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, stages + stage * kTile);
      ptx::cp_async_bulk_commit_group();
      if (ahead < tiles) {
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<kStages - kAhead>());
        load<kWidth>(from, ahead, across, stages + filling * kTile, &full[filling]);
        ahead += step;
        filling++;
        if (filling == kStages) filling = 0;
      }
      stage++;
      if (stage == kStages) {
        stage = 0;
        parity ^= 1;
      }
    }
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

}  // namespace tensors
