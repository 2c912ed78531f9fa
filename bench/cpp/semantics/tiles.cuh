// Boxes of tensors at the edges of their tensor, clusters, what a launch may ask for, and what a kernel's fault leaves:
// PTX ISA, "cp.async.bulk.tensor", "barrier.cluster", "mapa"; CUDA Programming Guide, "Thread Block Clusters",
// "Launch Bounds".
#pragma once

#include <cassert>

#include "kernels.cuh"

namespace {

// ---- Tensors

constexpr int kMatrixWidth = 36, kMatrixHeight = 20, kMatrixPitch = 40;  // of a matrix, in ints
constexpr int kBoxWidth = 8, kBoxHeight = 6;

CUtensorMap mapOf(int* matrix) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
  auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  CUtensorMap map{};
  const cuuint64_t extents[] = {kMatrixWidth, kMatrixHeight}, pitches[] = {4 * kMatrixPitch};
  const cuuint32_t box[] = {kBoxWidth, kBoxHeight}, steps[] = {1, 1};
  CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, extents, pitches, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeTiled: " + std::to_string(made));
  return map;
}

__global__ void readBox(const __grid_constant__ CUtensorMap map, int* out, int x, int y) {
  __shared__ uint64_t word;
  __shared__ alignas(128) int box[kBoxWidth * kBoxHeight];
  if (rank() == 0) ptx::mbarrier_init(&word, 1);
  __syncthreads();
  if (rank() == 0) {
    const int at[] = {x, y};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, sizeof(box));
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map, at, &word);
  }
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  for (int i = rank(); i < kBoxWidth * kBoxHeight; i += size()) out[i] = box[i];
}

void sayRead(const std::string& key, int x, int y) {
  Stream stream;
  Array<int> matrix(kMatrixPitch * kMatrixHeight), out(kBoxWidth * kBoxHeight);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(matrix.get(), values.data(), matrix.bytes(), cudaMemcpyHostToDevice));
  readBox<<<1, 32, 0, stream>>>(mapOf(matrix.get()), out.get(), x, y);
  launched("a launch");
  stream.synchronize();
  say(key, hash(out.read()));
}

TWIN(tensorRead, "tensor-box-read-at-each-edge", Kind::kPlain) {
  sayRead("within", 8, 5);
  sayRead("over-the-right", 32, 5);
  sayRead("over-the-bottom", 8, 17);
  sayRead("over-both", 32, 17);
  sayRead("before-the-first-column", -4, 5);
  sayRead("before-the-first-row", 8, -2);
  sayRead("outside", 100, 5);
  sayRead("outside-in-front", -100, -100);
}

template <bool kAdd>
__global__ void writeBox(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) int box[kBoxWidth * kBoxHeight];
  for (int i = rank(); i < kBoxWidth * kBoxHeight; i += size()) box[i] = 100'000 + i;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (rank() == 0) {
    const int at[] = {x, y};
    if constexpr (kAdd) {
      ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, at, box);
    } else {
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, box);
    }
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

template <bool kAdd>
void sayWritten(const std::string& key, int x, int y) {
  Stream stream;
  Array<int> matrix(kMatrixPitch * kMatrixHeight);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(matrix.get(), values.data(), matrix.bytes(), cudaMemcpyHostToDevice));
  writeBox<kAdd><<<1, 32, 0, stream>>>(mapOf(matrix.get()), x, y);
  launched("a launch");
  stream.synchronize();
  say(key, hash(matrix.read()));
}

TWIN(tensorWritten, "tensor-box-written-at-each-edge", Kind::kPlain) {
  sayWritten<false>("within", 8, 5);
  sayWritten<false>("over-the-right", 32, 5);
  sayWritten<false>("over-the-bottom", 8, 17);
  sayWritten<false>("outside", 100, 5);
}

TWIN(tensorAdded, "tensor-box-added-at-each-edge", Kind::kPlain) {
  sayWritten<true>("within", 8, 5);
  sayWritten<true>("over-the-right", 32, 5);
  sayWritten<true>("over-the-bottom", 8, 17);
}

// ---- Clusters

cudaError_t launchClusters(cudaStream_t stream, Body kernel, int blocks, int threads, int cluster, const int* in, int* out) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, in, out);
}

void sayOfClusters(const std::string& key, Body kernel, int blocks, int threads, int cluster) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  std::vector<int> values = numbers();
  CHECK(cudaMemcpy(in.get(), values.data(), in.bytes(), cudaMemcpyHostToDevice));
  CHECK(launchClusters(stream, kernel, blocks, threads, cluster, in.get(), out.get()));
  stream.synchronize();
  say(key, hash(out.read()));
}

/** Which block of how many, and what the next block stored before all met. */
__global__ void clusterRanks(const int* in, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  int first = static_cast<int>(blockIdx.x) - own;
  if (rank() == 0) out[blockIdx.x] = 1000 * ranks + 10 * own + in[blockIdx.x];
  cluster.sync();
  if (rank() == 0) out[100 + blockIdx.x] = out[first + (own + 1) % ranks];
}

TWIN(clusterRanksTwin, "cluster-whose-blocks-meet", Kind::kPlain) {
  sayOfClusters("of-2", clusterRanks, 8, 64, 2);
  sayOfClusters("of-4", clusterRanks, 8, 32, 4);
  sayOfClusters("of-8", clusterRanks, 16, 32, 8);
}

/** All blocks arrive at block 0's barrier; behind it their stores are seen. */
__global__ void clusterArrivals(const int* in, int* out) {
  __shared__ uint64_t word;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned ranks = cluster.num_blocks(), own = cluster.block_rank();
  if (rank() == 0) {
    ptx::mbarrier_init(&word, ranks);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  if (rank() == 0) {
    out[blockIdx.x] = in[blockIdx.x] + 5;
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&word, 0));
  }
  if (own == 0) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &word, 0)) {
    }
    for (int i = rank(); i < static_cast<int>(ranks); i += size()) out[100 + blockIdx.x + i] = out[blockIdx.x + i];
  }
  cluster.sync();
}

TWIN(clusterArrivalsTwin, "cluster-that-arrives-at-one-block", Kind::kPlain) {
  sayOfClusters("stored", clusterArrivals, 8, 32, 4);
}

/** A copy for all blocks of a cluster, each of which waits at its own barrier. */
__global__ void clusterMulticast(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ alignas(128) int values[128];
  cg::cluster_group cluster = cg::this_cluster();
  if (rank() == 0) {
    ptx::mbarrier_init(&word, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, sizeof(values));
  }
  cluster.sync();
  if (rank() == 0 && cluster.block_rank() == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, values, in + 4 * blockIdx.x, sizeof(values), &word,
                       static_cast<uint16_t>((1 << cluster.num_blocks()) - 1));
  }
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  for (int i = rank(); i < 128; i += size()) out[128 * blockIdx.x + i] = values[127 - i];
  cluster.sync();
}

TWIN(clusterMulticastTwin, "cluster-that-gets-one-copy", Kind::kPlain) {
  sayOfClusters("stored", clusterMulticast, 8, 32, 4);
}

std::string accepted(cudaError_t result) {
  if (result == cudaSuccess) return "accepted";
  (void)cudaGetLastError();
  return "refused";
}

TWIN(clusterRefused, "launch-of-clusters-that-cannot-be", Kind::kPlain) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  say("of-16", accepted(launchClusters(stream, clusterRanks, 16, 32, 16, in.get(), out.get())));
  say("not-whole", accepted(launchClusters(stream, clusterRanks, 6, 32, 4, in.get(), out.get())));
  stream.synchronize();
  say("then", hash(out.read()));
}

// ---- Launch bounds

__global__ void __launch_bounds__(64) bounded(const int* in, int* out) { out[rank()] = in[rank()]; }

TWIN(launchBounded, "launch-of-more-threads-than-the-kernel-takes", Kind::kPlain) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  CHECK(cudaMemset(in.get(), 1, in.bytes()));
  CHECK(cudaDeviceSynchronize());
  bounded<<<1, 96, 0, stream>>>(in.get(), out.get());
  say("96", accepted(cudaGetLastError()));
  stream.synchronize();
  say("96-then", hash(out.read()));
  bounded<<<1, 64, 0, stream>>>(in.get(), out.get());
  say("64", accepted(cudaGetLastError()));
  stream.synchronize();
  say("64-then", hash(out.read()));
}

// ---- Faults

/** What waiting for the kernel says, and what a launch behind it. */
void sayFault(Body kernel) {
  Stream stream;
  Array<int> in(kIn), out(kOut);
  kernel<<<2, 32, 0, stream>>>(in.get(), out.get());
  launched("a launch");
  say("await", static_cast<long>(cudaStreamSynchronize(stream)));
  kernel<<<2, 32, 0, stream>>>(in.get(), out.get());
  say("launch", accepted(cudaGetLastError()));
}

__global__ void asserting(const int* in, int*) { assert(in[rank()] != 0); }

TWIN(faultAssert, "fault-by-an-assertion", Kind::kAlone) { sayFault(asserting); }

__global__ void misaligned(const int* in, int* out) {
  *reinterpret_cast<int4*>(out + 1 + in[0]) = make_int4(1, 2, 3, 4);
}

TWIN(faultMisaligned, "fault-by-a-misaligned-store", Kind::kAlone) { sayFault(misaligned); }

__global__ void outsideShared(const int* in, int* out) {
  __shared__ int values[32];
  values[rank()] = rank();
  __syncthreads();
  out[rank()] = values[rank() + (1 << 20) + in[0]];
}

TWIN(faultShared, "fault-by-a-load-outside-of-shared-memory", Kind::kAlone) { sayFault(outsideShared); }

/** What an address of nowhere is in a bulk copy. */
__global__ void bulkOutside(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ alignas(128) int values[32];
  if (rank() == 0) {
    ptx::mbarrier_init(&word, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, sizeof(values));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, values, in + (1ll << 44), sizeof(values), &word);
    while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
    }
    out[0] = values[0];
  }
}

TWIN(faultBulk, "fault-by-a-bulk-copy-from-nowhere", Kind::kAlone) { sayFault(bulkOutside); }

}  // namespace
