// Stages that parts of a block bring for themselves, by barriers written by hand: one warp of nine produces for the others, or each tile
// of eight lanes brings its own.
//   nvcc -O3 -std=c++17 -arch=sm_90a -o groups bench/cpp/groups.cu && ./groups
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
static const int STAGES = 4;
static const int64_t most = int64_t{256} << 20;

static __device__ uint32_t place(const void *at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

static __device__ void make(uint64_t *barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(barrier)), "r"(count) : "memory");
}

static __device__ void arrive(uint64_t *barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(place(barrier)) : "memory");
}

static __device__ void await(uint64_t *barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(place(barrier)),
      "r"(parity)
      : "memory");
}

static __device__ void bring(int *to, const int *from, int bytes, uint64_t *barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;\n}" ::"r"(place(barrier)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(to)), "l"(from),
               "r"(bytes), "r"(place(barrier))
               : "memory");
}

// Reads must end before a bulk copy refills what was read: neither an arrival nor a meeting waits for them.
static __device__ void endReads() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

static __device__ int sum(const int *room, int ints, int rank, int threads) {
  int sum = 0;
  for (int i = 4 * rank; i < ints; i += 4 * threads) {
    const int4 four = *reinterpret_cast<const int4 *>(room + i);
    sum += four.x + four.y + four.z + four.w;
  }
  return sum;
}

template <int INTS, int WHICH>
static __global__ void warpProduces(const int *in, int *out, int stages, int mask) {
  extern __shared__ __align__(128) int room[];
  __shared__ uint64_t full[STAGES], free[STAGES];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; i++) make(&full[i], 1), make(&free[i], 8);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int rank = warp < WHICH ? threadIdx.x : threadIdx.x - 32;
  int total = 0, at = 0, parity = 0;
  for (int stage = blockIdx.x; stage < stages; stage += gridDim.x) {
    if (warp == WHICH) {
      if (lane == 0) {
        await(&free[at], parity ^ 1);
        bring(room + at * INTS, in + static_cast<int64_t>(stage & mask) * INTS, 4 * INTS, &full[at]);
      }
    } else {
      await(&full[at], parity);
      total += sum(room + at * INTS, INTS, rank, 256);
      endReads();
      __syncwarp();
      if (lane == 0) arrive(&free[at]);
    }
    if (++at == STAGES) at = 0, parity ^= 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

template <int INTS>
static __global__ void tiles(const int *in, int *out, int stages, int mask) {
  extern __shared__ __align__(128) int room[];
  __shared__ uint64_t full[32 * STAGES];
  const int tile = threadIdx.x / 8, lane = threadIdx.x % 8, own = tile * STAGES;
  const uint32_t members = 0xffu << (threadIdx.x % 32 & ~7);
  const int step = gridDim.x * 32, first = blockIdx.x * 32 + tile;
  if (lane == 0) {
    for (int i = 0; i < STAGES; i++) make(&full[own + i], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (lane == 0) {
    for (int i = 0; i < STAGES; i++) {
      const int stage = first + i * step;
      if (stage < stages) bring(room + (own + i) * INTS, in + static_cast<int64_t>(stage & mask) * INTS, 4 * INTS, &full[own + i]);
    }
  }
  int total = 0, at = 0, parity = 0;
  for (int stage = first; stage < stages; stage += step) {
    await(&full[own + at], parity);
    total += sum(room + (own + at) * INTS, INTS, lane, 8);
    endReads();
    __syncwarp(members);
    const int next = stage + STAGES * step;
    if (lane == 0 && next < stages) bring(room + (own + at) * INTS, in + static_cast<int64_t>(next & mask) * INTS, 4 * INTS, &full[own + at]);
    if (++at == STAGES) at = 0, parity ^= 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
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

using Kernel = void (*)(const int *, int *, int, int);

static const int *in;
static int *out;

static void row(const char *what, int64_t bytes, int stage, int threads, int shared, Kernel kernel) {
  const int stages = static_cast<int>(most / stage), mask = static_cast<int>(bytes / stage) - 1, room = STAGES * shared;
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const int each = std::min(200000 / (room + 4096), 2048 / threads), blocks = device.multiProcessorCount * each;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
  CHECK(cudaMemset(out, 0, sizeof(int) * blocks * threads));
  kernel<<<blocks, threads, room>>>(in, out, stages, mask);
  std::vector<unsigned> got(static_cast<size_t>(blocks) * threads), numbers(bytes / 4);
  CHECK(cudaMemcpy(got.data(), out, 4 * got.size(), cudaMemcpyDeviceToHost));
  unsigned expected = 0, sum = 0;
  for (size_t i = 0; i < numbers.size(); i++) expected += static_cast<unsigned>(most / bytes) * (static_cast<unsigned>(i) * 0x9E3779B1u);
  for (unsigned part : got) sum += part;
  if (sum != expected) {
    std::fprintf(stderr, "%s, stages of %d bytes: the sum is %u, not %u\n", what, stage, sum, expected);
    std::exit(1);
  }
  const double nanos = worst(32,
                             [&] { kernel<<<blocks, threads, room>>>(in, out, stages, mask); });
  for (const char *way : {"", " by hand"}) {
    std::printf("| %s%s, %lld MiB in stages of %d bytes | %.1f GB/s |\n", what, way, static_cast<long long>(bytes >> 20), stage, most / nanos);
  }
}

template <int BYTES>
static void produced(int64_t bytes) {
  row("warp 0 of 9 produces", bytes, BYTES, 288, BYTES, warpProduces<BYTES / 4, 0>);
  row("warp 4 of 9 produces", bytes, BYTES, 288, BYTES, warpProduces<BYTES / 4, 4>);
  row("warp 8 of 9 produces", bytes, BYTES, 288, BYTES, warpProduces<BYTES / 4, 8>);
}

template <int BYTES>
static void ofTiles(int64_t bytes) {
  row("tiles of 8 lanes", bytes, BYTES, 256, 32 * BYTES, tiles<BYTES / 4>);
}

int main() {
  std::vector<unsigned> numbers(most / 4);
  for (size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<unsigned>(i) * 0x9E3779B1u;
  int *memory;
  CHECK(cudaMalloc(&memory, most));
  CHECK(cudaMemcpy(memory, numbers.data(), most, cudaMemcpyHostToDevice));
  in = memory;
  CHECK(cudaMalloc(&out, 16 << 20));
  for (int64_t bytes : {most / 16, most}) {
    produced<2048>(bytes);
    produced<4096>(bytes);
    produced<8192>(bytes);
    produced<16384>(bytes);
    ofTiles<128>(bytes);
    ofTiles<256>(bytes);
    ofTiles<512>(bytes);
    ofTiles<1024>(bytes);
  }
  return 0;
}
