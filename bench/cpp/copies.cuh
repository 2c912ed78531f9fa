// The kernels that Stretto's asynchronous copies stand beside, with libcu++: batches of numbers through shared memory,
// each computed with its neighbours. The Java twins are in dev.stretto.bench.kernel.BatchCopies. There is a power of two
// of batches, and all of them are done as often as the passes say, which makes the same of them each time: one launch
// then takes long enough to be measured where few batches, which stay in the L2 cache, do not.
#pragma once
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace copies {

constexpr int kBatch = 1024;
constexpr int kThreads = 128;
constexpr int kShare = kBatch / kThreads;
constexpr int kProducers = 32;
constexpr int kRoleThreads = kProducers + kThreads;
constexpr int kBlocks = 1056;

__device__ inline float mean(const float* tile, int i) {
  const float before = tile[(i + kBatch - 1) & (kBatch - 1)];
  const float behind = tile[(i + 1) & (kBatch - 1)];
  return fmaf(0.25f, behind, fmaf(0.5f, tile[i], 0.25f * before));
}

/** What one of kThreads threads computes of a batch. */
__device__ inline void compute(const float* tile, float* out, int batch, int rank) {
  float* const to = out + static_cast<size_t>(batch) * kBatch + rank;
#pragma unroll
  for (int i = 0; i < kBatch; i += kThreads) to[i] = mean(tile, rank + i);
}

__global__ void __launch_bounds__(kThreads) plain(const float* in, float* out, int batches, int passes) {
  __shared__ alignas(128) float tile[kBatch];
  const int turns = batches * passes;
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    const int batch = turn & (batches - 1);
    const float* const from = in + static_cast<size_t>(batch) * kBatch + threadIdx.x;
    // A known number of rounds: all loads are on their way before the first one is waited for.
#pragma unroll
    for (int i = 0; i < kBatch; i += kThreads) tile[threadIdx.x + i] = from[i];
    __syncthreads();
    compute(tile, out, batch, threadIdx.x);
    __syncthreads();
  }
}

__global__ void __launch_bounds__(kThreads) onBarrier(const float* in, float* out, int batches, int passes) {
  __shared__ alignas(128) float tile[kBatch];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, kThreads);
  block.sync();
  const int turns = batches * passes;
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    const int batch = turn & (batches - 1);
    cuda::memcpy_async(block, tile, in + static_cast<size_t>(batch) * kBatch,
                       cuda::aligned_size_t<16>(kBatch * sizeof(float)), arrived);
    arrived.arrive_and_wait();
    compute(tile, out, batch, threadIdx.x);
    block.sync();
  }
}

template <int kStages>
__global__ void __launch_bounds__(kThreads) pipelined(const float* in, float* out, int batches, int passes) {
  __shared__ alignas(128) float tiles[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int ahead = blockIdx.x;
  int produced = 0;
  int consumed = 0;
  const int turns = batches * passes;
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    const int batch = turn & (batches - 1);
    for (; ahead < turns && ahead < turn + kStages * static_cast<int>(gridDim.x); ahead += gridDim.x) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[produced], in + static_cast<size_t>(ahead & (batches - 1)) * kBatch,
                         cuda::aligned_size_t<16>(kBatch * sizeof(float)), pipeline);
      pipeline.producer_commit();
      produced = produced + 1 == kStages ? 0 : produced + 1;
    }
    pipeline.consumer_wait();
    compute(tiles[consumed], out, batch, threadIdx.x);
    pipeline.consumer_release();
    consumed = consumed + 1 == kStages ? 0 : consumed + 1;
  }
}

/** A warp fetches, and kThreads threads compute. */
template <int kStages>
__global__ void __launch_bounds__(kRoleThreads) byRoles(const float* in, float* out, int batches, int passes) {
  __shared__ alignas(128) float tiles[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  const auto warp = cooperative_groups::tiled_partition<32>(block);
  auto pipeline = cuda::make_pipeline(block, &state, kProducers);
  int stage = 0;
  const int turns = batches * passes;
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    const int batch = turn & (batches - 1);
    if (threadIdx.x < kProducers) {
      pipeline.producer_acquire();
      cuda::memcpy_async(warp, tiles[stage], in + static_cast<size_t>(batch) * kBatch,
                         cuda::aligned_size_t<16>(kBatch * sizeof(float)), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      compute(tiles[stage], out, batch, threadIdx.x - kProducers);
      pipeline.consumer_release();
    }
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }
}

/** In and out in bulk: what was computed lies in a tile of its own. */
__global__ void __launch_bounds__(kThreads) bulk(const float* in, float* out, int batches, int passes) {
  __shared__ alignas(128) float tile[kBatch];
  __shared__ alignas(128) float computed[kBatch];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, kThreads);
  block.sync();
  const int turns = batches * passes;
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    const int batch = turn & (batches - 1);
    cuda::memcpy_async(block, tile, in + static_cast<size_t>(batch) * kBatch,
                       cuda::aligned_size_t<16>(kBatch * sizeof(float)), arrived);
    arrived.arrive_and_wait();
    // All that is read is read before the first one is written.
    float means[kShare];
#pragma unroll
    for (int i = 0; i < kShare; i++) means[i] = mean(tile, threadIdx.x + i * kThreads);
#pragma unroll
    for (int i = 0; i < kShare; i++) computed[threadIdx.x + i * kThreads] = means[i];
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    block.sync();
    if (threadIdx.x == 0) {
      cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared,
                               out + static_cast<size_t>(batch) * kBatch, computed, kBatch * sizeof(float));
      cuda::ptx::cp_async_bulk_commit_group();
      cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
    }
    block.sync();
  }
}

}  // namespace copies
