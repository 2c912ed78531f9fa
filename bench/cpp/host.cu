// The C++ side of Stretto's host benchmarks. The Java side prints lines of the same names from the same jobs.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o host host.cu && ./host [name…]
//
// Each line on standard output is one JSON object. GB/s are 1e9 bytes of payload a second; a sample is one run of
// the job, the first is thrown away, and the median of the others is printed. Before a sample of a copy its
// destination is overwritten, and after it every byte of the destination is compared. Pinned copies and the kernel
// alone are timed by device events, on streams that a gate holds until all the work is enqueued, as nvbandwidth does.
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "chacha20.cuh"

namespace {

constexpr size_t kMiB = 1 << 20;
constexpr size_t kBytes = 1024 * kMiB;     // of every large copy
constexpr size_t kKernelBytes = 256 * kMiB;  // several times the L2 cache
constexpr int kSamples = 9;
constexpr int kBatches = 60;
constexpr int kOperations = 500;  // in a batch; they fit in a stream's launch queue
constexpr int kFlowStreams = 4;
constexpr ChaCha20Key kKey = {{0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918,
                               0x1f1e1d1c},
                              {0, 0x4a000000, 0}};

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

// ---- What the benchmarks hold

class Stream {
 public:
  Stream() { CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault) { CHECK(cudaEventCreateWithFlags(&event_, flags)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }
  double secondsTo(const Event& end) const {
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, event_, end.event_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_;
};

struct FreePinned { void operator()(void* p) const { cudaFreeHost(p); } };
struct FreeDevice { void operator()(void* p) const { cudaFree(p); } };
struct FreeOrdinary { void operator()(void* p) const { free(p); } };
using Pinned = std::unique_ptr<uint64_t[], FreePinned>;
using OnDevice = std::unique_ptr<uint64_t[], FreeDevice>;
using Ordinary = std::unique_ptr<uint64_t[], FreeOrdinary>;

Pinned pinned(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaMallocHost(&p, bytes));
  return Pinned(static_cast<uint64_t*>(p));
}

OnDevice onDevice(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, bytes));
  return OnDevice(static_cast<uint64_t*>(p));
}

Ordinary ordinary(size_t bytes) {
  void* p = malloc(bytes);
  if (p == nullptr) throw std::bad_alloc();
  return Ordinary(static_cast<uint64_t*>(p));
}

// ---- Patterns, made and compared on both sides

__host__ __device__ uint64_t pattern(uint64_t index, uint64_t seed) {
  uint64_t x = (index + 1) * 0x9E3779B97F4A7C15ull + seed * 0xD1B54A32D192ED03ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 32;
}

__global__ void fillKernel(uint64_t* words, size_t count, uint64_t seed) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    words[i] = pattern(i, seed);
  }
}

__global__ void compareKernel(const uint64_t* words, size_t count, uint64_t seed, unsigned long long* wrong) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    if (words[i] != pattern(i, seed)) atomicAdd(wrong, 1ull);
  }
}

void requireNoneWrong(unsigned long long wrong, const char* where) {
  if (wrong != 0) throw std::runtime_error(std::to_string(wrong) + " wrong words on the " + where);
}

void fillDevice(uint64_t* words, size_t bytes, uint64_t seed) {
  fillKernel<<<1024, 256>>>(words, bytes / 8, seed);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

void compareDevice(const uint64_t* words, size_t bytes, uint64_t seed) {
  const OnDevice wrong = onDevice(8);
  CHECK(cudaMemset(wrong.get(), 0, 8));
  compareKernel<<<1024, 256>>>(words, bytes / 8, seed, reinterpret_cast<unsigned long long*>(wrong.get()));
  CHECK(cudaGetLastError());
  unsigned long long found = 0;
  CHECK(cudaMemcpy(&found, wrong.get(), 8, cudaMemcpyDeviceToHost));
  requireNoneWrong(found, "device");
}

/** Splits [0, count) over the cores, in multiples of 8; returns the sum of what the parts return. */
unsigned long long onAllCores(size_t count, const std::function<unsigned long long(size_t, size_t)>& part) {
  const size_t threads = std::max(1u, std::thread::hardware_concurrency());
  const size_t share = (count / threads / 8 + 1) * 8;
  std::vector<unsigned long long> sums(threads);
  std::vector<std::thread> running;
  for (size_t t = 0; t < threads; t++) {
    running.emplace_back([&, t] {
      const size_t from = std::min(count, t * share);
      sums[t] = part(from, std::min(count, from + share));
    });
  }
  unsigned long long sum = 0;
  for (size_t t = 0; t < threads; t++) {
    running[t].join();
    sum += sums[t];
  }
  return sum;
}

void fillHost(uint64_t* words, size_t bytes, uint64_t seed) {
  onAllCores(bytes / 8, [=](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) words[i] = pattern(i, seed);
    return 0ull;
  });
}

void compareHost(const uint64_t* words, size_t bytes, uint64_t seed) {
  const auto wrong = onAllCores(bytes / 8, [=](size_t from, size_t to) {
    unsigned long long found = 0;
    for (size_t i = from; i < to; i++) found += words[i] != pattern(i, seed);
    return found;
  });
  requireNoneWrong(wrong, "host");
}

/** Compares with the pattern encrypted by the CPU, the counter of the first block being 1. */
void compareEncrypted(const uint64_t* words, size_t bytes, uint64_t seed) {
  const auto wrong = onAllCores(bytes / 8, [=](size_t from, size_t to) {
    unsigned long long found = 0;
    for (size_t i = from; i < to; i += 8) {
      uint32_t keyStream[16];
      chacha20KeyStream(kKey, static_cast<uint32_t>(1 + i / 8), keyStream);
      for (size_t j = 0; j < 8; j++) {
        const uint64_t key = keyStream[2 * j] | static_cast<uint64_t>(keyStream[2 * j + 1]) << 32;
        found += words[i + j] != (pattern(i + j, seed) ^ key);
      }
    }
    return found;
  });
  requireNoneWrong(wrong, "host, encrypted");
}

void poisonHost(uint64_t* words, size_t bytes) {
  onAllCores(bytes / 8, [=](size_t from, size_t to) {
    memset(words + from, 0xA5, (to - from) * 8);
    return 0ull;
  });
}

void poisonDevice(uint64_t* words, size_t bytes) {
  CHECK(cudaMemset(words, 0xA5, bytes));
  CHECK(cudaDeviceSynchronize());
}

// ---- Timing and printing

/** Spins until the host opens the gate, or for ten seconds. */
__global__ void spinKernel(const volatile uint64_t* open) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (*open == 0 && now - start < 10'000'000'000ull);
}

class Gate {
 public:
  Gate() { *flag() = 0; }
  ~Gate() { open(); cudaDeviceSynchronize(); }
  void hold(cudaStream_t stream) {
    spinKernel<<<1, 1, 0, stream>>>(open_.get());
    CHECK(cudaGetLastError());
  }
  void open() { *flag() = 1; }

 private:
  volatile uint64_t* flag() { return open_.get(); }
  Pinned open_ = pinned(8);
};

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/** Runs `sample(i)` once to warm up and then kSamples times; the median of what it returns. */
double medianOf(const std::function<double(int)>& sample) {
  std::vector<double> values;
  sample(0);
  for (int i = 1; i <= kSamples; i++) values.push_back(sample(i));
  return median(values);
}

void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

void printThroughput(const char* bench, size_t bytes, double seconds) {
  print("{\"bench\":\"%s\",\"bytes\":%zu,\"gigabytesPerSecond\":%.3f}", bench, bytes, bytes / seconds * 1e-9);
}

// ---- The benchmarks

/** Seconds of device time that `enqueue(stream)` takes on a stream held until everything is enqueued. */
double gatedSeconds(const std::function<void(cudaStream_t)>& enqueue) {
  const Stream stream;
  const Event start, end;
  Gate gate;
  gate.hold(stream);
  CHECK(cudaEventRecord(start, stream));
  enqueue(stream);
  CHECK(cudaEventRecord(end, stream));
  gate.open();
  stream.synchronize();
  return start.secondsTo(end);
}

void pinnedHostToDevice() {
  const Pinned src = pinned(kBytes);
  const OnDevice dst = onDevice(kBytes);
  fillHost(src.get(), kBytes, 1);
  const double seconds = medianOf([&](int) {
    poisonDevice(dst.get(), kBytes);
    const double t = gatedSeconds([&](cudaStream_t s) {
      CHECK(cudaMemcpyAsync(dst.get(), src.get(), kBytes, cudaMemcpyHostToDevice, s));
    });
    compareDevice(dst.get(), kBytes, 1);
    return t;
  });
  printThroughput("pinned-h2d", kBytes, seconds);
}

void pinnedDeviceToHost() {
  const OnDevice src = onDevice(kBytes);
  const Pinned dst = pinned(kBytes);
  fillDevice(src.get(), kBytes, 2);
  const double seconds = medianOf([&](int) {
    poisonHost(dst.get(), kBytes);
    const double t = gatedSeconds([&](cudaStream_t s) {
      CHECK(cudaMemcpyAsync(dst.get(), src.get(), kBytes, cudaMemcpyDeviceToHost, s));
    });
    compareHost(dst.get(), kBytes, 2);
    return t;
  });
  printThroughput("pinned-d2h", kBytes, seconds);
}

/** 1 GiB each way at once, from the common start to the later end. */
void pinnedBothWays() {
  const Pinned up = pinned(kBytes), down = pinned(kBytes);
  const OnDevice received = onDevice(kBytes), sent = onDevice(kBytes);
  fillHost(up.get(), kBytes, 3);
  fillDevice(sent.get(), kBytes, 4);
  const Stream other;
  const Event started(cudaEventDisableTiming), otherDone(cudaEventDisableTiming);
  const double seconds = medianOf([&](int) {
    poisonDevice(received.get(), kBytes);
    poisonHost(down.get(), kBytes);
    const double t = gatedSeconds([&](cudaStream_t s) {
      CHECK(cudaEventRecord(started, s));
      CHECK(cudaStreamWaitEvent(other, started));
      CHECK(cudaMemcpyAsync(received.get(), up.get(), kBytes, cudaMemcpyHostToDevice, s));
      CHECK(cudaMemcpyAsync(down.get(), sent.get(), kBytes, cudaMemcpyDeviceToHost, other));
      CHECK(cudaEventRecord(otherDone, other));
      CHECK(cudaStreamWaitEvent(s, otherDone));
    });
    compareDevice(received.get(), kBytes, 3);
    compareHost(down.get(), kBytes, 4);
    return t;
  });
  printThroughput("pinned-both", 2 * kBytes, seconds);
}

/** Host time of one `operation`, over batches of kOperations with `drain` between them, outside the time. */
void submit(const char* bench, const std::function<void()>& drain, const std::function<void()>& batch) {
  std::vector<double> nanoseconds;
  for (int i = -5; i < kBatches; i++) {
    drain();
    const auto start = Clock::now();
    batch();
    const double t = secondsSince(start) * 1e9 / kOperations;
    if (i >= 0) nanoseconds.push_back(t);
  }
  drain();
  print("{\"bench\":\"%s\",\"operations\":%d,\"batches\":%d,\"nanosecondsPerOperation\":%.1f}", bench, kOperations,
        kBatches, median(nanoseconds));
}

void submitCopy() {
  const Pinned src = pinned(4096);
  const OnDevice dst = onDevice(4096);
  const Stream stream;
  fillHost(src.get(), 4096, 5);
  submit("submit-copy-4k", [&] { stream.synchronize(); }, [&] {
    for (int i = 0; i < kOperations; i++) {
      CHECK(cudaMemcpyAsync(dst.get(), src.get(), 4096, cudaMemcpyHostToDevice, stream));
    }
  });
  compareDevice(dst.get(), 4096, 5);
}

__global__ void emptyKernel(int, const void*, float) {}

void submitLaunch() {
  const Stream stream;
  int first = 1;
  const void* second = nullptr;
  float third = 3;
  void* arguments[] = {&first, &second, &third};
  submit("submit-launch", [&] { stream.synchronize(); }, [&] {
    for (int i = 0; i < kOperations; i++) {
      CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(emptyKernel), dim3(1), dim3(1), arguments, 0, stream));
    }
  });
}

/** One operation is a record on one stream and a wait for it on the other. */
void submitRecordWait() {
  const Stream a, b;
  const Event event(cudaEventDisableTiming);
  const auto drain = [&] {
    a.synchronize();
    b.synchronize();
  };
  submit("submit-record-wait", drain, [&] {
    for (int i = 0; i < kOperations; i++) {
      CHECK(cudaEventRecord(event, a));
      CHECK(cudaStreamWaitEvent(b, event));
    }
  });
}

/** The same behind a launch, as programs do it. */
void submitLaunchRecordWait() {
  const Stream a, b;
  const Event event(cudaEventDisableTiming);
  int first = 1;
  const void* second = nullptr;
  float third = 3;
  void* arguments[] = {&first, &second, &third};
  const auto drain = [&] {
    a.synchronize();
    b.synchronize();
  };
  submit("submit-launch-record-wait", drain, [&] {
    for (int i = 0; i < kOperations; i++) {
      CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(emptyKernel), dim3(1), dim3(1), arguments, 0, a));
      CHECK(cudaEventRecord(event, a));
      CHECK(cudaStreamWaitEvent(b, event));
    }
  });
}

/** The driver's own path for ordinary memory; host time from the call to the end of the copy. */
void pageableHostToDevice() {
  const Ordinary src = ordinary(kBytes);
  const OnDevice dst = onDevice(kBytes);
  const Stream stream;
  fillHost(src.get(), kBytes, 6);
  const double seconds = medianOf([&](int) {
    poisonDevice(dst.get(), kBytes);
    const auto start = Clock::now();
    CHECK(cudaMemcpyAsync(dst.get(), src.get(), kBytes, cudaMemcpyHostToDevice, stream));
    stream.synchronize();
    const double t = secondsSince(start);
    compareDevice(dst.get(), kBytes, 6);
    return t;
  });
  printThroughput("pageable-h2d", kBytes, seconds);
}

void pageableDeviceToHost() {
  const OnDevice src = onDevice(kBytes);
  const Ordinary dst = ordinary(kBytes);
  const Stream stream;
  fillDevice(src.get(), kBytes, 7);
  const double seconds = medianOf([&](int) {
    poisonHost(dst.get(), kBytes);
    const auto start = Clock::now();
    CHECK(cudaMemcpyAsync(dst.get(), src.get(), kBytes, cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    const double t = secondsSince(start);
    compareHost(dst.get(), kBytes, 7);
    return t;
  });
  printThroughput("pageable-d2h", kBytes, seconds);
}

/** Pinned memory through the kernel and back, chunk i on stream i % 4, each stream with one device buffer. */
void flow() {
  const Pinned src = pinned(kBytes), dst = pinned(kBytes);
  fillHost(src.get(), kBytes, 8);
  const Stream streams[kFlowStreams];
  const Event start, end, finished[kFlowStreams];
  size_t bestChunk = 0;
  double bestWall = 1e9, bestDevice = 1e9;
  for (const size_t chunk : {4 * kMiB, 8 * kMiB, 16 * kMiB}) {
    std::vector<OnDevice> buffers;
    for (int i = 0; i < kFlowStreams; i++) buffers.push_back(onDevice(chunk));
    std::vector<double> device;
    const double wall = medianOf([&](int sample) {
      poisonHost(dst.get(), kBytes);
      CHECK(cudaDeviceSynchronize());
      const auto from = Clock::now();
      CHECK(cudaEventRecord(start, streams[0]));
      for (int i = 1; i < kFlowStreams; i++) CHECK(cudaStreamWaitEvent(streams[i], start));
      for (size_t offset = 0; offset < kBytes; offset += chunk) {
        const size_t lane = offset / chunk % kFlowStreams;
        uint64_t* const buffer = buffers[lane].get();
        CHECK(cudaMemcpyAsync(buffer, src.get() + offset / 8, chunk, cudaMemcpyHostToDevice, streams[lane]));
        CHECK(enqueueChaCha20(buffer, buffer, chunk, kKey, static_cast<uint32_t>(1 + offset / 64), streams[lane]));
        CHECK(cudaMemcpyAsync(dst.get() + offset / 8, buffer, chunk, cudaMemcpyDeviceToHost, streams[lane]));
      }
      for (int i = 1; i < kFlowStreams; i++) {
        CHECK(cudaEventRecord(finished[i], streams[i]));
        CHECK(cudaStreamWaitEvent(streams[0], finished[i]));
      }
      CHECK(cudaEventRecord(end, streams[0]));
      streams[0].synchronize();
      const double t = secondsSince(from);
      if (sample > 0) device.push_back(start.secondsTo(end));
      compareEncrypted(dst.get(), kBytes, 8);
      return t;
    });
    if (wall < bestWall) {
      bestWall = wall;
      bestDevice = median(device);
      bestChunk = chunk;
    }
  }
  print("{\"bench\":\"flow\",\"bytes\":%zu,\"chunkBytes\":%zu,\"streams\":%d,\"gigabytesPerSecond\":%.3f,"
        "\"deviceGigabytesPerSecond\":%.3f}",
        kBytes, bestChunk, kFlowStreams, kBytes / bestWall * 1e-9, kBytes / bestDevice * 1e-9);
}

/** The kernel alone, between two device buffers; the median of samples of ten launches each. */
void chacha20Alone() {
  constexpr int launches = 10;
  const OnDevice src = onDevice(kKernelBytes), dst = onDevice(kKernelBytes);
  const Pinned result = pinned(kKernelBytes);
  fillDevice(src.get(), kKernelBytes, 9);
  CHECK(enqueueChaCha20(src.get(), dst.get(), kKernelBytes, kKey, 1, nullptr));
  const double seconds = medianOf([&](int) {
    poisonDevice(dst.get(), kKernelBytes);
    const double t = gatedSeconds([&](cudaStream_t s) {
      for (int i = 0; i < launches; i++) CHECK(enqueueChaCha20(src.get(), dst.get(), kKernelBytes, kKey, 1, s));
    });
    CHECK(cudaMemcpy(result.get(), dst.get(), kKernelBytes, cudaMemcpyDeviceToHost));
    compareEncrypted(result.get(), kKernelBytes, 9);
    return t / launches;
  });
  printThroughput("chacha20", kKernelBytes, seconds);
}

/** RFC 8439, section 2.4.2: 114 bytes, so that the kernel's tail is checked as well. */
void requireRfc8439() {
  const std::string text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be "
      "it.";
  const unsigned char expected[] = {
      0x6e, 0x2e, 0x35, 0x9a, 0x25, 0x68, 0xf9, 0x80, 0x41, 0xba, 0x07, 0x28, 0xdd, 0x0d, 0x69, 0x81, 0xe9, 0x7e, 0x7a,
      0xec, 0x1d, 0x43, 0x60, 0xc2, 0x0a, 0x27, 0xaf, 0xcc, 0xfd, 0x9f, 0xae, 0x0b, 0xf9, 0x1b, 0x65, 0xc5, 0x52, 0x47,
      0x33, 0xab, 0x8f, 0x59, 0x3d, 0xab, 0xcd, 0x62, 0xb3, 0x57, 0x16, 0x39, 0xd6, 0x24, 0xe6, 0x51, 0x52, 0xab, 0x8f,
      0x53, 0x0c, 0x35, 0x9f, 0x08, 0x61, 0xd8, 0x07, 0xca, 0x0d, 0xbf, 0x50, 0x0d, 0x6a, 0x61, 0x56, 0xa3, 0x8e, 0x08,
      0x8a, 0x22, 0xb6, 0x5e, 0x52, 0xbc, 0x51, 0x4d, 0x16, 0xcc, 0xf8, 0x06, 0x81, 0x8c, 0xe9, 0x1a, 0xb7, 0x79, 0x37,
      0x36, 0x5a, 0xf9, 0x0b, 0xbf, 0x74, 0xa3, 0x5b, 0xe6, 0xb4, 0x0b, 0x8e, 0xed, 0xf2, 0x78, 0x5e, 0x42, 0x87, 0x4d};
  static_assert(sizeof expected == 114, "the RFC's text has 114 bytes");
  const OnDevice buffer = onDevice(sizeof expected);
  unsigned char found[sizeof expected];
  CHECK(cudaMemcpy(buffer.get(), text.data(), sizeof expected, cudaMemcpyHostToDevice));
  CHECK(enqueueChaCha20(buffer.get(), buffer.get(), sizeof expected, kKey, 1, nullptr));
  CHECK(cudaMemcpy(found, buffer.get(), sizeof expected, cudaMemcpyDeviceToHost));
  if (memcmp(found, expected, sizeof expected) != 0) throw std::runtime_error("ChaCha20 is not RFC 8439's");
}

struct Benchmark {
  const char* name;
  void (*run)();
};

const Benchmark kBenchmarks[] = {
    {"pinned-h2d", pinnedHostToDevice},     {"pinned-d2h", pinnedDeviceToHost},
    {"pinned-both", pinnedBothWays},        {"submit-copy-4k", submitCopy},
    {"submit-launch", submitLaunch},        {"submit-record-wait", submitRecordWait},
    {"submit-launch-record-wait", submitLaunchRecordWait},
    {"pageable-h2d", pageableHostToDevice}, {"pageable-d2h", pageableDeviceToHost},
    {"flow", flow},                         {"chacha20", chacha20Alone},
};

void run(const std::vector<std::string>& names) {
  CHECK(cudaSetDevice(0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  fprintf(stderr, "%s, driver API %d, runtime %d\n", properties.name, driver, runtime);
  for (const std::string& name : names) {
    const bool known = std::any_of(std::begin(kBenchmarks), std::end(kBenchmarks),
                                   [&](const Benchmark& b) { return name == b.name; });
    if (!known) throw std::invalid_argument("no such benchmark: " + name);
  }
  // Code is loaded at a kernel's first launch, which would wait behind a closed gate: launch each one here.
  requireRfc8439();
  {
    const OnDevice words = onDevice(64);
    fillDevice(words.get(), 64, 1);
    compareDevice(words.get(), 64, 1);
    gatedSeconds([](cudaStream_t) {});
  }
  for (const Benchmark& benchmark : kBenchmarks) {
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end()) benchmark.run();
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run({arguments + 1, arguments + count});
    return 0;
  } catch (const std::exception& failure) {
    fprintf(stderr, "host: %s\n", failure.what());
    return 1;
  }
}
