// The pipeline of `bench traced-run` in CUDA C++: chunks that are copied in, computed on and copied out on four streams. With
// events that have times: none; behind each operation, and before the first one of a chunk; the same, but the first one on a
// stream of its own, as a timeline does; that, with the times read by another thread every 2 ms. See bench/traced.sh.
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

static const int STREAMS = 4;

static void check(cudaError_t result) {
  if (result != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorName(result));
    exit(1);
  }
}

__global__ void scale(const int *from, int *to, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) to[i] = 3 * from[i];
}

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

enum Mode { PLAIN, EVENTS, CLOCK, READ_BESIDE };
static const char *NAMES[] = {"no events", "events", "begin beside", "read beside"};

struct Times {
  cudaEvent_t events[4];
};

static std::vector<cudaEvent_t> spare;
static std::deque<Times> pending;
static std::mutex lock;
static cudaEvent_t origin;
static double sum;
static cudaStream_t clockStream;

static cudaEvent_t timed() {
  std::lock_guard<std::mutex> held(lock);
  if (spare.empty()) {
    cudaEvent_t made;
    check(cudaEventCreate(&made));
    return made;
  }
  cudaEvent_t known = spare.back();
  spare.pop_back();
  return known;
}

// Reads what is done, the oldest first.
static void read() {
  for (;;) {
    Times first;
    {
      std::lock_guard<std::mutex> held(lock);
      if (pending.empty()) return;
      first = pending.front();
    }
    float millis[4];
    if (cudaEventElapsedTime(&millis[3], origin, first.events[3]) != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    for (int i = 0; i < 3; i++) check(cudaEventElapsedTime(&millis[i], origin, first.events[i]));
    std::lock_guard<std::mutex> held(lock);
    pending.pop_front();
    for (int i = 0; i < 4; i++) {
      sum += millis[i];
      spare.push_back(first.events[i]);
    }
  }
}

static double run(Mode mode, int chunks, size_t bytes, cudaStream_t *streams, cudaEvent_t *ends, int *x, int *y, char *host) {
  size_t length = bytes / sizeof(int);
  check(cudaEventRecord(origin, streams[0]));
  check(cudaDeviceSynchronize());
  std::atomic<bool> over(false);
  std::thread reader;
  if (mode == READ_BESIDE) {
    reader = std::thread([&over] {
      while (!over) {
        read();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  double begin = seconds();
  for (int i = 0; i < chunks; i++) {
    int at = i % STREAMS;
    cudaStream_t stream = streams[at];
    if (i >= STREAMS) check(cudaEventSynchronize(ends[at]));
    Times times;
    auto mark = [&](int nth) {
      if (mode == PLAIN) return;
      times.events[nth] = timed();
      check(cudaEventRecord(times.events[nth], nth == 0 && mode != EVENTS ? clockStream : stream));
    };
    mark(0);
    check(cudaMemcpyAsync(x + at * length, host + at * bytes, bytes, cudaMemcpyHostToDevice, stream));
    mark(1);
    scale<<<(length + 255) / 256, 256, 0, stream>>>(x + at * length, y + at * length, length);
    mark(2);
    check(cudaMemcpyAsync(host + (STREAMS + at) * bytes, y + at * length, bytes, cudaMemcpyDeviceToHost, stream));
    mark(3);
    check(cudaEventRecord(ends[at], stream));
    if (mode != PLAIN) {
      std::lock_guard<std::mutex> held(lock);
      pending.push_back(times);
    }
  }
  check(cudaDeviceSynchronize());
  double taken = seconds() - begin;
  over = true;
  if (reader.joinable()) reader.join();
  read();
  return taken;
}

int main(int count, char **arguments) {
  size_t bytes = count > 1 ? atol(arguments[1]) : 4096;
  int operations = count > 2 ? atoi(arguments[2]) : 99999;
  cudaStream_t streams[STREAMS];
  cudaEvent_t ends[STREAMS];
  for (auto &stream : streams) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (auto &end : ends) check(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  check(cudaEventCreate(&origin));
  check(cudaStreamCreateWithFlags(&clockStream, cudaStreamNonBlocking));
  int *x, *y;
  char *host;
  check(cudaMalloc(&x, STREAMS * bytes));
  check(cudaMalloc(&y, STREAMS * bytes));
  check(cudaHostAlloc((void **)&host, 2 * STREAMS * bytes, cudaHostAllocPortable));
  run(PLAIN, 1000, bytes, streams, ends, x, y, host);
  for (int mode = PLAIN; mode <= READ_BESIDE; mode++) {
    double taken = run((Mode)mode, operations / 3, bytes, streams, ends, x, y, host);
    printf("C++ %8zu bytes, %-12s %.4f s\n", bytes, NAMES[mode], taken);
  }
}
