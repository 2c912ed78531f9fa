// The kernels that Stretto's asynchronous copies stand beside, with libcu++: batches of numbers through shared memory,
// each computed with its neighbours. The Java twins are in dev.stretto.bench.kernel.BatchCopies.
#pragma once
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace copies {

constexpr int kBatch = 1024;
constexpr int kThreads = 128;
constexpr int kBlocks = 1056;

__device__ inline void compute(const float* tile, float* out, int batch, int rank, int threads) {
  for (int i = rank; i < kBatch; i += threads) {
    const float before = tile[(i + kBatch - 1) % kBatch];
    const float behind = tile[(i + 1) % kBatch];
    out[static_cast<size_t>(batch) * kBatch + i] = 0.25f * before + 0.5f * tile[i] + 0.25f * behind;
  }
}

__global__ void __launch_bounds__(kThreads) plain(const float* in, float* out, int batches) {
  __shared__ alignas(128) float tile[kBatch];
  for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    for (int i = threadIdx.x; i < kBatch; i += kThreads) tile[i] = in[static_cast<size_t>(batch) * kBatch + i];
    __syncthreads();
    compute(tile, out, batch, threadIdx.x, kThreads);
    __syncthreads();
  }
}

__global__ void __launch_bounds__(kThreads) onBarrier(const float* in, float* out, int batches) {
  __shared__ alignas(128) float tile[kBatch];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, kThreads);
  block.sync();
  for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    cuda::memcpy_async(block, tile, in + static_cast<size_t>(batch) * kBatch,
                       cuda::aligned_size_t<16>(kBatch * sizeof(float)), arrived);
    arrived.arrive_and_wait();
    compute(tile, out, batch, threadIdx.x, kThreads);
    block.sync();
  }
}

template <int kStages>
__global__ void __launch_bounds__(kThreads) pipelined(const float* in, float* out, int batches) {
  __shared__ alignas(128) float tiles[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int ahead = blockIdx.x;
  int produced = 0;
  int consumed = 0;
  for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    for (; ahead < batches && ahead < batch + kStages * static_cast<int>(gridDim.x); ahead += gridDim.x) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[produced], in + static_cast<size_t>(ahead) * kBatch,
                         cuda::aligned_size_t<16>(kBatch * sizeof(float)), pipeline);
      pipeline.producer_commit();
      produced = produced + 1 == kStages ? 0 : produced + 1;
    }
    pipeline.consumer_wait();
    compute(tiles[consumed], out, batch, threadIdx.x, kThreads);
    pipeline.consumer_release();
    consumed = consumed + 1 == kStages ? 0 : consumed + 1;
  }
}

template <int kStages>
__global__ void __launch_bounds__(kThreads) byRoles(const float* in, float* out, int batches) {
  __shared__ alignas(128) float tiles[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  const auto warp = cooperative_groups::tiled_partition<32>(block);
  auto pipeline = cuda::make_pipeline(block, &state, 32);
  int stage = 0;
  for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    if (threadIdx.x < 32) {
      pipeline.producer_acquire();
      cuda::memcpy_async(warp, tiles[stage], in + static_cast<size_t>(batch) * kBatch,
                         cuda::aligned_size_t<16>(kBatch * sizeof(float)), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      compute(tiles[stage], out, batch, threadIdx.x - 32, kThreads - 32);
      pipeline.consumer_release();
    }
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }
}

/** In and out in bulk: what was computed lies in a tile of its own. */
__global__ void __launch_bounds__(kThreads) bulk(const float* in, float* out, int batches) {
  __shared__ alignas(128) float tile[kBatch];
  __shared__ alignas(128) float computed[kBatch];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, kThreads);
  block.sync();
  for (int batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    cuda::memcpy_async(block, tile, in + static_cast<size_t>(batch) * kBatch,
                       cuda::aligned_size_t<16>(kBatch * sizeof(float)), arrived);
    arrived.arrive_and_wait();
    compute(tile, computed, 0, threadIdx.x, kThreads);
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
