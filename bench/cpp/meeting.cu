// What kernels and the host, or streams, do at once: barriers of whole grids, pinned memory that kernels address, doorbells, and
// values that streams write and wait for.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o meeting bench/cpp/meeting.cu -lcuda && ./meeting
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

static void check(int result, const char *call) {
  if (result != 0) {
    std::fprintf(stderr, "%s: %d\n", call, result);
    std::exit(1);
  }
}
#define CHECK(call) check(static_cast<int>(call), #call)

static const int ROUNDS = 3;
static const size_t BYTES = size_t{1} << 30;

__global__ void syncs(int n) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < n; i++) grid.sync();
}

__global__ void reads(const float4 *from, size_t n, float *out) {
  float sum = 0;
  size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    float4 four = from[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (sum == 1.2345f) *out = sum;
}

__global__ void writes(float4 *to, size_t n) {
  size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) to[i] = make_float4(1, 2, 3, 4);
}

__global__ void answers(const int *bell, int *answer, int n) {
  for (int i = 1; i <= n; i++) {
    int seen;
    do {
      asm volatile("ld.acquire.sys.s32 %0, [%1];" : "=r"(seen) : "l"(bell) : "memory");
    } while (seen < i);
    asm volatile("st.release.sys.s32 [%0], %1;" ::"l"(answer), "r"(i) : "memory");
  }
}

static double micros(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

template <class Work>
static double milliseconds(Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  work();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float time;
  CHECK(cudaEventElapsedTime(&time, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return time;
}

// The worst of some rounds, after one that does not count.
template <class Work>
static double worst(Work work) {
  work();
  double most = 0;
  for (int i = 0; i < ROUNDS; i++) most = std::max(most, work());
  return most;
}

static void row(const char *what, double value, const char *unit) { std::printf("| %s | %.2f %s |\n", what, value, unit); }

static void barriers(int blocks, int threads) {
  int n = 10000;
  void *arguments[] = {&n};
  double each = worst([&] {
    return milliseconds([&] {
             CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(syncs), blocks, threads, arguments, 0, nullptr));
           }) *
           1000 / n;
  });
  char name[64];
  std::snprintf(name, sizeof name, "grid.sync() of %d blocks of %d", blocks, threads);
  row(name, each, "us");
}

static void mapped() {
  char *host, *combined, *device;
  float *out;
  CHECK(cudaHostAlloc(&host, BYTES, cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&combined, BYTES, cudaHostAllocWriteCombined));
  CHECK(cudaMalloc(&device, BYTES));
  CHECK(cudaMalloc(&out, sizeof(float)));
  size_t n = BYTES / sizeof(float4);
  auto rate = [](double time) { return BYTES / time / 1e6; };
  auto *fours = reinterpret_cast<float4 *>(host);
  row("a kernel reads pinned memory", rate(worst([&] { return milliseconds([&] { reads<<<1056, 256>>>(fours, n, out); }); })), "GB/s");
  row("a kernel writes pinned memory", rate(worst([&] { return milliseconds([&] { writes<<<1056, 256>>>(fours, n); }); })), "GB/s");
  auto copy = [&](char *to, char *from) {
    return rate(worst([&] { return milliseconds([&] { CHECK(cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDefault)); }); }));
  };
  row("a copy from pinned memory", copy(device, host), "GB/s");
  row("a copy from write-combined memory", copy(device, combined), "GB/s");
  row("a copy to pinned memory", copy(host, device), "GB/s");
  for (char *to : {host, combined}) {
    double time = worst([&] {
      auto begin = std::chrono::steady_clock::now();
      std::fill(to, to + BYTES, 1);
      return micros(begin) / 1000;
    });
    row(to == host ? "a thread writes pinned memory" : "a thread writes write-combined memory", rate(time), "GB/s");
  }
}

static void doorbell() {
  std::atomic<int> *words;
  CHECK(cudaHostAlloc(&words, 4096, cudaHostAllocDefault));
  std::atomic<int> &bell = words[0], &answer = words[128];
  int n = 10000;
  double each = worst([&] {
    bell = 0;
    answer = 0;
    answers<<<1, 1>>>(reinterpret_cast<int *>(&bell), reinterpret_cast<int *>(&answer), n);
    CHECK(cudaGetLastError());
    auto begin = std::chrono::steady_clock::now();
    for (int i = 1; i <= n; i++) {
      bell.store(i, std::memory_order_release);
      while (answer.load(std::memory_order_acquire) < i) {
      }
    }
    double time = micros(begin) / n;
    CHECK(cudaDeviceSynchronize());
    return time;
  });
  row("a doorbell, there and back", each, "us");
}

static void values() {
  cudaStream_t one, other;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  int *memory;
  CHECK(cudaMalloc(&memory, 2 * sizeof(int)));
  CHECK(cudaMemset(memory, 0, 2 * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  auto there = reinterpret_cast<CUdeviceptr>(memory), back = there + sizeof(int);
  int n = 2000, last = 0;
  double each = worst([&] {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) {
      last++;
      CHECK(cuStreamWriteValue32(one, there, last, 0));
      CHECK(cuStreamWaitValue32(other, there, last, CU_STREAM_WAIT_VALUE_GEQ));
      CHECK(cuStreamWriteValue32(other, back, last, 0));
      CHECK(cuStreamWaitValue32(one, back, last, CU_STREAM_WAIT_VALUE_GEQ));
    }
    CHECK(cudaDeviceSynchronize());
    return micros(begin) / n / 2;
  });
  row("a value from stream to stream", each, "us");
}

int main() {
  CHECK(cuInit(0));
  CHECK(cudaSetDevice(0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("| %s | worst of %d |\n|---|--:|\n", properties.name, ROUNDS);
  for (int blocks : {1, 2})
    for (int threads : {256, 1024}) barriers(blocks * properties.multiProcessorCount, threads);
  mapped();
  doorbell();
  values();
}
