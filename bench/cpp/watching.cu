// What the driver takes for the calls that watching needs: events with and without a time behind an operation, and the same
// while another thread asks for events. See bench/watching.sh.
#include <cuda.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

static const char *PTX =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry empty(.param .u32 a, .param .u64 b, .param .f32 c) { ret; }\n";

static const int WARM_UP = 20;
static const int ROUNDS = 60;
static const int EVENTS = 2048;

static void check(CUresult result) {
  if (result != CUDA_SUCCESS) {
    const char *name;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s\n", name);
    exit(1);
  }
}

static double nanos() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now).count();
}

static CUstream stream;

// The median of what the calling thread takes for each of a batch of operations.
static void run(const char *name, int operations, const std::function<void(int)> &operation) {
  std::vector<double> all;
  for (int round = -WARM_UP; round < ROUNDS; round++) {
    double begin = nanos();
    for (int i = 0; i < operations; i++) operation(i);
    double each = (nanos() - begin) / operations;
    check(cuStreamSynchronize(stream));
    if (round >= 0) all.push_back(each);
  }
  std::sort(all.begin(), all.end());
  printf("%-40s batches of %3d: %6.0f ns\n", name, operations, all[ROUNDS / 2]);
}

int main() {
  CUdevice device;
  CUcontext context;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuDevicePrimaryCtxRetain(&context, device));
  check(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction empty;
  check(cuModuleLoadData(&module, PTX));
  check(cuModuleGetFunction(&empty, module, "empty"));
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr array;
  void *host;
  check(cuMemAlloc(&array, 4096));
  check(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_PORTABLE));
  std::vector<CUevent> timed(EVENTS), untimed(EVENTS);
  for (auto &event : timed) check(cuEventCreate(&event, CU_EVENT_DEFAULT));
  for (auto &event : untimed) check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));

  unsigned number = 1;
  float factor = 2;
  void *arguments[] = {&number, &array, &factor};
  auto launch = [&] {
    check(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  };
  auto copy = [&] { check(cuMemcpyHtoDAsync(array, host, 4096, stream)); };
  auto record = [&](CUevent event) { check(cuEventRecord(event, stream)); };

  for (int n : {50, 200, 400}) {
    run("launch", n, [&](int) { launch(); });
    run("launch, event", n, [&](int i) { launch(), record(untimed[i]); });
    run("launch, event with a time", n, [&](int i) { launch(), record(timed[i]); });
    run("copy of 4 KiB", n, [&](int) { copy(); });
    run("copy of 4 KiB, event", n, [&](int i) { copy(), record(untimed[i]); });
    run("copy of 4 KiB, event with a time", n, [&](int i) { copy(), record(timed[i]); });
  }

  CUevent first, second;
  check(cuEventCreate(&first, CU_EVENT_DEFAULT));
  check(cuEventCreate(&second, CU_EVENT_DEFAULT));
  record(first), record(second);
  check(cuStreamSynchronize(stream));
  for (bool queries : {false, true}) {
    std::atomic<bool> stop{false};
    std::atomic<long> calls{0};
    std::thread reader([&] {
      check(cuCtxSetCurrent(context));
      float milliseconds;
      for (; !stop; calls++) {
        check(queries ? cuEventQuery(second) : cuEventElapsedTime(&milliseconds, first, second));
      }
    });
    const char *call = queries ? "cuEventQuery" : "cuEventElapsedTime";
    printf("while another thread calls %s:\n", call);
    double begin = nanos();
    run("launch, event with a time", 200, [&](int i) { launch(), record(timed[i]); });
    double took = nanos() - begin;
    long times = calls;
    stop = true;
    reader.join();
    printf("%-40s %6.0f ns\n", call, took / times);
  }
}
