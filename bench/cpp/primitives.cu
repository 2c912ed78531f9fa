// What everybody needs, by CUB: sums, running sums, selection, histograms, sorts. The rates are of the input's bytes.
//   nvcc -O3 -std=c++17 -arch=sm_90a -o primitives bench/cpp/primitives.cu && ./primitives [BYTES]
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t result, const char *call) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(result));
    std::exit(1);
  }
}
#define CHECK(call) check(call, #call)

static const int ROUNDS = 3;
static const int WARM = 2;
static const int BINS = 256;
static const int TOP = 1 << 30;

static __device__ uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

static __global__ void ints(int *out, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<int>(mixed(static_cast<uint32_t>(i)) & (TOP - 1));
}

static __global__ void floats(float *out, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (mixed(static_cast<uint32_t>(i)) >> 8) * 0x1p-24f;
}

struct AtLeast {
  int least;
  __device__ bool operator()(int x) const { return x >= least; }
};

static int bits;

// The worst of some rounds, after some that do not count. The first call of CUB says how much memory it needs.
template <class Work>
static void row(const char *what, int bytesEach, Work work) {
  void *room = nullptr;
  size_t size = 0;
  CHECK(work(nullptr, size));
  CHECK(cudaMalloc(&room, std::max<size_t>(size, 1)));
  const int64_t bytes = int64_t{bytesEach} << bits;
  const int times = static_cast<int>(std::clamp<int64_t>((int64_t{8} << 30) / bytes, 2, 64));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  double most = 0;
  for (int round = 0; round < WARM + ROUNDS; round++) {
    CHECK(work(room, size));  // so that the time begins while the device is busy
    CHECK(work(room, size));
    CHECK(cudaEventRecord(begin));
    for (int i = 0; i < times; i++) CHECK(work(room, size));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float time;
    CHECK(cudaEventElapsedTime(&time, begin, end));
    most = round < WARM ? 0 : std::max(most, 1e6 * time / times);
  }
  std::printf("| %s, 2^%d | %.1f GB/s |\n", what, bits, bytes / most);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(room));
}

static void all() {
  const int64_t n = int64_t{1} << bits;
  const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  int *in, *to, *with, *withTo;
  int64_t *counts;
  CHECK(cudaMalloc(&in, 4 * n));
  CHECK(cudaMalloc(&to, 4 * n));
  CHECK(cudaMalloc(&with, 4 * n));
  CHECK(cudaMalloc(&withTo, 4 * n));
  CHECK(cudaMalloc(&counts, 8 * BINS));
  auto *x = reinterpret_cast<float *>(with), *y = reinterpret_cast<float *>(withTo);
  auto *bytes = reinterpret_cast<uint8_t *>(in);
  auto *longs = reinterpret_cast<int64_t *>(in), *longsTo = reinterpret_cast<int64_t *>(to);
  auto *bins = reinterpret_cast<unsigned long long *>(counts);
  ints<<<blocks, 256>>>(in, n);
  CHECK(cudaGetLastError());
  row("sum of ints", 4, [&](void *room, size_t &size) { return cub::DeviceReduce::Sum(room, size, in, to, n); });
  row("running sums of ints", 4, [&](void *room, size_t &size) { return cub::DeviceScan::InclusiveSum(room, size, in, to, n); });
  row("half of ints", 4, [&](void *room, size_t &size) { return cub::DeviceSelect::If(room, size, in, to, counts, n, AtLeast{TOP / 2}); });
  row("ints in 256 bins", 4,
      [&](void *room, size_t &size) { return cub::DeviceHistogram::HistogramEven(room, size, in, bins, BINS + 1, 0, TOP, n); });
  row("bytes in 256 bins", 4,
      [&](void *room, size_t &size) { return cub::DeviceHistogram::HistogramEven(room, size, bytes, bins, BINS + 1, 0, 256, 4 * n); });
  row("sorted ints", 4, [&](void *room, size_t &size) { return cub::DeviceRadixSort::SortKeys(room, size, in, to, n); });
  // CUB of CUDA 13.0 has no top-k: it sorts all.
  row("some greatest of ints", 4, [&](void *room, size_t &size) { return cub::DeviceRadixSort::SortKeysDescending(room, size, in, to, n); });
  CHECK(cudaMemcpy(with, in, 4 * n, cudaMemcpyDeviceToDevice));
  row("sorted ints with ints", 8,
      [&](void *room, size_t &size) { return cub::DeviceRadixSort::SortPairs(room, size, in, to, with, withTo, n); });
  row("sorted longs", 4, [&](void *room, size_t &size) { return cub::DeviceRadixSort::SortKeys(room, size, longs, longsTo, n / 2); });
  floats<<<blocks, 256>>>(x, n);
  CHECK(cudaGetLastError());
  row("sum of floats", 4, [&](void *room, size_t &size) { return cub::DeviceReduce::Sum(room, size, x, y, n); });
  row("running sums of floats", 4, [&](void *room, size_t &size) { return cub::DeviceScan::InclusiveSum(room, size, x, y, n); });
  row("floats in 256 bins", 4,
      [&](void *room, size_t &size) { return cub::DeviceHistogram::HistogramEven(room, size, x, bins, BINS + 1, 0.0f, 1.0f, n); });
  CHECK(cudaMemset(in, 0, 4 * n));
  row("equal ints in 256 bins", 4,
      [&](void *room, size_t &size) { return cub::DeviceHistogram::HistogramEven(room, size, in, bins, BINS + 1, 0, TOP, n); });
  for (void *array : {static_cast<void *>(in), static_cast<void *>(to), static_cast<void *>(with), static_cast<void *>(withTo),
                      static_cast<void *>(counts)})
    CHECK(cudaFree(array));
}

int main(int count, char **arguments) {
  const int64_t most = (count > 1 ? std::atoll(arguments[1]) : int64_t{1} << 30) / 4;
  int top = 0;
  while (int64_t{2} << top <= most) top++;
  for (bits = std::max(1, top - 8); bits <= top; bits += 4) all();
}
