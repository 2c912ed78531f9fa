// What the blocks of a cluster do with each other's shared memory: a histogram whose bins lie in all of them, a ring of bulk copies,
// and plain reads.
//   nvcc -O3 -std=c++17 -arch=sm_90a -o clusters bench/cpp/clusters.cu && ./clusters
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

static void check(cudaError_t result, const char *call) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(result));
    std::exit(1);
  }
}
#define CHECK(call) check(call, #call)

static const int ROUNDS = 3;
static const double WARM_MILLIS = 300;
static const int LAUNCHES = 10;
static const int COUNT = 1 << 27;
static const int HOPS = 10000;
static const int READS = 20000;

__global__ void histogram(const int4 *in, int n, int *out, int perBlock) {
  extern __shared__ int bins[];
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = cluster.num_blocks(), own = cluster.block_rank();
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const int4 four = in[i];
    atomicAdd(cluster.map_shared_rank(bins, four.x / perBlock) + four.x % perBlock, 1);
    atomicAdd(cluster.map_shared_rank(bins, four.y / perBlock) + four.y % perBlock, 1);
    atomicAdd(cluster.map_shared_rank(bins, four.z / perBlock) + four.z % perBlock, 1);
    atomicAdd(cluster.map_shared_rank(bins, four.w / perBlock) + four.w % perBlock, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x) atomicAdd(out + own * perBlock + i, bins[i]);
  if (ranks == 0) out[0] = 0;
}

__global__ void ring(int *out, int hops, int bytes) {
  extern __shared__ __align__(128) int data[];
  __shared__ uint64_t full[2];
  cg::cluster_group cluster = cg::this_cluster();
  const int next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int words = bytes / 4;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  for (int i = threadIdx.x; i < words; i += blockDim.x) data[i] = blockIdx.x + i;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster.sync();
  for (int hop = 0; hop < hops; hop++) {
    const int from = hop & 1, to = 1 - from;
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[to], bytes);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(data + to * words, next), data + from * words,
                         bytes, cluster.map_shared_rank(&full[to], next));
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full[to], hop >> 1 & 1)) {
    }
    cluster.sync();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = data[(hops & 1) * words];
}

__global__ void reads(float *out, int count) {
  __shared__ float4 data[1024];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) data[i] = make_float4(i, 1, 2, 3);
  cluster.sync();
  const float4 *other = cluster.map_shared_rank(data, (cluster.block_rank() + 1) % cluster.num_blocks());
  float sum = 0;
  for (int i = 0; i < count; i++) {
    const float4 four = other[(threadIdx.x + i) & 1023];
    sum += four.x + four.y + four.z + four.w;
  }
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class... Parameters, class... Arguments>
static void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster, size_t shared, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (shared > 48 << 10) CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

template <class Work>
static double milliseconds(Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  work();  // so that the time begins while the device is busy, and no call of the host is in it
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < LAUNCHES; i++) work();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float time;
  CHECK(cudaEventElapsedTime(&time, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return time / LAUNCHES;
}

// The worst of some rounds, after some that do not count, so that the clocks are up.
template <class Work>
static double worst(Work work) {
  for (double warm = 0; warm < WARM_MILLIS;) warm += LAUNCHES * milliseconds(work);
  double most = 0;
  for (int i = 0; i < ROUNDS; i++) most = std::max(most, milliseconds(work));
  return most;
}

int main() {
  int *in, *out;
  float *sums;
  CHECK(cudaMalloc(&in, sizeof(int) * COUNT));
  CHECK(cudaMalloc(&out, sizeof(int) * (1 << 20)));
  CHECK(cudaMalloc(&sums, sizeof(float) * 128 * 1024));
  int *host = static_cast<int *>(std::malloc(sizeof(int) * COUNT));
  for (int cluster = 2; cluster <= 8; cluster *= 2) {
    for (int perBlock : {1024, 8192}) {
      unsigned state = 1;
      for (int i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        host[i] = (state >> 8) % (cluster * perBlock);
      }
      CHECK(cudaMemcpy(in, host, sizeof(int) * COUNT, cudaMemcpyHostToDevice));
      double time = worst([&] {
        launch(histogram, 128, 512, cluster, 4 * perBlock, reinterpret_cast<const int4 *>(in), COUNT / 4, out, perBlock);
      });
      std::printf("| a histogram of %d bins in each of %d blocks | %.2f GB/s |\n", perBlock, cluster, 4.0 * COUNT / time / 1e6);
    }
  }
  for (int cluster = 2; cluster <= 8; cluster *= 2) {
    for (int bytes : {1024, 8192, 32768}) {
      double time = worst([&] { launch(ring, 128, 128, cluster, 2 * bytes, out, HOPS, bytes); });
      std::printf("| a ring of %d blocks with %d bytes | %.3f us |\n", cluster, bytes, time * 1000 / HOPS);
    }
  }
  for (int cluster = 2; cluster <= 8; cluster *= 2) {
    double time = worst([&] { launch(reads, 128, 512, cluster, 0, sums, READS); });
    std::printf("| reads of another of %d blocks | %.2f GB/s |\n", cluster, 16.0 * 128 * 512 * READS / time / 1e6);
  }
  return 0;
}
