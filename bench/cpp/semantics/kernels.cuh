// What the programs about kernels share: each runs a kernel over the same numbers and prints a hash of what it stored.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline_primitives.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "frame.cuh"

// Barriers have a constructor, which does nothing where they are shared.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kIn = 8192;
constexpr int kOut = 4096;

using Body = void (*)(const int* in, int* out);

/** Of the numbers in order; that of a Java array of them. */
long hash(const std::vector<int>& values) {
  unsigned sum = 1;
  for (int value : values) sum = 31 * sum + static_cast<unsigned>(value);
  return static_cast<int>(sum);
}

std::vector<int> numbers() {
  std::vector<int> values(kIn);
  for (int i = 0; i < kIn; i++) values[i] = 7 * i + 3;
  return values;
}

/** Runs a kernel and prints the hash of what it stored. */
void sayStored(const std::string& key, Body kernel, int blocks, int threads) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(in.get(), values.data(), in.bytes(), cudaMemcpyHostToDevice));
  kernel<<<blocks, threads, 0, stream>>>(in.get(), out.get());
  launched("a launch");
  stream.synchronize();
  say(key, hash(out.read()));
}

/** The place of a thread among those of its block, of which no block here has more than one dimension. */
__device__ int rank() { return static_cast<int>(threadIdx.x); }

__device__ int size() { return static_cast<int>(blockDim.x); }

/** One thread makes a barrier, and all wait for that. */
__device__ void make(BlockBarrier* barrier, int count) {
  if (rank() == 0) init(barrier, count);
  __syncthreads();
}

}  // namespace
