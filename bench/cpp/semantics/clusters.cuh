// Shared memory of another block of the cluster: CUDA C++ Programming Guide, "Distributed Shared Memory"; PTX ISA, "mapa",
// "cp.async.bulk", "st.async".
#pragma once

#include "kernels.cuh"
#include "tiles.cuh"

namespace {

/** Reads what each block of the cluster has, and writes what the next one has. */
__global__ void othersMemory(const int* in, int* out) {
  __shared__ int tile[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int i = static_cast<int>(blockIdx.x) * size() + rank();
  tile[rank()] = in[i] + own;
  cluster.sync();
  int sum = 1;
  for (int k = 0; k < ranks; k++) sum = 31 * sum + cluster.map_shared_rank(tile, (own + k) % ranks)[size() - 1 - rank()];
  out[i] = sum;
  cluster.sync();
  cluster.map_shared_rank(tile, (own + 1) % ranks)[rank()] = sum + 5;
  cluster.sync();
  out[2048 + i] = tile[rank()];
}

TWIN(othersMemoryTwin, "cluster-whose-blocks-read-each-other", Kind::kPlain) {
  sayOfClusters("of-2", othersMemory, 8, 64, 2);
  sayOfClusters("of-4", othersMemory, 8, 32, 4);
  sayOfClusters("of-8", othersMemory, 16, 32, 8);
}

/** A histogram whose bins lie in all blocks of the cluster. */
__global__ void clusterBins(const int* in, int* out) {
  __shared__ int bins[16];
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  if (rank() < 16) bins[rank()] = 0;
  cluster.sync();
  const int first = static_cast<int>(blockIdx.x) * 256;
  for (int i = rank(); i < 256; i += size()) {
    const int bin = in[first + i] % (16 * ranks);
    atomicAdd(cluster.map_shared_rank(bins, bin / 16) + bin % 16, 1);
  }
  cluster.sync();
  atomicMax(cluster.map_shared_rank(bins, (own + 1) % ranks) + 15, rank());
  cluster.sync();
  if (rank() < 16) out[16 * static_cast<int>(blockIdx.x) + rank()] = bins[rank()];
}

TWIN(clusterBinsTwin, "histogram-over-a-cluster", Kind::kPlain) {
  sayOfClusters("of-2", clusterBins, 8, 64, 2);
  sayOfClusters("of-8", clusterBins, 8, 64, 8);
}

/** Waits for a phase of a barrier that threads of other blocks complete. */
__device__ void awaitOfCluster(unsigned long long* word, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, reinterpret_cast<std::uint64_t*>(word), parity)) {
  }
}

/** Sends a tile around the ring of blocks. */
__global__ void bulkRing(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ unsigned long long full[2];
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int next = (own + 1) % ranks, i = static_cast<int>(blockIdx.x) * size() + rank();
  if (rank() == 0) {
    for (unsigned long long& word : full) ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(&word), 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  tile[0][rank()] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster.sync();
  for (int round = 0; round < 5; round++) {
    const int from = round % 2, to = 1 - from;
    if (rank() == 0) {
      auto* word = reinterpret_cast<std::uint64_t*>(&full[to]);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, word, 256);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(tile[to], next), tile[from], 256,
                         cluster.map_shared_rank(word, next));
    }
    awaitOfCluster(&full[to], round / 2 & 1);
    cluster.sync();
  }
  out[i] = tile[1][rank()];
}

TWIN(bulkRingTwin, "ring-of-bulk-copies-between-blocks", Kind::kPlain) {
  sayOfClusters("of-2", bulkRing, 8, 64, 2);
  sayOfClusters("of-4", bulkRing, 8, 64, 4);
}

/** Stores single numbers and four at once in the next block. */
__global__ void storesToBlock(const int* in, int* out) {
  __shared__ int one[64];
  __shared__ alignas(16) int four[256];
  __shared__ unsigned long long full;
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int next = (own + 1) % ranks, i = static_cast<int>(blockIdx.x) * size() + rank();
  auto* word = reinterpret_cast<std::uint64_t*>(&full);
  if (rank() == 0) {
    ptx::mbarrier_init(word, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, word, 20 * size());
  }
  cluster.sync();
  std::uint64_t* remote = cluster.map_shared_rank(word, next);
  ptx::st_async(cluster.map_shared_rank(one, next) + rank(), in[i], remote);
  const int values[4] = {in[i] + 1, in[i] + 2, in[i] + 3, in[i] + 4};
  ptx::st_async(cluster.map_shared_rank(four, next) + 4 * rank(), values, remote);
  awaitOfCluster(&full, 0);
  out[i] = one[rank()];
  out[1024 + i] = four[rank()] + four[64 + rank()] + four[128 + rank()] - four[192 + rank()];
  cluster.sync();
}

TWIN(storesToBlockTwin, "stores-to-another-block", Kind::kPlain) {
  sayOfClusters("of-2", storesToBlock, 8, 64, 2);
  sayOfClusters("of-8", storesToBlock, 8, 64, 8);
}

/** Bulk copies that combine what each block has with what global memory has. */
__global__ void bulkReductions(const int* in, int* out) {
  __shared__ alignas(16) int ints[64];
  const int i = static_cast<int>(blockIdx.x) * size() + rank();
  ints[rank()] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (rank() == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, ints, 256);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, out + 64, ints, 256);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_min, reinterpret_cast<unsigned*>(out + 128),
                              reinterpret_cast<const unsigned*>(ints), 256);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_xor_op, out + 192, ints, 256);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_or_op, out + 256, ints, 256);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

TWIN(bulkReductionsTwin, "bulk-copies-that-combine", Kind::kPlain) { sayStored("stored", bulkReductions, 9, 64); }

/** red.async: joins a number to an element of another block, whose barrier counts its bytes. */
#define RED_ASYNC(OP, TYPE, CONSTRAINT, to, value, word)                                                               \
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." #OP "." #TYPE " [%0], %1, [%2];" ::"r"(to), \
               CONSTRAINT(value), "r"(word)                                                                            \
               : "memory")

/** The address of a variable in a block of the cluster. */
__device__ unsigned addressIn(cg::cluster_group& cluster, void* variable, int block) {
  unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(variable)), address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(own), "r"(block));
  return address;
}

/** Each thread joins its number to those that its own block and the next one have. */
__global__ void joinsToBlock(const int* in, int* out) {
  __shared__ int tile[4][64];
  __shared__ unsigned long long wide[64];
  __shared__ unsigned long long full;
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int i = static_cast<int>(blockIdx.x) * size() + rank();
  auto* word = reinterpret_cast<std::uint64_t*>(&full);
  if (rank() == 0) {
    ptx::mbarrier_init(word, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, word, 2 * 24 * size());
  }
  for (int k = 0; k < 4; k++) tile[k][rank()] = k == 3 ? 4 : 1000 * k + rank();
  wide[rank()] = 1ULL << 40 | rank();
  cluster.sync();
  const int value = in[i];
  for (int step = 0; step < 2; step++) {
    const int to = (own + step) % ranks;
    const unsigned remote = addressIn(cluster, &full, to);
    RED_ASYNC(add, u32, "r", addressIn(cluster, &tile[0][rank()], to), value, remote);
    RED_ASYNC(max, s32, "r", addressIn(cluster, &tile[1][rank()], to), value, remote);
    RED_ASYNC(xor, b32, "r", addressIn(cluster, &tile[2][rank()], to), value, remote);
    RED_ASYNC(inc, u32, "r", addressIn(cluster, &tile[3][rank()], to), 5, remote);
    RED_ASYNC(add, u64, "l", addressIn(cluster, &wide[rank()], to), value * 0x100000001LL, remote);
  }
  awaitOfCluster(&full, 0);
  for (int k = 0; k < 4; k++) out[512 * k + i] = tile[k][rank()];
  out[2048 + i] = static_cast<int>(wide[rank()]) + 3 * static_cast<int>(wide[rank()] >> 32);
  cluster.sync();
}

TWIN(joinsToBlockTwin, "changes-of-another-block", Kind::kPlain) {
  sayOfClusters("of-2", joinsToBlock, 8, 64, 2);
  sayOfClusters("of-4", joinsToBlock, 8, 64, 4);
}

/** cp.reduce.async.bulk: joins 256 bytes to their counterparts in another block. */
#define REDUCE_BULK(OP, TYPE, to, from, word)                                                                          \
  asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." #OP "." #TYPE          \
               " [%0], [%1], 256, [%2];" ::"r"(to),                                                                    \
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))), "r"(word)                                   \
               : "memory")

/** The same by bulk copies. */
__global__ void bulkJoinsToBlock(const int* in, int* out) {
  __shared__ alignas(16) int tile[4][64];
  __shared__ alignas(16) int mine[64];
  __shared__ alignas(16) int bounds[64];
  __shared__ unsigned long long full;
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int i = static_cast<int>(blockIdx.x) * size() + rank();
  auto* word = reinterpret_cast<std::uint64_t*>(&full);
  if (rank() == 0) {
    ptx::mbarrier_init(word, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, word, 2 * 4 * 256);
  }
  for (int k = 0; k < 4; k++) tile[k][rank()] = k == 3 ? 1 : 1000 * k + rank();
  mine[rank()] = in[i];
  bounds[rank()] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster.sync();
  if (rank() == 0) {
    for (int step = 0; step < 2; step++) {
      const int to = (own + step) % ranks;
      const unsigned remote = addressIn(cluster, &full, to);
      REDUCE_BULK(add, u32, addressIn(cluster, tile[0], to), mine, remote);
      REDUCE_BULK(min, s32, addressIn(cluster, tile[1], to), mine, remote);
      REDUCE_BULK(or, b32, addressIn(cluster, tile[2], to), mine, remote);
      REDUCE_BULK(dec, u32, addressIn(cluster, tile[3], to), bounds, remote);
    }
  }
  awaitOfCluster(&full, 0);
  for (int k = 0; k < 4; k++) out[512 * k + i] = tile[k][rank()];
  cluster.sync();
}

TWIN(bulkJoinsToBlockTwin, "bulk-copies-that-change-another-block", Kind::kPlain) {
  sayOfClusters("of-2", bulkJoinsToBlock, 8, 64, 2);
  sayOfClusters("of-4", bulkJoinsToBlock, 8, 64, 4);
}

/** Each block arrives at the next one's barrier in each way, and counts bytes there. */
__global__ void arrivalsInEachWay(const int* in, int* out) {
  __shared__ unsigned long long word;
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = static_cast<int>(cluster.num_blocks()), own = static_cast<int>(cluster.block_rank());
  const int i = static_cast<int>(blockIdx.x) * size() + rank();
  auto* object = reinterpret_cast<std::uint64_t*>(&word);
  if (rank() == 0) {
    ptx::mbarrier_init(object, 5);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  const unsigned next = addressIn(cluster, &word, (own + 1) % ranks);
  int seen = ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cluster, object, 0) ? 1 : 0;
  cluster.sync();
  if (rank() == 0) {
    std::uint64_t phase;
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(next) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%0], 48;" ::"r"(next) : "memory");
    asm volatile("mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(next) : "memory");
    asm volatile("mbarrier.arrive_drop.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(next) : "memory");
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cta.b64 %0, [%1];"
                 : "=l"(phase)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&word)))
                 : "memory");
    seen += ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cluster, object, phase, 1000) ? 2 : 0;
  }
  seen += ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, object, 0, 1000) ? 4 : 0;
  cluster.sync();
  if (rank() == 1) asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 48;" ::"r"(next) : "memory");
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, object, 0, 1000)) {
  }
  seen += ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cluster, object, 0) ? 8 : 0;
  cluster.sync();
  if (rank() < 3) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(next) : "memory");
  }
  while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cluster, object, 1)) {
  }
  out[i] = seen + in[0];
  cluster.sync();
}

TWIN(arrivalsInEachWayTwin, "arrivals-at-the-next-block-in-each-way", Kind::kPlain) {
  sayOfClusters("of-2", arrivalsInEachWay, 8, 64, 2);
  sayOfClusters("of-4", arrivalsInEachWay, 8, 32, 4);
}

}  // namespace
