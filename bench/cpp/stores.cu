// How fast a device stores: tiles of shared memory by bulk copies, two under way, kept or filled anew; the same by plain stores of 16
// bytes; and the driver's fill. A row is the best of all of them: the rate that the device is known to reach.
//   nvcc -O3 -std=c++17 -arch=sm_90a -o stores bench/cpp/stores.cu && ./stores [--ways]
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(cudaError_t result, const char *call) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(result));
    std::exit(1);
  }
}
#define CHECK(call) check(call, #call)

static const int ROUNDS = 3;
static const int WARM = 5;
static const int THREADS = 256;

static __device__ void store(int *to, const int *from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(to),
               "r"(static_cast<uint32_t>(__cvta_generic_to_shared(from))), "r"(bytes)
               : "memory");
}

template <bool FILLED>
static __global__ void bulk(int *out, int tiles, int ints) {
  extern __shared__ __align__(128) int tile[];
  if (!FILLED) {
    for (int i = threadIdx.x; i < 2 * ints; i += blockDim.x) tile[i] = i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
  }
  int at = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (FILLED) {
      for (int i = threadIdx.x; i < ints; i += blockDim.x) tile[at + i] = t + i;
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      store(out + static_cast<int64_t>(t) * ints, tile + at, 4 * ints);
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    }
    if (FILLED) __syncthreads();
    at = ints - at;
  }
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

static __global__ void plain(int4 *out, int64_t count) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const int n = static_cast<int>(i);
    out[i] = make_int4(n, n + 1, n + 2, n + 3);
  }
}

// The worst of some rounds in nanoseconds, after some that do not count, so that the clocks are up.
template <class Work>
static double worst(int launches, Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  double most = 0;
  for (int round = 0; round < WARM + ROUNDS; round++) {
    work();  // so that the time begins while the device is busy, and no call of the host is in it
    CHECK(cudaEventRecord(begin));
    for (int i = 0; i < launches; i++) work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float time;
    CHECK(cudaEventElapsedTime(&time, begin, end));
    most = round < WARM ? 0 : std::max(most, 1e6 * time / launches);
  }
  CHECK(cudaGetLastError());
  return most;
}

// How many blocks are tried: some for each multiprocessor, which go on and on, and so many that each has little to do.
static std::vector<int64_t> grids(int processors, int most, int64_t pieces) {
  std::vector<int64_t> grids;
  for (int each = 1; each <= most; each *= 2) grids.push_back(std::min<int64_t>(pieces, processors * each));
  for (int each = 1; each <= 4; each *= 2) grids.push_back((pieces + each - 1) / each);
  return grids;
}

int main(int count, char **arguments) {
  const bool ways = count > 1 && std::strcmp(arguments[1], "--ways") == 0;
  const int64_t most = int64_t{256} << 20;
  int *out;
  CHECK(cudaMalloc(&out, most));
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  for (int64_t bytes = most / 256; bytes <= most; bytes *= 4) {
    const int launches = static_cast<int>(std::clamp<int64_t>((int64_t{1} << 30) / bytes, 10, 200));
    const double set = bytes / worst(launches, [&] { CHECK(cudaMemsetAsync(out, 1, bytes)); });
    double stores = 0;
    for (int64_t blocks : grids(device.multiProcessorCount, 8, bytes / 16 / THREADS)) {
      stores = std::max(stores, bytes / worst(launches, [&] {
        plain<<<static_cast<int>(blocks), THREADS>>>(reinterpret_cast<int4 *>(out), bytes / 16);
      }));
    }
    for (int tile = 2 << 10; tile <= 32 << 10; tile *= 2) {
      const int tiles = static_cast<int>(bytes / tile);
      CHECK(cudaFuncSetAttribute(bulk<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * tile));
      CHECK(cudaFuncSetAttribute(bulk<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * tile));
      double kept = 0, filled = 0;
      for (int64_t all : grids(device.multiProcessorCount, std::min(200000 / (2 * tile + 1024), 2048 / THREADS), tiles)) {
        const int blocks = static_cast<int>(all);
        kept = std::max(kept, bytes / worst(launches, [&] { bulk<false><<<blocks, THREADS, 2 * tile>>>(out, tiles, tile / 4); }));
        filled = std::max(filled, bytes / worst(launches, [&] { bulk<true><<<blocks, THREADS, 2 * tile>>>(out, tiles, tile / 4); }));
      }
      const double best = std::max({set, stores, kept, filled});
      for (const char *what : {"kept", "filled", "in stages"}) {
        std::printf("| %s, %lld MiB in tiles of %d KiB | %.1f GB/s |\n", what, static_cast<long long>(bytes >> 20), tile >> 10, best);
      }
      if (ways) std::printf("  fill %.1f, st.v4 %.1f, bulk kept %.1f, filled %.1f\n", set, stores, kept, filled);
    }
  }
  return 0;
}
