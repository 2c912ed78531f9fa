// The C++ half of bench/sweep.sh: every way of copying, filling, allocating, launching and waiting, over sizes, streams
// and threads, as a CUDA programmer writes it. The Java half (dev.stretto.bench.sweep) measures the same rows, with the
// same numbers of operations and the same pieces of memory, which both compute from the same options (Plan).
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o sweep sweep.cu && ./sweep [--sizes 4K,1M,…] [--operations N] [--footprint 1G]
//                                                               [--millis N] [--warm-millis N] [way…]
//
// Each line on standard output is one JSON object: a way, its size, streams and threads, and one of
//   rate  many operations, from the first call until the host knows that the last one is done
//   time  one operation, from its call until the host knows that it is done
//   cost  one call, in batches that do not fill the driver's queue
// The host waits by cudaStreamSynchronize and cudaEventSynchronize with default flags. A figure is the median of samples
// of --millis, three at least. All that is copied and filled is compared, outside of the measured time.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace {

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

constexpr size_t kHostBytes = size_t{256} << 20;  // about so much a sample of a rate moves over the link
constexpr size_t kDeviceBytes = size_t{4} << 30;  // and so much within the device
constexpr int kStreams[] = {1, 4, 16};
constexpr int kThreads[] = {1, 2, 4, 8, 16};
constexpr int kMostStreams = 16;
constexpr int kMostThreadOperations = 1000;
constexpr size_t kSmall = 4096;
constexpr int kCopies = 64;   // of a batch of copies
constexpr int kBatch = 250;   // operations of a cost; they fit into a stream's launch queue
constexpr int kFew = 8;       // graphs, or batches of copies, of a cost
constexpr uint64_t kKeptBytes = 256 << 20;  // free memory that a pool keeps, as Stretto's does

// ---- What is swept

/** Multiples of 1 KiB, such as 4K, 1M and 1G. */
size_t sizeOf(const std::string& text) {
  const std::string units = "KMG";
  const size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  const long count = unit == std::string::npos ? 0 : std::atol(text.c_str());
  if (count <= 0) throw std::invalid_argument("no such size: " + text);
  return static_cast<size_t>(count) << (10 * (unit + 1));
}

struct Plan {
  std::vector<size_t> sizes;
  size_t most = 2000;  // operations of a sample
  size_t footprint = size_t{1} << 30;

  void setSizes(const std::string& text) {
    sizes.clear();
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find(',', at), text.size());
      sizes.push_back(sizeOf(text.substr(at, end - at)));
      at = end + 1;
    }
  }
  int operations(size_t size, int streams, size_t bytes) const {
    const size_t wanted = std::max<size_t>(2, std::min(most, bytes / size));
    return round(std::max<size_t>(streams, wanted));
  }
  int pieces(size_t size, size_t bytes) const {
    const size_t fitting = std::max<size_t>(1, footprint / size);
    return round(std::min<size_t>(fitting, operations(size, kMostStreams, bytes)));
  }
  size_t bytes(size_t budget) const {
    size_t all = 0;
    for (const size_t size : sizes) all = std::max(all, size * pieces(size, budget));
    return all;
  }

 private:
  /** A multiple of every number of streams, or a power of two. */
  static int round(size_t count) {
    if (count >= kMostStreams) return static_cast<int>(count / kMostStreams * kMostStreams);
    int power = 1;
    while (2 * static_cast<size_t>(power) <= count) power *= 2;
    return power;
  }
};

// ---- Measuring

using Clock = std::chrono::steady_clock;

double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Cell {
  std::string way;
  size_t size = 0;
  int streams = 1;
  int threads = 1;
};

class Meter {
 public:
  double rowNanoseconds = 40e6;
  double warmNanoseconds = 20e6;

  void rate(const Cell& cell, int operations, size_t bytes, const std::function<void()>& sample) {
    const double each = median(cell, "rate", timed(sample)) / operations;
    if (bytes == 0) {
      print(cell, "rate", 1e3 / each, "Mop/s", operations);
    } else {
      print(cell, "rate", bytes / each, "GB/s", operations);
    }
  }
  void time(const Cell& cell, const std::function<void()>& operation) { timedItself(cell, timed(operation)); }
  void timedItself(const Cell& cell, const std::function<double()>& operation) {
    print(cell, "time", median(cell, "time", operation) * 1e-3, "us", 1);
  }
  void cost(const Cell& cell, int operations, const std::function<void()>& batch, const std::function<void()>& drain) {
    const auto once = timed(batch);
    const double each = median(cell, "cost", [&] {
      const double took = once();
      drain();
      return took;
    }) / operations;
    print(cell, "cost", each * 1e-3, "us", operations);
  }

 private:
  static std::function<double()> timed(const std::function<void()>& work) {
    return [&work] {
      const auto begin = Clock::now();
      work();
      return nanosecondsSince(begin);
    };
  }

  double median(const Cell& cell, const char* kind, const std::function<double()>& sample) {
    settle(sample, warm_.insert(kind + cell.way).second ? warmNanoseconds : warmNanoseconds / 4);
    std::vector<double> values;
    const auto begin = Clock::now();
    do {
      values.push_back(sample());
    } while (values.size() < 3 || (values.size() < 2000 && nanosecondsSince(begin) < rowNanoseconds));
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
  }

  /** Until the shortest sample has not become shorter for a while. */
  static void settle(const std::function<double()>& sample, double quiet) {
    const auto begin = Clock::now();
    auto since = begin;
    double shortest = 1e18;
    do {
      const double took = sample();
      if (took < shortest * 0.98) {
        shortest = took;
        since = Clock::now();
      }
    } while (nanosecondsSince(since) < quiet && nanosecondsSince(begin) < 6 * quiet);
  }

  static void print(const Cell& cell, const char* kind, double value, const char* unit, int operations) {
    printf("{\"way\":\"%s\",\"size\":%zu,\"streams\":%d,\"threads\":%d,\"kind\":\"%s\",\"value\":%.6g,\"unit\":\"%s\","
           "\"operations\":%d}\n",
           cell.way.c_str(), cell.size, cell.streams, cell.threads, kind, value, unit, operations);
    fflush(stdout);
  }

  std::set<std::string> warm_;
};

Plan plan;
Meter meter;

// ---- What the ways hold

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

class Streams {
 public:
  explicit Streams(int count) {
    for (int i = 0; i < count; i++) streams_.push_back(std::make_unique<Stream>());
  }
  cudaStream_t operator[](size_t i) const { return *streams_[i]; }
  void synchronize() const {
    for (const auto& stream : streams_) stream->synchronize();
  }

 private:
  std::vector<std::unique_ptr<Stream>> streams_;
};

class Event {
 public:
  Event() { CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_;
};

using Memory = std::unique_ptr<char[], std::function<void(char*)>>;

Memory pinned(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaMallocHost(&p, bytes));
  return Memory(static_cast<char*>(p), [](char* q) { cudaFreeHost(q); });
}

Memory onDevice(size_t bytes, int device = 0) {
  void* p = nullptr;
  CHECK(cudaSetDevice(device));
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaSetDevice(0));
  return Memory(static_cast<char*>(p), [](char* q) { cudaFree(q); });
}

/** A pool with the settings of Stretto's: no stream waits for another's frees without being told to. */
class Pool {
 public:
  Pool() {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemPoolCreate(&pool_, &properties));
    uint64_t kept = kKeptBytes;
    CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
    int none = 0;
    CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &none));
  }
  ~Pool() { cudaMemPoolDestroy(pool_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void* allocate(size_t bytes, cudaStream_t stream) const {
    void* p = nullptr;
    CHECK(cudaMallocFromPoolAsync(&p, bytes, pool_, stream));
    return p;
  }

 private:
  cudaMemPool_t pool_;
};

// ---- Patterns

constexpr unsigned char kPoison = 0x5a;
constexpr uint64_t kPoisons = 0x5a5a5a5a5a5a5a5aull;
constexpr size_t kChunk = size_t{64} << 20;

/** Which bytes a copy writes. */
using Copied = std::function<bool(size_t)>;

bool everything(size_t) { return true; }

uint64_t word(size_t at) { return (at / 8 + 1) * 0x9e3779b97f4a7c15ull; }

void onAllCores(size_t bytes, const std::function<void(size_t, size_t)>& part) {
  const size_t parts = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), 1 + (bytes >> 22));
  const size_t each = (bytes / parts + 4095) / 4096 * 4096;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < parts; i++) {
    const size_t from = std::min(bytes, i * each), to = std::min(bytes, from + each);
    threads.emplace_back([&part, from, to] { part(from, to); });
  }
  for (std::thread& thread : threads) thread.join();
}

void fillHost(char* memory, size_t bytes, size_t first = 0) {
  onAllCores(bytes, [=](size_t from, size_t to) {
    for (size_t at = from; at < to; at += 8) *reinterpret_cast<uint64_t*>(memory + at) = word(first + at);
  });
}

void poisonHost(char* memory, size_t bytes) {
  onAllCores(bytes, [=](size_t from, size_t to) { memset(memory + from, kPoison, to - from); });
}

void requireHost(const char* memory, size_t bytes, const std::function<uint64_t(size_t)>& expected, size_t first = 0) {
  std::atomic<bool> wrong{false};
  onAllCores(bytes, [&](size_t from, size_t to) {
    for (size_t at = from; at < to; at += 8) {
      if (*reinterpret_cast<const uint64_t*>(memory + at) != expected(first + at)) wrong = true;
    }
  });
  if (wrong) throw std::runtime_error("wrong bytes arrived");
}

std::function<uint64_t(size_t)> copied(const Copied& which) {
  return [&which](size_t at) { return which(at) ? word(at) : kPoisons; };
}

/** Pinned memory that data passes through; it is kept, since pinning takes long. */
char* passage() {
  static const Memory memory = pinned(kChunk);
  return memory.get();
}

void fillDevice(char* memory, size_t bytes) {
  char* const host = passage();
  for (size_t at = 0; at < bytes; at += kChunk) {
    const size_t size = std::min(kChunk, bytes - at);
    fillHost(host, size, at);
    CHECK(cudaMemcpy(memory + at, host, size, cudaMemcpyDefault));
  }
}

void poisonDevice(char* memory, size_t bytes, int device = 0) {
  CHECK(cudaSetDevice(device));
  CHECK(cudaMemset(memory, kPoison, bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
}

void requireDevice(const char* memory, size_t bytes, const std::function<uint64_t(size_t)>& expected) {
  char* const host = passage();
  for (size_t at = 0; at < bytes; at += kChunk) {
    const size_t size = std::min(kChunk, bytes - at);
    CHECK(cudaMemcpy(host, memory + at, size, cudaMemcpyDefault));
    requireHost(host, size, expected, at);
  }
}

// ---- Operations of a size, on pieces of memory

struct Job {
  std::function<void(cudaStream_t, int)> enqueue;
  std::function<void()> poison;
  std::function<void()> compare;
};

/** Sweeps jobs over sizes and streams; several jobs run at once, each with streams of its own. */
void sweep(const std::string& way, size_t budget, double share,
           const std::function<std::vector<Job>(size_t size, int pieces)>& make) {
  for (const size_t size : plan.sizes) {
    const int pieces = plan.pieces(size, budget);
    const std::vector<Job> jobs = make(size, pieces);
    const size_t moved = static_cast<size_t>(size * share) * jobs.size();
    const auto enqueue = [&](int operations, const Streams& streams, int count) {
      for (int i = 0; i < operations; i++) {
        for (size_t job = 0; job < jobs.size(); job++) {
          jobs[job].enqueue(streams[job * count + i % count], i % pieces);
        }
      }
    };
    int most = 1;
    for (const int count : kStreams) {
      if (count > pieces) continue;
      most = count;
      const int operations = plan.operations(size, count, budget);
      const Streams streams(count * static_cast<int>(jobs.size()));
      meter.rate({way, size, count}, operations, moved, [&] {
        enqueue(operations, streams, count);
        streams.synchronize();
      });
    }
    const Streams streams(most * static_cast<int>(jobs.size()));
    meter.time({way, size}, [&] {
      for (size_t job = 0; job < jobs.size(); job++) jobs[job].enqueue(streams[job], 0);
      for (size_t job = 0; job < jobs.size(); job++) CHECK(cudaStreamSynchronize(streams[job]));
    });
    for (const Job& job : jobs) job.poison();
    enqueue(pieces, streams, most);
    streams.synchronize();
    for (const Job& job : jobs) job.compare();
  }
}

enum class Host { kPinned, kOrdinary, kMapped };

Memory ordinary(size_t bytes) {
  char* const p = static_cast<char*>(std::aligned_alloc(4096, bytes));
  if (p == nullptr) throw std::runtime_error("no memory");
  return Memory(p, [](char* q) { std::free(q); });
}

/** A file with the pattern in it. */
Memory mapped(size_t bytes) {
  const char* folder = getenv("TMPDIR");
  std::string name = std::string(folder != nullptr ? folder : "/tmp") + "/sweepXXXXXX";
  const int file = mkstemp(&name[0]);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("no file " + name);
  unlink(name.c_str());
  const auto map = [&](int protection) {
    void* const p = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
    if (p == MAP_FAILED) throw std::runtime_error("mmap failed");
    return static_cast<char*>(p);
  };
  char* const written = map(PROT_READ | PROT_WRITE);
  fillHost(written, bytes);
  munmap(written, bytes);
  char* const p = map(PROT_READ);
  close(file);
  return Memory(p, [bytes](char* q) { munmap(q, bytes); });
}

/** The two ends of all copies of a way. */
class Ends {
 public:
  Ends(Host kind, bool in) : in_(in), bytes_(plan.bytes(kHostBytes)), there_(onDevice(bytes_)) {
    host_ = kind == Host::kPinned ? pinned(bytes_) : kind == Host::kOrdinary ? ordinary(bytes_) : mapped(bytes_);
    if (!in) {
      poisonHost(host_.get(), bytes_);  // so that its pages are there
      fillDevice(there_.get(), bytes_);
    } else if (kind != Host::kMapped) {
      fillHost(host_.get(), bytes_);
    }
  }

  Job job(size_t size, int pieces, bool rows) const {
    char* const host = host_.get();
    char* const there = there_.get();
    const bool in = in_;
    const size_t pitch = rows ? std::min<size_t>(4096, size / 4) : size;
    const size_t width = rows ? pitch / 4 * 3 : size;
    const size_t all = size * pieces;
    Job job;
    if (rows) {
      job.enqueue = [=](cudaStream_t stream, int piece) {
        char* const h = host + piece * size;
        char* const d = there + piece * size;
        CHECK(in ? cudaMemcpy2DAsync(d, pitch, h, pitch, width, size / pitch, cudaMemcpyHostToDevice, stream)
                 : cudaMemcpy2DAsync(h, pitch, d, pitch, width, size / pitch, cudaMemcpyDeviceToHost, stream));
      };
    } else if (in) {
      job.enqueue = [=](cudaStream_t stream, int piece) {
        CHECK(cudaMemcpyAsync(there + piece * size, host + piece * size, size, cudaMemcpyHostToDevice, stream));
      };
    } else {
      job.enqueue = [=](cudaStream_t stream, int piece) {
        CHECK(cudaMemcpyAsync(host + piece * size, there + piece * size, size, cudaMemcpyDeviceToHost, stream));
      };
    }
    job.poison = [=] { in ? poisonDevice(there, all) : poisonHost(host, all); };
    job.compare = [=] {
      const Copied which = [=](size_t at) { return at % pitch < width; };
      in ? requireDevice(there, all, copied(which)) : requireHost(host, all, copied(which));
    };
    return job;
  }

 private:
  bool in_;
  size_t bytes_;
  Memory there_;
  Memory host_;
};

void hostCopies(const std::string& way, Host kind, bool in) {
  const Ends ends(kind, in);
  sweep(way, kHostBytes, 1, [&](size_t size, int pieces) { return std::vector<Job>{ends.job(size, pieces, false)}; });
}

void hostCopiesBoth(const std::string& way) {
  const Ends in(Host::kPinned, true), out(Host::kPinned, false);
  sweep(way, kHostBytes, 1, [&](size_t size, int pieces) {
    return std::vector<Job>{in.job(size, pieces, false), out.job(size, pieces, false)};
  });
}

void hostRows(const std::string& way, Host kind, bool in) {
  const Ends ends(kind, in);
  sweep(way, kHostBytes, 0.75,
        [&](size_t size, int pieces) { return std::vector<Job>{ends.job(size, pieces, true)}; });
}

void deviceCopies(const std::string& way, int to, size_t budget) {
  const size_t bytes = plan.bytes(budget);
  const Memory source = onDevice(bytes), destination = onDevice(bytes, to);
  fillDevice(source.get(), bytes);
  char* const s = source.get();
  char* const d = destination.get();
  sweep(way, budget, 1, [=](size_t size, int pieces) {
    Job job;
    if (to == 0) {
      job.enqueue = [=](cudaStream_t stream, int i) {
        CHECK(cudaMemcpyAsync(d + i * size, s + i * size, size, cudaMemcpyDeviceToDevice, stream));
      };
    } else {
      job.enqueue = [=](cudaStream_t stream, int i) {
        CHECK(cudaMemcpyPeerAsync(d + i * size, to, s + i * size, 0, size, stream));
      };
    }
    job.poison = [=] { poisonDevice(d, size * pieces, to); };
    job.compare = [=] { requireDevice(d, size * pieces, copied(everything)); };
    return std::vector<Job>{job};
  });
}

/** 32 bits at a time need the driver's API; cuMemsetD32Async comes through the runtime, without linking libcuda. */
using MemsetD32 = int (*)(unsigned long long, unsigned int, size_t, cudaStream_t);

MemsetD32 memsetD32() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 13000
  CHECK(cudaGetDriverEntryPointByVersion("cuMemsetD32Async", &function, 12000, cudaEnableDefault, &found));
#else
  CHECK(cudaGetDriverEntryPoint("cuMemsetD32Async", &function, cudaEnableDefault, &found));
#endif
  if (function == nullptr) throw std::runtime_error("no cuMemsetD32Async");
  return reinterpret_cast<MemsetD32>(function);
}

void fill(const std::string& way, bool words) {
  const size_t bytes = plan.bytes(kDeviceBytes);
  const Memory array = onDevice(bytes);
  char* const a = array.get();
  const MemsetD32 set = memsetD32();
  sweep(way, kDeviceBytes, 1, [=](size_t size, int pieces) {
    Job job;
    if (words) {
      job.enqueue = [=](cudaStream_t stream, int i) {
        const int result = set(reinterpret_cast<unsigned long long>(a + i * size), 0x12345678, size / 4, stream);
        if (result != 0) throw std::runtime_error("cuMemsetD32Async: " + std::to_string(result));
      };
    } else {
      job.enqueue = [=](cudaStream_t stream, int i) { CHECK(cudaMemsetAsync(a + i * size, 0x17, size, stream)); };
    }
    const uint64_t expected = words ? 0x1234567812345678ull : 0x1717171717171717ull;
    job.poison = [=] { poisonDevice(a, size * pieces); };
    job.compare = [=] { requireDevice(a, size * pieces, [=](size_t) { return expected; }); };
    return std::vector<Job>{job};
  });
}

void skipped(const std::string& way, const char* reason) {
  printf("{\"way\":\"%s\",\"skipped\":\"%s\"}\n", way.c_str(), reason);
  fflush(stdout);
}

void peer(const std::string& way, bool access) {
  int count = 0, there = 0, back = 0;
  CHECK(cudaGetDeviceCount(&count));
  if (count < 2) return skipped(way, "there is one device only");
  if (!access) return deviceCopies(way, 1, kHostBytes);
  CHECK(cudaDeviceCanAccessPeer(&there, 0, 1));
  CHECK(cudaDeviceCanAccessPeer(&back, 1, 0));
  if (!there || !back) return skipped(way, "the devices cannot access each other");
  const auto both = [](cudaError_t (*call)(int)) {
    for (const int device : {1, 0}) {
      CHECK(cudaSetDevice(device));
      CHECK(call(1 - device));
    }
  };
  both([](int other) { return cudaDeviceEnablePeerAccess(other, 0); });
  deviceCopies(way, 1, kHostBytes);
  both([](int other) { return cudaDeviceDisablePeerAccess(other); });
}

// ---- Calls

__global__ void emptyKernel(int, const void*, float) {}

/** Launches the empty kernel, with arguments as a program's has. */
void launch(cudaStream_t stream, const void* pointer = nullptr) {
  int first = 1;
  float third = 2;
  void* arguments[] = {&first, &pointer, &third};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(emptyKernel), dim3(1), dim3(1), arguments, 0, stream));
}

using Call = std::function<void(cudaStream_t)>;

/** Rates on several streams, the cost, and the time. */
void calls(const std::string& way, size_t size, const Call& call) {
  const int operations = static_cast<int>(plan.most);
  for (const int count : kStreams) {
    const Streams streams(count);
    meter.rate({way, size, count}, operations, 0, [&] {
      for (int i = 0; i < operations; i++) call(streams[i % count]);
      streams.synchronize();
    });
  }
  const Stream stream;
  meter.cost({way, size}, kBatch, [&] { for (int i = 0; i < kBatch; i++) call(stream); }, [&] { stream.synchronize(); });
  meter.time({way, size}, [&] {
    call(stream);
    stream.synchronize();
  });
}

/** The rate, the cost and the time of an operation that ends on a stream. */
void call(const std::string& way, int batch, int operations, const Stream& last, const std::function<void()>& operation) {
  meter.rate({way}, operations, 0, [&] {
    for (int i = 0; i < operations; i++) operation();
    last.synchronize();
  });
  meter.cost({way}, batch, [&] { for (int i = 0; i < batch; i++) operation(); }, [&] { last.synchronize(); });
  meter.time({way}, [&] {
    operation();
    last.synchronize();
  });
}

/** A chain of empty kernels. */
void graph(const std::string& way, int nodes) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = nullptr, before = nullptr;
  for (int i = 0; i < nodes; i++) {
    int first = 1;
    const void* second = nullptr;
    float third = 2;
    void* arguments[] = {&first, &second, &third};
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(emptyKernel);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, &before, i > 0 ? 1 : 0, &kernel));
    before = node;
  }
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  {
    const Stream stream;
    CHECK(cudaGraphUpload(executable, stream));
    stream.synchronize();
    const int operations = std::max(2, static_cast<int>(plan.most) / (2 * nodes));
    call(way, kFew, operations, stream, [&] { CHECK(cudaGraphLaunch(executable, stream)); });
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void recordWait(const std::string& way) {
  const Stream first, second;
  const Event event;
  call(way, kBatch, static_cast<int>(plan.most), second, [&] {
    CHECK(cudaEventRecord(event, first));
    CHECK(cudaStreamWaitEvent(second, event));
  });
}

void awaitEvent(const std::string& way) {
  const Memory host = pinned(kSmall), array = onDevice(kSmall);
  const Stream stream;
  const Event event;
  fillHost(host.get(), kSmall);
  meter.time({way}, [&] {
    CHECK(cudaMemcpyAsync(array.get(), host.get(), kSmall, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaEventSynchronize(event));
  });
  requireDevice(array.get(), kSmall, copied(everything));
}

void callback(const std::string& way) {
  std::atomic<int> called{0};
  const int operations = std::min(kBatch, static_cast<int>(plan.most));
  const Stream stream;
  const auto operation = [&] {
    CHECK(cudaLaunchHostFunc(stream, [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &called));
  };
  call(way, kBatch, operations, stream, operation);
  called = 0;
  for (int i = 0; i < operations; i++) operation();
  stream.synchronize();
  if (called != operations) throw std::runtime_error("not all callbacks ran");
}

/** A batch of small copies: in one call where the runtime has one, and one by one. */
void copyAll(const std::string& way) {
  const Memory host = pinned(kCopies * kSmall), array = onDevice(kCopies * kSmall);
  const Stream stream;
  const int operations = std::max(2, static_cast<int>(plan.most) / kCopies);
  fillHost(host.get(), kCopies * kSmall);
#if CUDART_VERSION >= 12080
  std::vector<void*> destinations, sources;
  std::vector<size_t> sizes(kCopies, kSmall);
  for (int i = 0; i < kCopies; i++) {
    destinations.push_back(array.get() + i * kSmall);
    sources.push_back(host.get() + i * kSmall);
  }
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  call(way, kFew, operations, stream, [&] {
#if CUDART_VERSION >= 13000
    CHECK(cudaMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), kCopies, &attributes, &first, 1,
                               stream));
#else
    size_t failed = 0;
    CHECK(cudaMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), kCopies, &attributes, &first, 1,
                               &failed, stream));
#endif
  });
#endif
  call(way + "-one-by-one", kFew, operations, stream, [&] {
    for (int i = 0; i < kCopies; i++) {
      CHECK(cudaMemcpyAsync(array.get() + i * kSmall, host.get() + i * kSmall, kSmall, cudaMemcpyHostToDevice, stream));
    }
  });
  requireDevice(array.get(), kCopies * kSmall, copied(everything));
}

// ---- Allocation

void allocateFree(const std::string& way, bool used) {
  const Pool pool;
  for (const size_t size : plan.sizes) {
    calls(way, size, [&](cudaStream_t stream) {
      void* const p = pool.allocate(size, stream);
      if (used) launch(stream, p);
      CHECK(cudaFreeAsync(p, stream));
    });
  }
}

void deviceAllocate(const std::string& way) {
  for (const size_t size : plan.sizes) {
    meter.time({way, size}, [&] {
      void* p = nullptr;
      CHECK(cudaMalloc(&p, size));
      CHECK(cudaFree(p));
    });
  }
}

/** Allocates pinned memory; that it is released afterwards does not count. */
void pin(const std::string& way) {
  for (const size_t size : plan.sizes) {
    meter.timedItself({way, size}, [&] {
      void* p = nullptr;
      const auto begin = Clock::now();
      CHECK(cudaMallocHost(&p, size));
      const double took = nanosecondsSince(begin);
      CHECK(cudaFreeHost(p));
      return took;
    });
  }
}

// ---- Threads

/** Threads that do the same work at the same time, again and again, and spin in between. */
class Crew {
 public:
  Crew(int count, std::function<void(int)> work) : work_(std::move(work)) {
    for (int i = 0; i < count; i++) threads_.emplace_back([this, i] { serve(i); });
  }
  ~Crew() {
    over_ = true;
    round_++;
    for (std::thread& thread : threads_) thread.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  /** Lets all threads work, and returns when the last of them has finished. */
  void work() {
    done_ = 0;
    round_++;
    for (int i = 0; done_ < static_cast<int>(threads_.size()); i++) pause(i);
    if (failed_) throw std::runtime_error("a thread failed");
  }

 private:
  void serve(int number) {
    for (int last = 0;; last++) {
      for (int i = 0; round_ == last; i++) pause(i);
      if (over_) return;
      try {
        work_(number);
      } catch (const std::exception& failure) {
        fprintf(stderr, "sweep: %s\n", failure.what());
        failed_ = true;
      }
      done_++;
    }
  }
  static void pause(int turn) {
    if (turn % 1000 == 999) {
      std::this_thread::yield();
    } else {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }

  std::function<void(int)> work_;
  std::atomic<int> round_{0}, done_{0};
  std::atomic<bool> over_{false}, failed_{false};
  std::vector<std::thread> threads_;
};

void threads(const std::string& way, size_t size, const std::function<void(cudaStream_t, int)>& operation) {
  const int each = std::min(kMostThreadOperations, static_cast<int>(plan.most));
  for (const int count : kThreads) {
    const Streams streams(count);
    Crew crew(count, [&](int thread) {
      const cudaStream_t stream = streams[thread];
      for (int i = 0; i < each; i++) operation(stream, thread);
    });
    meter.rate({way, size, count, count}, each * count, 0, [&] {
      crew.work();
      streams.synchronize();
    });
  }
}

void threadsCopy(const std::string& way, Host kind) {
  const size_t bytes = kMostStreams * kSmall;
  const Memory host = kind == Host::kPinned ? pinned(bytes) : ordinary(bytes);
  const Memory array = onDevice(bytes);
  fillHost(host.get(), bytes);
  threads(way, kSmall, [&](cudaStream_t stream, int i) {
    CHECK(cudaMemcpyAsync(array.get() + i * kSmall, host.get() + i * kSmall, kSmall, cudaMemcpyHostToDevice, stream));
  });
  requireDevice(array.get(), bytes, copied(everything));
}

// ---- All ways

using Way = std::pair<const char*, std::function<void(const std::string&)>>;

const std::vector<Way> kWays = {
    {"pinned-in", [](const std::string& way) { hostCopies(way, Host::kPinned, true); }},
    {"pinned-out", [](const std::string& way) { hostCopies(way, Host::kPinned, false); }},
    {"pinned-both", hostCopiesBoth},
    {"native-in", [](const std::string& way) { hostCopies(way, Host::kOrdinary, true); }},
    {"native-out", [](const std::string& way) { hostCopies(way, Host::kOrdinary, false); }},
    {"mapped-in", [](const std::string& way) { hostCopies(way, Host::kMapped, true); }},
    {"rows-in", [](const std::string& way) { hostRows(way, Host::kOrdinary, true); }},
    {"rows-out", [](const std::string& way) { hostRows(way, Host::kOrdinary, false); }},
    {"pinned-rows-in", [](const std::string& way) { hostRows(way, Host::kPinned, true); }},
    {"local", [](const std::string& way) { deviceCopies(way, 0, kDeviceBytes); }},
    {"fill-8", [](const std::string& way) { fill(way, false); }},
    {"fill-32", [](const std::string& way) { fill(way, true); }},
    {"allocate-free", [](const std::string& way) { allocateFree(way, false); }},
    {"allocate-use-free", [](const std::string& way) { allocateFree(way, true); }},
    {"device-allocate", deviceAllocate},
    {"pin", pin},
    {"launch", [](const std::string& way) { calls(way, 0, [](cudaStream_t stream) { launch(stream); }); }},
    {"graph-1", [](const std::string& way) { graph(way, 1); }},
    {"graph-10", [](const std::string& way) { graph(way, 10); }},
    {"graph-100", [](const std::string& way) { graph(way, 100); }},
    {"record-wait", recordWait},
    {"await-event", awaitEvent},
    {"callback", callback},
    {"copy-all", copyAll},
    {"threads-launch",
     [](const std::string& way) { threads(way, 0, [](cudaStream_t stream, int) { launch(stream); }); }},
    {"threads-copy", [](const std::string& way) { threadsCopy(way, Host::kPinned); }},
    {"threads-native-in", [](const std::string& way) { threadsCopy(way, Host::kOrdinary); }},
    {"peer-on", [](const std::string& way) { peer(way, true); }},
    {"peer-off", [](const std::string& way) { peer(way, false); }},
};

/** The C++ side of a way that Java has several times. */
std::string counterpart(const std::string& way) {
  static const std::map<std::string, std::string> counterparts = {
      {"heap-in", "native-in"},      {"heap-out", "native-out"},    {"launch-image", "launch"},
      {"launch-method", "launch"},   {"threads-heap-in", "threads-native-in"},
  };
  const auto found = counterparts.find(way);
  return found == counterparts.end() ? way : found->second;
}

bool run(std::vector<std::string> arguments) {
  plan.setSizes("4K,16K,64K,256K,1M,4M,16M,64M,256M,1G");
  std::set<std::string> chosen;
  for (size_t i = 0; i < arguments.size(); i++) {
    const std::string& word = arguments[i];
    if (word.compare(0, 2, "--") != 0) {
      chosen.insert(counterpart(word));
      continue;
    }
    if (++i == arguments.size()) throw std::invalid_argument(word + " needs a value");
    const std::string& value = arguments[i];
    if (word == "--sizes") {
      plan.setSizes(value);
    } else if (word == "--operations") {
      plan.most = std::stoul(value);
    } else if (word == "--footprint") {
      plan.footprint = sizeOf(value);
    } else if (word == "--millis") {
      meter.rowNanoseconds = std::stod(value) * 1e6;
    } else if (word == "--warm-millis") {
      meter.warmNanoseconds = std::stod(value) * 1e6;
    } else {
      throw std::invalid_argument("no such option: " + word);
    }
  }
  for (const std::string& way : chosen) {
    if (std::none_of(kWays.begin(), kWays.end(), [&](const Way& w) { return way == w.first; })) {
      throw std::invalid_argument("no such way: " + way);
    }
  }
  CHECK(cudaSetDevice(0));
  launch(nullptr);  // code is loaded at a kernel's first launch
  CHECK(cudaDeviceSynchronize());
  bool good = true;
  for (const auto& [name, measure] : kWays) {
    if (!chosen.empty() && chosen.count(name) == 0) continue;
    try {
      measure(name);
    } catch (const std::exception& failure) {
      fprintf(stderr, "sweep: %s: %s\n", name, failure.what());
      printf("{\"way\":\"%s\",\"error\":\"%s\"}\n", name, failure.what());
      fflush(stdout);
      good = false;
    }
  }
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments + 1, arguments + count}) ? 0 : 1;
  } catch (const std::exception& failure) {
    fprintf(stderr, "sweep: %s\n", failure.what());
    return 2;
  }
}
