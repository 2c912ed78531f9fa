// The C++ side of Stretto's benchmarks between devices. The Java side prints lines of the same names from the same
// jobs; only off-hand-one and off-hand-both have no other side, being what C++ can do where it may not do peer copies.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o peers peers.cu && ./peers [name…]
//
// Each line on standard output is one JSON object; a benchmark that fails prints its error in one. GB/s are 1e9 bytes
// of payload a second, both ways counted. A sample is one run of the job, the first is thrown away, and the median of
// the others is printed. Before a sample its destinations are overwritten, and after it every byte of them is compared,
// on the device that holds them; latencies are checked so before and after their samples. With access enabled, a pair's
// copies and `overlap` are timed by device events, on streams that a gate holds until all the work is enqueued, as
// nvbandwidth does. The host's clock times the rest: two devices' clocks differ, and the driver's staging is no work
// that a stream can be trusted to take in whole while it is held.
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr size_t kMiB = 1 << 20;
constexpr size_t kBytes = 1024 * kMiB;        // of every copy between a pair
constexpr size_t kSmallBytes = 4096;          // of a copy whose latency is measured
constexpr size_t kExchangeBytes = 256 * kMiB;  // from each device to each other
constexpr size_t kBroadcastBytes = 4096 * kMiB;
constexpr size_t kBroadcastChunk = 16 * kMiB;
constexpr size_t kSlotBytes = 4 * kMiB;  // with kSlots, the best both ways of what was tried on two H200s
constexpr int kSlots = 3;
constexpr int kSamples = 9;
constexpr int kLatencySamples = 2000;
constexpr int kLatencyWarmUps = 200;
constexpr int kBusyThreads = 256;
constexpr int kBusyBlocks = 8;  // a multiprocessor, which holds 2048 threads
constexpr double kBusySeconds = 5e-3;

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

// ---- What the benchmarks hold

/** Makes a device this thread's: allocations, launches and new streams and events are its own. */
void use(int device) { CHECK(cudaSetDevice(device)); }

int deviceCount() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  return count;
}

class Stream {
 public:
  explicit Stream(int device) {
    use(device);
    CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
};

/** May be recorded on streams of its device only, and be waited for on any. */
class Event {
 public:
  explicit Event(int device, unsigned flags = cudaEventDisableTiming) {
    use(device);
    CHECK(cudaEventCreateWithFlags(&event_, flags));
  }
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

/** Access of one device to another's memory, while this lives. */
class Access {
 public:
  Access(int from, int to) : from_(from), to_(to) {
    int possible = 0;
    CHECK(cudaDeviceCanAccessPeer(&possible, from, to));
    if (!possible) {
      throw std::runtime_error("device " + std::to_string(from) + " cannot access device " + std::to_string(to));
    }
    use(from);
    CHECK(cudaDeviceEnablePeerAccess(to, 0));
  }
  ~Access() {
    if (cudaSetDevice(from_) == cudaSuccess) cudaDeviceDisablePeerAccess(to_);
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

 private:
  int from_, to_;
};

/** Access of each of the first `count` devices to each other one. */
std::deque<Access> accessAmong(int count) {
  std::deque<Access> all;
  for (int from = 0; from < count; from++) {
    for (int to = 0; to < count; to++) {
      if (from != to) all.emplace_back(from, to);
    }
  }
  return all;
}

struct FreePinned { void operator()(void* p) const { cudaFreeHost(p); } };
struct FreeDevice { void operator()(void* p) const { cudaFree(p); } };
using Pinned = std::unique_ptr<uint64_t[], FreePinned>;
using OnDevice = std::unique_ptr<uint64_t[], FreeDevice>;

Pinned pinned(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaHostAlloc(&p, bytes, cudaHostAllocPortable));
  return Pinned(static_cast<uint64_t*>(p));
}

OnDevice onDevice(int device, size_t bytes) {
  void* p = nullptr;
  use(device);
  CHECK(cudaMalloc(&p, bytes));
  return OnDevice(static_cast<uint64_t*>(p));
}

// ---- Patterns, made and compared on the devices

__device__ uint64_t pattern(uint64_t index, uint64_t seed) {
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

void requireNoneWrong(unsigned long long wrong, int device) {
  if (wrong != 0) throw std::runtime_error(std::to_string(wrong) + " wrong words on device " + std::to_string(device));
}

/** A part of one device's memory, with what is to be found there. */
struct Words {
  int device;
  OnDevice memory;
  size_t bytes;
  uint64_t seed;

  Words(int device, size_t bytes, uint64_t seed)
      : device(device), memory(onDevice(device, bytes)), bytes(bytes), seed(seed) {}

  uint64_t* at(size_t offset = 0) const { return memory.get() + offset / 8; }

  void fill() const {
    use(device);
    fillKernel<<<1024, 256>>>(at(), bytes / 8, seed);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
  }

  void poison() const {
    use(device);
    CHECK(cudaMemset(at(), 0xA5, bytes));
    CHECK(cudaDeviceSynchronize());
  }

  void compare() const {
    const OnDevice wrong = onDevice(device, 8);
    CHECK(cudaMemset(wrong.get(), 0, 8));
    compareKernel<<<1024, 256>>>(at(), bytes / 8, seed, reinterpret_cast<unsigned long long*>(wrong.get()));
    CHECK(cudaGetLastError());
    unsigned long long found = 0;
    CHECK(cudaMemcpy(&found, wrong.get(), 8, cudaMemcpyDeviceToHost));
    requireNoneWrong(found, device);
  }
};

/** A pattern on one device and the place for it on another. */
struct Transfer {
  Words src, dst;

  Transfer(int from, int to, size_t bytes, uint64_t seed) : src(from, bytes, seed), dst(to, bytes, seed) {
    src.fill();
  }

  void enqueue(cudaStream_t stream) const {
    CHECK(cudaMemcpyPeerAsync(dst.at(), dst.device, src.at(), src.device, src.bytes, stream));
  }
};

// ---- Work that keeps a device busy

/** Integers, so that the host can tell the result exactly, and steps that no compiler can fold into one. */
__host__ __device__ uint32_t scramble(uint32_t x, int steps) {
  for (int i = 0; i < steps; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

__global__ void busyKernel(uint32_t* results, int steps) {
  results[blockIdx.x * blockDim.x + threadIdx.x] = scramble(threadIdx.x + 1, steps);
}

/** As many threads as a device holds at once, each in its registers up to the one word that it writes. */
class Busy {
 public:
  explicit Busy(int device) : device_(device) {
    int multiprocessors = 0;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    blocks_ = multiprocessors * kBusyBlocks;
    results_ = onDevice(device, bytes());
  }

  void enqueue(cudaStream_t stream, int steps) const {
    busyKernel<<<blocks_, kBusyThreads, 0, stream>>>(results(), steps);
    CHECK(cudaGetLastError());
  }

  void poison() const {
    use(device_);
    CHECK(cudaMemset(results(), 0, bytes()));  // which no scrambling ends in
    CHECK(cudaDeviceSynchronize());
  }

  void compare(const std::vector<uint32_t>& expected) const {
    std::vector<uint32_t> found(bytes() / 4);
    use(device_);
    CHECK(cudaMemcpy(found.data(), results(), bytes(), cudaMemcpyDeviceToHost));
    unsigned long long wrong = 0;
    for (size_t i = 0; i < found.size(); i++) wrong += found[i] != expected[i % kBusyThreads];
    requireNoneWrong(wrong, device_);
  }

 private:
  uint32_t* results() const { return reinterpret_cast<uint32_t*>(results_.get()); }
  size_t bytes() const { return static_cast<size_t>(blocks_) * kBusyThreads * 4; }

  int device_, blocks_;
  OnDevice results_;
};

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
  explicit Gate(int device) : device_(device) { *flag() = 0; }
  ~Gate() {
    open();
    if (cudaSetDevice(device_) == cudaSuccess) cudaDeviceSynchronize();
  }
  void hold(cudaStream_t stream) {
    use(device_);
    spinKernel<<<1, 1, 0, stream>>>(open_.get());
    CHECK(cudaGetLastError());
  }
  void open() { *flag() = 1; }

 private:
  volatile uint64_t* flag() { return open_.get(); }
  int device_;
  Pinned open_ = pinned(8);
};

struct Job {
  int device;  // whose stream it is enqueued on
  std::function<void(cudaStream_t)> enqueue;
};

/**
 * Seconds from the common start of jobs, each on a stream of its own, to the end of the last one. The first job's
 * device takes the time: its stream is held until everything is enqueued, and the others wait for it.
 */
double gatedSeconds(const std::vector<Job>& jobs) {
  const int clock = jobs[0].device;
  std::deque<Stream> streams;
  std::deque<Event> done;
  for (const Job& job : jobs) {
    streams.emplace_back(job.device);
    done.emplace_back(job.device);
  }
  const Event start(clock, cudaEventDefault), end(clock, cudaEventDefault), started(clock);
  Gate gate(clock);
  gate.hold(streams[0]);
  CHECK(cudaEventRecord(start, streams[0]));
  CHECK(cudaEventRecord(started, streams[0]));
  for (size_t i = 0; i < jobs.size(); i++) {
    if (i > 0) CHECK(cudaStreamWaitEvent(streams[i], started));
    use(jobs[i].device);
    jobs[i].enqueue(streams[i]);
  }
  for (size_t i = 1; i < jobs.size(); i++) {
    CHECK(cudaEventRecord(done[i], streams[i]));
    CHECK(cudaStreamWaitEvent(streams[0], done[i]));
  }
  CHECK(cudaEventRecord(end, streams[0]));
  gate.open();
  streams[0].synchronize();
  return start.secondsTo(end);
}

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/** Host seconds of jobs that each have a thread, the first one this. */
double threadedSeconds(const std::vector<std::function<void()>>& jobs) {
  const auto start = Clock::now();
  std::vector<std::future<void>> others;
  for (size_t i = 1; i < jobs.size(); i++) others.push_back(std::async(std::launch::async, jobs[i]));
  jobs[0]();
  for (std::future<void>& other : others) other.get();
  return secondsSince(start);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/** Runs `sample` once to warm up and then kSamples times; the median of what it returns. */
double medianOf(const std::function<double()>& sample) {
  std::vector<double> values;
  sample();
  for (int i = 0; i < kSamples; i++) values.push_back(sample());
  return median(values);
}

/** The median seconds of copies, all of them verified each time. */
double verifiedSeconds(const std::vector<const Words*>& destinations, const std::function<double()>& sample) {
  return medianOf([&] {
    for (const Words* words : destinations) words->poison();
    const double seconds = sample();
    for (const Words* words : destinations) words->compare();
    return seconds;
  });
}

void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

double rate(size_t bytes, double seconds) { return bytes / seconds * 1e-9; }

void printThroughput(const char* bench, size_t bytes, double seconds) {
  print("{\"bench\":\"%s\",\"bytes\":%zu,\"gigabytesPerSecond\":%.3f}", bench, bytes, rate(bytes, seconds));
}

/** A way to do the same thing, and its figure. */
struct Way {
  const char* name;
  double figure;
};

bool less(const Way& a, const Way& b) { return a.figure < b.figure; }

/** The best of several ways, so that Stretto is never compared with a clumsy one, and all of them beside it. */
void printBest(const char* bench, size_t bytes, const char* unit, const Way& best, const std::vector<Way>& ways) {
  std::string all;
  for (const Way& way : ways) {
    char field[96];
    snprintf(field, sizeof field, "%s\"%s\":%.3f", all.empty() ? "" : ",", way.name, way.figure);
    all += field;
  }
  print("{\"bench\":\"%s\",\"bytes\":%zu,\"%s\":%.3f,\"way\":\"%s\",\"ways\":{%s}}", bench, bytes, unit, best.figure,
        best.name, all.c_str());
}

// ---- The benchmarks

void oneWayWithAccess(const char* bench, int streamOf) {
  const auto access = accessAmong(2);
  const Transfer there(0, 1, kBytes, 1);
  const double seconds = verifiedSeconds({&there.dst}, [&] {
    return gatedSeconds({{streamOf, [&](cudaStream_t s) { there.enqueue(s); }}});
  });
  printThroughput(bench, kBytes, seconds);
}

void peerOne() { oneWayWithAccess("peer-one", 0); }

void peerRead() { oneWayWithAccess("peer-read", 1); }

void peerBoth() {
  const auto access = accessAmong(2);
  const Transfer there(0, 1, kBytes, 2), back(1, 0, kBytes, 3);
  const double seconds = verifiedSeconds({&there.dst, &back.dst}, [&] {
    return gatedSeconds({{0, [&](cudaStream_t s) { there.enqueue(s); }},
                         {1, [&](cudaStream_t s) { back.enqueue(s); }}});
  });
  printThroughput("peer-both", 2 * kBytes, seconds);
}

/** The driver's own staging. */
void offOne() {
  const Transfer there(0, 1, kBytes, 4);
  const Stream stream(0);
  const double seconds = verifiedSeconds({&there.dst}, [&] {
    use(0);
    const auto start = Clock::now();
    there.enqueue(stream);
    stream.synchronize();
    return secondsSince(start);
  });
  printThroughput("off-one", kBytes, seconds);
}

/** From one thread and from two: a call that stages may keep its thread, and with it the other direction, waiting. */
void offBoth() {
  const Transfer there(0, 1, kBytes, 5), back(1, 0, kBytes, 6);
  const Stream stream0(0), stream1(1);
  const double one = verifiedSeconds({&there.dst, &back.dst}, [&] {
    use(0);
    const auto start = Clock::now();
    there.enqueue(stream0);
    back.enqueue(stream1);
    stream0.synchronize();
    stream1.synchronize();
    return secondsSince(start);
  });
  const auto whole = [](const Transfer& transfer, const Stream& stream) {
    return [&transfer, &stream] {
      use(transfer.src.device);
      transfer.enqueue(stream);
      stream.synchronize();
    };
  };
  const double two = verifiedSeconds({&there.dst, &back.dst}, [&] {
    return threadedSeconds({whole(there, stream0), whole(back, stream1)});
  });
  const std::vector<Way> ways = {{"one-thread", rate(2 * kBytes, one)}, {"two-threads", rate(2 * kBytes, two)}};
  printBest("off-both", 2 * kBytes, "gigabytesPerSecond", *std::max_element(ways.begin(), ways.end(), less), ways);
}

/** Pinned slots between two devices: one direction's staging by hand. */
class Ring {
 public:
  Ring(int from, int to) : from_(from), out_(from), in_(to) {
    for (int i = 0; i < kSlots; i++) {
      slots_.push_back(pinned(kSlotBytes));
      full_.emplace_back(from);
      free_.emplace_back(to);
    }
  }

  /** Copies and waits for the end. */
  void copy(const Transfer& transfer) const {
    use(from_);
    for (size_t offset = 0; offset < transfer.src.bytes; offset += kSlotBytes) {
      const size_t chunk = offset / kSlotBytes, slot = chunk % kSlots;
      const size_t bytes = std::min(kSlotBytes, transfer.src.bytes - offset);
      uint64_t* const staged = slots_[slot].get();
      if (chunk >= kSlots) CHECK(cudaStreamWaitEvent(out_, free_[slot]));
      CHECK(cudaMemcpyAsync(staged, transfer.src.at(offset), bytes, cudaMemcpyDeviceToHost, out_));
      CHECK(cudaEventRecord(full_[slot], out_));
      CHECK(cudaStreamWaitEvent(in_, full_[slot]));
      CHECK(cudaMemcpyAsync(transfer.dst.at(offset), staged, bytes, cudaMemcpyHostToDevice, in_));
      CHECK(cudaEventRecord(free_[slot], in_));
    }
    in_.synchronize();
  }

 private:
  int from_;
  Stream out_, in_;
  std::vector<Pinned> slots_;
  std::deque<Event> full_, free_;
};

void offHandOne() {
  const Transfer there(0, 1, kBytes, 7);
  const Ring ring(0, 1);
  const double seconds = verifiedSeconds({&there.dst}, [&] {
    const auto start = Clock::now();
    ring.copy(there);
    return secondsSince(start);
  });
  printThroughput("off-hand-one", kBytes, seconds);
}

void offHandBoth() {
  const Transfer there(0, 1, kBytes, 8), back(1, 0, kBytes, 9);
  const Ring ringThere(0, 1), ringBack(1, 0);
  const double seconds = verifiedSeconds({&there.dst, &back.dst}, [&] {
    return threadedSeconds({[&] { ringThere.copy(there); }, [&] { ringBack.copy(back); }});
  });
  printThroughput("off-hand-both", 2 * kBytes, seconds);
}

/** The host's median microseconds of an operation that ends with the copy, enqueued by a thread that uses `device`. */
double microseconds(const Transfer& transfer, int device, const std::function<void()>& operation) {
  const auto verified = [&] {
    transfer.dst.poison();
    use(device);
    operation();
    transfer.dst.compare();
    use(device);
  };
  verified();
  std::vector<double> values;
  for (int i = -kLatencyWarmUps; i < kLatencySamples; i++) {
    const auto start = Clock::now();
    operation();
    const double t = secondsSince(start) * 1e6;
    if (i >= 0) values.push_back(t);
  }
  verified();
  return median(values);
}

void printLatency(const char* bench) {
  const Transfer there(0, 1, kSmallBytes, 10);
  const Stream out(0), in(1);
  const Event staged(0);
  const Pinned slot = pinned(kSmallBytes);
  const auto fromSource = [&] {
    there.enqueue(out);
    out.synchronize();
  };
  const auto fromDestination = [&] {
    there.enqueue(in);
    in.synchronize();
  };
  const auto byAddress = [&] {
    CHECK(cudaMemcpyAsync(there.dst.at(), there.src.at(), kSmallBytes, cudaMemcpyDefault, out));
    out.synchronize();
  };
  const auto stagedByEvent = [&] {
    CHECK(cudaMemcpyAsync(slot.get(), there.src.at(), kSmallBytes, cudaMemcpyDeviceToHost, out));
    CHECK(cudaEventRecord(staged, out));
    CHECK(cudaStreamWaitEvent(in, staged));
    CHECK(cudaMemcpyAsync(there.dst.at(), slot.get(), kSmallBytes, cudaMemcpyHostToDevice, in));
    in.synchronize();
  };
  const auto stagedByHost = [&] {
    CHECK(cudaMemcpyAsync(slot.get(), there.src.at(), kSmallBytes, cudaMemcpyDeviceToHost, out));
    out.synchronize();
    CHECK(cudaMemcpyAsync(there.dst.at(), slot.get(), kSmallBytes, cudaMemcpyHostToDevice, in));
    in.synchronize();
  };
  const std::vector<Way> ways = {
      {"source-stream", microseconds(there, 0, fromSource)},
      {"destination-stream", microseconds(there, 1, fromDestination)},
      {"default", microseconds(there, 0, byAddress)},
      {"staged-event", microseconds(there, 0, stagedByEvent)},
      {"staged-host", microseconds(there, 0, stagedByHost)},
  };
  printBest(bench, kSmallBytes, "microseconds", *std::min_element(ways.begin(), ways.end(), less), ways);
}

void latencyOn() {
  const auto access = accessAmong(2);
  printLatency("latency-on");
}

void latencyOff() { printLatency("latency-off"); }

void allToAll() {
  const int count = deviceCount();
  const auto access = accessAmong(count);
  std::deque<Transfer> transfers;
  std::deque<Stream> streams;
  std::vector<const Words*> destinations;
  // By distance, so that the first copies enqueued already meet in no device.
  for (int distance = 1; distance < count; distance++) {
    for (int from = 0; from < count; from++) {
      transfers.emplace_back(from, (from + distance) % count, kExchangeBytes, 100 + transfers.size());
      streams.emplace_back(from);
      destinations.push_back(&transfers.back().dst);
    }
  }
  const double seconds = verifiedSeconds(destinations, [&] {
    const auto start = Clock::now();
    for (size_t i = 0; i < transfers.size(); i++) transfers[i].enqueue(streams[i]);
    for (const Stream& stream : streams) stream.synchronize();
    return secondsSince(start);
  });
  const size_t bytes = transfers.size() * kExchangeBytes;
  print("{\"bench\":\"all-to-all\",\"devices\":%d,\"bytes\":%zu,\"gigabytesPerSecond\":%.3f}", count, bytes,
        rate(bytes, seconds));
}

/** What of kBroadcastBytes, halved as often as need be, every device has room for. */
size_t broadcastBytes(int count) {
  size_t bytes = kBroadcastBytes;
  for (int device = 0; device < count; device++) {
    size_t free = 0, total = 0;
    use(device);
    CHECK(cudaMemGetInfo(&free, &total));
    while (bytes > kBroadcastChunk && bytes > free / 10 * 9) bytes /= 2;
  }
  return bytes;
}

void chainBroadcast() {
  const int count = deviceCount();
  const auto access = accessAmong(count);
  const size_t bytes = broadcastBytes(count);
  std::deque<Words> copies;
  std::deque<Stream> links;  // link i leads from device i to the next one
  std::deque<Event> arrived;
  std::vector<const Words*> destinations;
  for (int device = 0; device < count; device++) {
    copies.emplace_back(device, bytes, 11);
    if (device > 0) destinations.push_back(&copies.back());
    if (device + 1 < count) {
      links.emplace_back(device);
      arrived.emplace_back(device);
    }
  }
  copies[0].fill();
  const double seconds = verifiedSeconds(destinations, [&] {
    const auto start = Clock::now();
    for (size_t offset = 0; offset < bytes; offset += kBroadcastChunk) {
      for (size_t i = 0; i < links.size(); i++) {
        // One event a link is enough: a wait is for the record before it, whatever is recorded later.
        if (i > 0) CHECK(cudaStreamWaitEvent(links[i], arrived[i - 1]));
        CHECK(cudaMemcpyPeerAsync(copies[i + 1].at(offset), static_cast<int>(i + 1), copies[i].at(offset),
                                  static_cast<int>(i), std::min(kBroadcastChunk, bytes - offset), links[i]));
        CHECK(cudaEventRecord(arrived[i], links[i]));
      }
    }
    for (const Stream& link : links) link.synchronize();
    return secondsSince(start);
  });
  print("{\"bench\":\"chain-broadcast\",\"devices\":%d,\"bytes\":%zu,\"chunkBytes\":%zu,\"gigabytesPerSecond\":%.3f}",
        count, bytes, kBroadcastChunk, rate(bytes, seconds));
}

/** How many steps keep a device busy for kBusySeconds. */
int busySteps(const Busy& busy) {
  constexpr int steps = 20000;
  const double seconds = medianOf([&] {
    return gatedSeconds({{0, [&](cudaStream_t s) { busy.enqueue(s, steps); }}});
  });
  return static_cast<int>(steps * kBusySeconds / seconds);
}

void overlap() {
  const auto access = accessAmong(2);
  const Transfer there(0, 1, kBytes, 12), back(1, 0, kBytes, 13);
  const Busy busy0(0), busy1(1);
  const int steps = busySteps(busy0);
  std::vector<uint32_t> results;
  for (uint32_t i = 1; i <= kBusyThreads; i++) results.push_back(scramble(i, steps));

  const std::vector<Job> kernelJobs = {{0, [&](cudaStream_t s) { busy0.enqueue(s, steps); }},
                                       {1, [&](cudaStream_t s) { busy1.enqueue(s, steps); }}};
  const std::vector<Job> copyJobs = {{0, [&](cudaStream_t s) { there.enqueue(s); }},
                                     {1, [&](cudaStream_t s) { back.enqueue(s); }}};
  std::vector<Job> allJobs = kernelJobs;
  allJobs.insert(allJobs.end(), copyJobs.begin(), copyJobs.end());

  const auto withKernels = [&](const std::vector<Job>& jobs) {
    busy0.poison();
    busy1.poison();
    const double seconds = gatedSeconds(jobs);
    busy0.compare(results);
    busy1.compare(results);
    return seconds;
  };
  const double kernels = medianOf([&] { return withKernels(kernelJobs); });
  const double copies = verifiedSeconds({&there.dst, &back.dst}, [&] { return gatedSeconds(copyJobs); });
  const double together = verifiedSeconds({&there.dst, &back.dst}, [&] { return withKernels(allJobs); });
  print("{\"bench\":\"overlap\",\"bytes\":%zu,\"kernelsMilliseconds\":%.4f,\"copiesMilliseconds\":%.4f,"
        "\"togetherMilliseconds\":%.4f,\"hidden\":%.4f}",
        2 * kBytes, kernels * 1e3, copies * 1e3, together * 1e3, (kernels + copies - together) / copies);
}

// ---- Running them

struct Benchmark {
  const char* name;
  void (*run)();
};

const Benchmark kBenchmarks[] = {
    {"peer-one", peerOne},          {"peer-both", peerBoth},
    {"peer-read", peerRead},        {"off-one", offOne},
    {"off-both", offBoth},          {"off-hand-one", offHandOne},
    {"off-hand-both", offHandBoth}, {"latency-on", latencyOn},
    {"latency-off", latencyOff},    {"all-to-all", allToAll},
    {"overlap", overlap},           {"chain-broadcast", chainBroadcast},
};

void printError(const std::string& name, const char* what) {
  std::string text;
  for (const char* c = what; *c != 0; c++) {
    if (*c == '"' || *c == '\\') text += '\\';
    text += static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
  }
  print("{\"bench\":\"%s\",\"error\":\"%s\"}", name.c_str(), text.c_str());
}

/** Code is loaded at a kernel's first launch, which would wait behind a closed gate: launches each one on the pair. */
void loadKernels() {
  for (int device = 0; device < 2; device++) {
    const Words words(device, 64, 1);
    words.fill();
    words.compare();
    Busy(device).enqueue(nullptr, 1);
    CHECK(cudaDeviceSynchronize());
    gatedSeconds({{device, [](cudaStream_t) {}}});
  }
}

void prepare() {
  const int count = deviceCount();
  if (count < 2) throw std::runtime_error("two devices are needed, and there is " + std::to_string(count));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  fprintf(stderr, "%d devices, the first one %s, driver API %d, runtime %d\n", count, properties.name, driver, runtime);
  loadKernels();
}

/** Whether it went well. */
bool run(const Benchmark& benchmark) {
  try {
    benchmark.run();
    return true;
  } catch (const std::exception& failure) {
    cudaGetLastError();  // so that the next benchmark's first launch does not find this one's failure
    printError(benchmark.name, failure.what());
    return false;
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> names(arguments + 1, arguments + count);
  bool well = true;
  for (const std::string& name : names) {
    if (std::none_of(std::begin(kBenchmarks), std::end(kBenchmarks),
                     [&](const Benchmark& b) { return name == b.name; })) {
      printError(name, "no such benchmark");
      well = false;
    }
  }
  try {
    prepare();
  } catch (const std::exception& failure) {
    fprintf(stderr, "peers: %s\n", failure.what());
    return 1;
  }
  for (const Benchmark& benchmark : kBenchmarks) {
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end()) {
      well = run(benchmark) && well;
    }
  }
  return well ? 0 : 1;
}
