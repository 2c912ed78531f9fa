// The C++ side of Stretto's benchmarks of asynchronous work: what allocation in the order of a stream, launches of
// graphs and batches of copies cost the host, and how long it takes until who waits knows that work is done. The Java
// side prints lines of the same names from the same jobs.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o async async.cu && ./async [name…]
//
// Each line on standard output is one JSON object. Where there are several ways to do a job in C++, all of them are
// measured, and the figure is the least. Every benchmark runs in a process of its own, and so does every way to wait,
// since some are chosen for the whole process. What is copied is compared after the measurement. The `queue-…`
// benchmarks have no Java side: they say how much the driver takes of a stream before it blocks its caller.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kNodes = 64;           // of a graph, and copies of a batch
constexpr size_t kCopyBytes = 4096;  // of each copy
constexpr int kBatches = 60;
constexpr int kPairs = 250;    // of allocation and free in a batch; they fit in a stream's launch queue
constexpr int kLaunches = 8;   // of graphs, or batches of copies, in a batch
constexpr int kSamples = 2000;  // of what is waited for
constexpr int kWarmUps = 200;
constexpr long kKeptBytes = 256l << 20;  // free memory that the pool keeps, as Stretto's does

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
  explicit Event(unsigned flags = cudaEventDisableTiming) { CHECK(cudaEventCreateWithFlags(&event_, flags)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_;
};

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

struct FreePinned { void operator()(void* p) const { cudaFreeHost(p); } };
struct FreeDevice { void operator()(void* p) const { cudaFree(p); } };
using Pinned = std::unique_ptr<unsigned char[], FreePinned>;
using OnDevice = std::unique_ptr<unsigned char[], FreeDevice>;

Pinned pinned(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaMallocHost(&p, bytes));
  return Pinned(static_cast<unsigned char*>(p));
}

OnDevice onDevice(size_t bytes) {
  void* p = nullptr;
  CHECK(cudaMalloc(&p, bytes));
  return OnDevice(static_cast<unsigned char*>(p));
}

__global__ void emptyKernel(int, const void*, float) {}

__global__ void spinKernel(unsigned long long nanoseconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

/** Spins until the host opens the gate, or for ten seconds. */
__global__ void gateKernel(const volatile int* open) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (*open == 0 && now - start < 10'000'000'000ull);
}

/** Launches the empty kernel, with arguments as a program's has. */
void launch(cudaStream_t stream, const void* pointer = nullptr) {
  int first = 1;
  float third = 2;
  void* arguments[] = {&first, &pointer, &third};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(emptyKernel), dim3(1), dim3(1), arguments, 0, stream));
}

/** Pinned memory with a pattern, and as much device memory to copy it to, in parts. */
class Copied {
 public:
  Copied() {
    for (size_t i = 0; i < kNodes * kCopyBytes; i++) source_[i] = static_cast<unsigned char>(i * 31 + i / 251 + 7);
    CHECK(cudaMemset(destination_.get(), 0xA5, kNodes * kCopyBytes));
    CHECK(cudaDeviceSynchronize());
  }
  void* destination(int part) const { return destination_.get() + part * kCopyBytes; }
  const void* source(int part) const { return source_.get() + part * kCopyBytes; }
  void compare() const {
    const Pinned back = pinned(kNodes * kCopyBytes);
    CHECK(cudaMemcpy(back.get(), destination_.get(), kNodes * kCopyBytes, cudaMemcpyDeviceToHost));
    if (memcmp(back.get(), source_.get(), kNodes * kCopyBytes) != 0) throw std::runtime_error("wrong bytes arrived");
  }

 private:
  const Pinned source_ = pinned(kNodes * kCopyBytes);
  const OnDevice destination_ = onDevice(kNodes * kCopyBytes);
};

/** A graph of empty kernels, or of at most kNodes copies, in so many chains side by side. */
class Graph {
 public:
  Graph(int nodes, int chains, const Copied* copied) {
    CHECK(cudaGraphCreate(&graph_, 0));
    std::vector<cudaGraphNode_t> ends(chains);
    for (int i = 0; i < nodes; i++) {
      cudaGraphNode_t node;
      cudaGraphNode_t& before = ends[i % chains];
      const size_t count = i >= chains ? 1 : 0;
      if (copied != nullptr) {
        CHECK(cudaGraphAddMemcpyNode1D(&node, graph_, &before, count, copied->destination(i), copied->source(i),
                                       kCopyBytes, cudaMemcpyHostToDevice));
      } else {
        int first = 1;
        const void* second = nullptr;
        float third = 2;
        void* arguments[] = {&first, &second, &third};
        cudaKernelNodeParams kernel = {};
        kernel.func = reinterpret_cast<void*>(emptyKernel);
        kernel.gridDim = dim3(1);
        kernel.blockDim = dim3(1);
        kernel.kernelParams = arguments;
        CHECK(cudaGraphAddKernelNode(&node, graph_, &before, count, &kernel));
      }
      before = node;
    }
    CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  ~Graph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void upload(cudaStream_t stream) const { CHECK(cudaGraphUpload(executable_, stream)); }
  void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraph_t graph_;
  cudaGraphExec_t executable_;
};

// ---- Timing and printing

using Clock = std::chrono::steady_clock;

double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/** Host time of one operation, over batches with `drain` between them, outside the time. */
double cost(int operations, const std::function<void()>& drain, const std::function<void()>& operation) {
  std::vector<double> nanoseconds;
  for (int i = -20; i < kBatches; i++) {
    drain();
    const auto start = Clock::now();
    for (int j = 0; j < operations; j++) operation();
    const double t = nanosecondsSince(start) / operations;
    if (i >= 0) nanoseconds.push_back(t);
  }
  drain();
  return median(nanoseconds);
}

/** Microseconds from the begin of what enqueues work and waits for it to its end. */
double latency(int samples, const std::function<void()>& operation) {
  std::vector<double> microseconds;
  for (int i = -std::min(kWarmUps, samples); i < samples; i++) {
    const auto start = Clock::now();
    operation();
    const double t = nanosecondsSince(start) * 1e-3;
    if (i >= 0) microseconds.push_back(t);
  }
  return median(microseconds);
}

void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

using Ways = std::vector<std::pair<std::string, double>>;

/** The least of several ways, and all of them beside it. */
void printLeast(const std::string& bench, const char* unit, const Ways& ways) {
  const auto& best = *std::min_element(ways.begin(), ways.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string all;
  for (const auto& way : ways) {
    char figure[64];
    snprintf(figure, sizeof figure, "%s\"%s\":%.3f", all.empty() ? "" : ",", way.first.c_str(), way.second);
    all += figure;
  }
  print("{\"bench\":\"%s\",\"%s\":%.3f,\"way\":\"%s\",\"ways\":{%s}}", bench.c_str(), unit, best.second,
        best.first.c_str(), all.c_str());
}

// ---- Processes

/** Runs `body` in a child process; whether it went well. */
bool apart(const std::function<void()>& body) {
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    int status = 0;
    try {
      body();
    } catch (const std::exception& failure) {
      fprintf(stderr, "async: %s\n", failure.what());
      status = 1;
    }
    fflush(stdout);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

/** The figure that `body` finds in a child process. */
double figureApart(const std::function<double()>& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const bool well = apart([&] {
    const double figure = body();
    if (write(ends[1], &figure, sizeof figure) != sizeof figure) throw std::runtime_error("write failed");
  });
  double figure = 0;
  const bool got = well && read(ends[0], &figure, sizeof figure) == sizeof figure;
  close(ends[0]);
  close(ends[1]);
  if (!got) throw std::runtime_error("a way to wait failed");
  return figure;
}

// ---- Memory in the order of a stream

void allocateFree(const char* bench, size_t bytes) {
  const Pool pool;
  const Stream stream;
  const double t = cost(kPairs, [&] { stream.synchronize(); }, [&] {
    void* const p = pool.allocate(bytes, stream);
    CHECK(cudaFreeAsync(p, stream));
  });
  printLeast(bench, "nanosecondsPerOperation", {{"allocate-free", t}});
}

/** Allocated and freed on one stream, used on another. */
void allocateUseFree() {
  const Pool pool;
  const Stream owner, user;
  const Event allocated, used;
  const auto drain = [&] {
    owner.synchronize();
    user.synchronize();
  };
  const double t = cost(kPairs, drain, [&] {
    void* const p = pool.allocate(4096, owner);
    CHECK(cudaEventRecord(allocated, owner));
    CHECK(cudaStreamWaitEvent(user, allocated));
    launch(user, p);
    CHECK(cudaEventRecord(used, user));
    CHECK(cudaStreamWaitEvent(owner, used));
    CHECK(cudaFreeAsync(p, owner));
  });
  printLeast("allocate-use-free", "nanosecondsPerOperation", {{"events", t}});
}

// ---- Graphs

void poll(const Event& event) {
  for (;;) {
    const cudaError_t result = cudaEventQuery(event);
    if (result == cudaSuccess) return;
    if (result != cudaErrorNotReady) check(result, "cudaEventQuery");
  }
}

void graph(const std::string& name, int chains, bool copies) {
  const std::unique_ptr<Copied> copied(copies ? new Copied : nullptr);
  const Stream stream;
  const Event end;
  const Graph graph(kNodes, chains, copied.get());
  graph.upload(stream);
  const auto drain = [&] { stream.synchronize(); };
  const double launched = cost(kLaunches, drain, [&] { graph.launch(stream); });
  const double recorded = cost(kLaunches, drain, [&] {
    graph.launch(stream);
    CHECK(cudaEventRecord(end, stream));
  });
  printLeast(name, "nanosecondsPerOperation", {{"launch", launched}});
  printLeast(name + "-event", "nanosecondsPerOperation", {{"launch-and-record", recorded}});
  const double synchronized = latency(kSamples, [&] {
    graph.launch(stream);
    stream.synchronize();
  });
  const double polled = latency(kSamples, [&] {
    graph.launch(stream);
    CHECK(cudaEventRecord(end, stream));
    poll(end);
  });
  printLeast(name + "-done", "microseconds", {{"stream-synchronize", synchronized}, {"event-query", polled}});
  if (copies) copied->compare();
}

// ---- Waiting

/** From before the launch of a kernel that takes so long until the thread goes on behind the wait for its event. */
double awaitOnce(unsigned schedule, unsigned flags, bool query, unsigned long long kernelNanoseconds, int samples) {
  CHECK(cudaInitDevice(0, schedule, cudaInitDeviceFlagsAreValid));
  CHECK(cudaSetDevice(0));
  const Stream stream;
  const Event event(cudaEventDisableTiming | flags);
  return latency(samples, [&] {
    if (kernelNanoseconds == 0) {
      launch(stream);
    } else {
      spinKernel<<<1, 1, 0, stream>>>(kernelNanoseconds);
      CHECK(cudaGetLastError());
    }
    CHECK(cudaEventRecord(event, stream));
    if (query) {
      poll(event);
    } else {
      CHECK(cudaEventSynchronize(event));
    }
  });
}

void await(const char* bench, unsigned long long kernelNanoseconds, int samples) {
  const auto way = [&](unsigned schedule, unsigned flags, bool query) {
    return figureApart([&] { return awaitOnce(schedule, flags, query, kernelNanoseconds, samples); });
  };
  printLeast(bench, "microseconds",
             {{"spin", way(cudaDeviceScheduleSpin, 0, false)},
              {"yield", way(cudaDeviceScheduleYield, 0, false)},
              {"block", way(cudaDeviceScheduleBlockingSync, cudaEventBlockingSync, false)},
              {"event-query", way(cudaDeviceScheduleAuto, 0, true)}});
}

// ---- Batches of copies

void copyAll() {
  const Copied copied;
  const Stream stream;
  std::vector<void*> destinations;
  std::vector<const void*> sources;
  std::vector<size_t> sizes(kNodes, kCopyBytes);
  for (int i = 0; i < kNodes; i++) {
    destinations.push_back(copied.destination(i));
    sources.push_back(copied.source(i));
  }
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  const auto batch = [&] {
    CHECK(cudaMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), kNodes, &attributes, &first, 1,
                               stream));
  };
  const auto loop = [&] {
    for (int i = 0; i < kNodes; i++) {
      CHECK(cudaMemcpyAsync(destinations[i], sources[i], kCopyBytes, cudaMemcpyHostToDevice, stream));
    }
  };
  const auto drain = [&] { stream.synchronize(); };
  printLeast("copy-all", "nanosecondsPerOperation",
             {{"batch", cost(kLaunches, drain, batch)}, {"one-by-one", cost(kLaunches, drain, loop)}});
  const auto done = [&](const std::function<void()>& enqueue) {
    return latency(kSamples, [&] {
      enqueue();
      stream.synchronize();
    });
  };
  printLeast("copy-all-done", "microseconds", {{"batch", done(batch)}, {"one-by-one", done(loop)}});
  copied.compare();
}

// ---- What the driver takes

/** How many operations a stream takes behind a kernel that does not end, before the next one blocks. */
void queue(const std::string& bench, const std::function<void(cudaStream_t)>& operation) {
  constexpr int most = 6000;
  const Stream stream;
  const Pinned flag = pinned(sizeof(int));
  volatile int* const open = reinterpret_cast<volatile int*>(flag.get());
  *open = 0;
  operation(stream);  // code is loaded, and memory is there
  stream.synchronize();
  gateKernel<<<1, 1, 0, stream>>>(open);
  CHECK(cudaGetLastError());
  std::atomic<int> taken{0};
  std::atomic<bool> enough{false}, failed{false};
  std::thread enqueuing([&] {
    try {
      for (int i = 0; i < most && !enough; i++) {
        operation(stream);
        taken++;
      }
    } catch (const std::exception& failure) {
      fprintf(stderr, "async: %s\n", failure.what());
      failed = true;
    }
  });
  int before = -1;
  while (taken != before && taken < most) {
    before = taken;
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  const int found = taken;
  enough = true;
  *open = 1;
  enqueuing.join();
  stream.synchronize();
  if (failed) throw std::runtime_error(bench + " failed");
  print("{\"bench\":\"%s\",\"operations\":%d,\"blocked\":%s}", bench.c_str(), found, found < most ? "true" : "false");
}

/** The same for graphs of several shapes. */
void queueGraphs() {
  const auto probe = [](const std::string& name, int nodes, int chains, const Copied* copied) {
    const Graph graph(nodes, chains, copied);
    queue("queue-" + name + "-" + std::to_string(nodes) + "-in-" + std::to_string(chains),
          [&](cudaStream_t s) { graph.launch(s); });
  };
  for (const int chains : {1, 2, 4, 8, 16, 32, kNodes}) probe("kernels", kNodes, chains, nullptr);
  for (const int nodes : {16, 256, 512}) probe("kernels", nodes, nodes, nullptr);
  const Copied copied;
  for (const int chains : {1, 8, kNodes}) probe("copies", kNodes, chains, &copied);
}

// ---- All of them

struct Benchmark {
  const char* name;
  std::function<void()> run;
  bool usesDevice = true;
};

const std::vector<Benchmark> kBenchmarks = {
    {"allocate-free-4k", [] { allocateFree("allocate-free-4k", 4096); }},
    {"allocate-free-16m", [] { allocateFree("allocate-free-16m", 16 << 20); }},
    {"allocate-use-free", allocateUseFree},
    {"graph-chain", [] { graph("graph-chain", 1, false); }},
    {"graph-wide", [] { graph("graph-wide", kNodes, false); }},
    {"graph-chain-copies", [] { graph("graph-chain-copies", 1, true); }},
    {"graph-wide-copies", [] { graph("graph-wide-copies", kNodes, true); }},
    {"await-event", [] { await("await-event", 0, kSamples); }, false},
    {"await-event-100us", [] { await("await-event-100us", 100'000, kSamples); }, false},
    {"await-event-10ms", [] { await("await-event-10ms", 10'000'000, 60); }, false},
    {"copy-all", copyAll},
    {"queue-launch", [] { queue("queue-launch", [](cudaStream_t s) { launch(s); }); }},
    {"queue-graphs", queueGraphs},
    {"queue-allocate-free",
     [] {
       const Pool pool;
       queue("queue-allocate-free", [&](cudaStream_t s) { CHECK(cudaFreeAsync(pool.allocate(4096, s), s)); });
     }},
};

bool run(const Benchmark& benchmark) {
  return apart([&] {
    if (benchmark.usesDevice) {
      CHECK(cudaSetDevice(0));
      // Code is loaded at a kernel's first launch.
      launch(nullptr);
      CHECK(cudaDeviceSynchronize());
    }
    benchmark.run();
  });
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> names(arguments + 1, arguments + count);
  for (const std::string& name : names) {
    if (std::none_of(kBenchmarks.begin(), kBenchmarks.end(), [&](const Benchmark& b) { return name == b.name; })) {
      fprintf(stderr, "async: no such benchmark: %s\n", name.c_str());
      return 2;
    }
  }
  bool well = true;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end()) {
      well = run(benchmark) && well;
    }
  }
  return well ? 0 : 1;
}
