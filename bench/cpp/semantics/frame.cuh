// What the programs of semantics.cu share: how one is entered and runs, how it prints, and how it holds a stream up
// until the host lets it go on.
#pragma once

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

extern char** environ;

namespace {

// ---- Calls

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(cudaGetErrorName(result)) + " of " + call);
}
#define CHECK(call) check((call), #call)

/** What a call that may be refused came to: `accepted`, `refused` if it is the documented code, or another code. */
std::string outcome(cudaError_t result, cudaError_t documented) {
  if (result == cudaSuccess) return "accepted";
  (void)cudaGetLastError();  // what a refused call leaves behind, where the context is well
  return result == documented ? "refused" : cudaGetErrorName(result);
}

std::string yesNo(bool what) { return what ? "yes" : "no"; }

// ---- Programs

enum class Kind { kPlain, kAlone, kPair, kPairAlone };  // alone: loses the device; pair: needs two devices

struct Program {
  const char* name;
  Kind kind;
  void (*body)();
};

std::vector<Program>& programs() {
  static std::vector<Program> all;
  return all;
}

struct Entry {
  Entry(const char* name, Kind kind, void (*body)()) { programs().push_back({name, kind, body}); }
};

/** Begins a program: TWIN(identifier, "its-name", Kind::kPlain) { … }. */
#define TWIN(identifier, name, kind)                  \
  void identifier();                                  \
  const Entry entry_##identifier(name, kind, identifier); \
  void identifier()

const char* current = "";

/** Prints a line of the program that runs. */
void say(const std::string& key, const std::string& value) {
  printf("%s: %s=%s\n", current, key.c_str(), value.c_str());
  fflush(stdout);
}

void say(const std::string& key, long value) { say(key, std::to_string(value)); }

/** Prints what Stretto refuses or defines, and CUDA leaves undefined: it is not tried. */
void sayUndefined(const std::string& key) { say(key, "undefined"); }

// ---- Kernels

constexpr long long kExpiryNanos = 10'000'000'000;

__device__ long long deviceNanos() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/** Ends when the host has set the first int, or says in the second that it never did. */
__global__ void holdKernel(volatile int* latch) {
  long long end = deviceNanos() + kExpiryNanos;
  while (latch[0] == 0) {
    if (deviceNanos() > end) {
      latch[1] = 1;
      return;
    }
  }
}

__global__ void putKernel(volatile int* cell, int value) { *cell = value; }

__global__ void addKernel(volatile int* cell, int value) { *cell = *cell + value; }

__global__ void takeKernel(volatile int* to, const volatile int* from) { *to = *from; }

__global__ void addAllKernel(int* cells, int value, int n) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) cells[i] += value;
}

/** Stores where nothing is. */
__global__ void faultKernel(volatile int* cell) { cell[1ll << 44] = 1; }

void launched(const char* what) { check(cudaGetLastError(), what); }

void put(int* cell, int value, cudaStream_t stream) {
  putKernel<<<1, 1, 0, stream>>>(cell, value);
  launched("a launch of put");
}

void add(int* cell, int value, cudaStream_t stream) {
  addKernel<<<1, 1, 0, stream>>>(cell, value);
  launched("a launch of add");
}

void take(int* to, const int* from, cudaStream_t stream) {
  takeKernel<<<1, 1, 0, stream>>>(to, from);
  launched("a launch of take");
}

void fault(int* cell, cudaStream_t stream) {
  faultKernel<<<1, 1, 0, stream>>>(cell);
  launched("a launch of fault");
}

// ---- Memory

/** Pinned memory that the device reads and writes in place. */
template <typename T>
class Pinned {
 public:
  explicit Pinned(size_t count) : count_(count) {
    CHECK(cudaHostAlloc(reinterpret_cast<void**>(&data_), count * sizeof(T), cudaHostAllocPortable | cudaHostAllocMapped));
    std::memset(data_, 0, count * sizeof(T));
  }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  void fill(T value) const { std::fill(data_, data_ + count_, value); }
  /** Reads as another processor may have written. */
  T operator[](size_t i) const { return static_cast<volatile T*>(data_)[i]; }
  void set(size_t i, T value) const { static_cast<volatile T*>(data_)[i] = value; }
  /** What all elements are, or -1 if they differ. */
  long all() const {
    for (size_t i = 1; i < count_; i++) {
      if ((*this)[i] != (*this)[0]) return -1;
    }
    return static_cast<long>((*this)[0]);
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

/** Device memory, of zeros. */
template <typename T>
class Array {
 public:
  explicit Array(size_t count) : count_(count) {
    CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    CHECK(cudaMemset(data_, 0, count * sizeof(T)));
    CHECK(cudaDeviceSynchronize());
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  /** What is there once the device is idle. */
  std::vector<T> read() const {
    CHECK(cudaDeviceSynchronize());
    std::vector<T> values(count_);
    CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  /** What all elements are once the device is idle, or -1 if they differ. */
  long all() const {
    std::vector<T> values = read();
    bool same = std::all_of(values.begin(), values.end(), [&](T value) { return value == values[0]; });
    return same ? static_cast<long>(values[0]) : -1;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// ---- Streams and events

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) { CHECK(cudaStreamCreateWithFlags(&stream_, flags)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDisableTiming) { CHECK(cudaEventCreateWithFlags(&event_, flags)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) const { CHECK(cudaEventRecord(event_, stream)); }

 private:
  cudaEvent_t event_ = nullptr;
};

void wait(cudaStream_t stream, cudaEvent_t event) { CHECK(cudaStreamWaitEvent(stream, event, 0)); }

std::string readiness(cudaError_t query) {
  return query == cudaSuccess ? "done" : query == cudaErrorNotReady ? "not-done" : cudaGetErrorName(query);
}

std::string query(cudaStream_t stream) {
  std::string found = readiness(cudaStreamQuery(stream));
  (void)cudaGetLastError();
  return found;
}

std::string query(cudaEvent_t event) {
  std::string found = readiness(cudaEventQuery(event));
  (void)cudaGetLastError();
  return found;
}

constexpr auto kPatience = std::chrono::milliseconds(200);

/** Whether all that a stream or an event stands for is done, now or a little later. */
template <typename Awaited>
bool passes(Awaited awaited) {
  auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    if (query(awaited) == "done") return true;
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

// ---- Latches

/**
 * Holds a stream up until the host opens it: a kernel that polls pinned memory, for ten seconds at most. So what happens
 * before it is opened is a fact, and no race.
 */
class Latch {
 public:
  Latch() : cells_(2) {}
  ~Latch() { open(); cudaDeviceSynchronize(); }
  void hold(cudaStream_t stream) const {
    holdKernel<<<1, 1, 0, stream>>>(cells_.get());
    launched("a launch of hold");
  }
  void open() const { cells_.set(0, 1); }
  bool isOpen() const { return cells_[0] != 0 || cells_[1] != 0; }
  int* cells() const { return cells_.get(); }

 private:
  Pinned<int> cells_;
};

/** Opens a latch in a while, from another thread, so that a call that waits for what it holds can return. */
class OpenedLater {
 public:
  explicit OpenedLater(const Latch& latch, std::chrono::milliseconds delay = std::chrono::milliseconds(50))
      : thread_([&latch, delay] {
          std::this_thread::sleep_for(delay);
          latch.open();
        }) {}
  ~OpenedLater() { thread_.join(); }
  OpenedLater(const OpenedLater&) = delete;
  OpenedLater& operator=(const OpenedLater&) = delete;

 private:
  std::thread thread_;
};

/** Says whether a call returned while the latch was shut; one that waits comes back once the latch has expired. */
void sayReturnsFirst(const Latch& latch, const std::function<void()>& call) {
  call();
  say("returns-first", yesNo(!latch.isOpen()));
}

/** Runs something in a thread of its own, to its end; what it throws comes out here. */
void inThread(const std::function<void()>& body) {
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      body();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}

// ---- Running

int devices() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  return count;
}

/** Runs a program of this file in a process of its own; what it returns. */
int inProcess(const char* name) {
  char self[] = "/proc/self/exe", here[] = "--here";
  std::string copy = name;
  char* words[] = {self, here, copy.data(), nullptr};
  pid_t child = 0;
  fflush(stdout);
  if (posix_spawn(&child, self, nullptr, nullptr, words, environ) != 0) return -1;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/** Does as the lines of standard input say: semantics/processes.cuh. */
int obey();

/** Loses the device; 0 if that was told. */
int faulty() {
  Array<int> cell(1);
  fault(cell.get(), cudaStreamLegacy);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}

void runHere(const Program& program) {
  bool alone = program.kind == Kind::kAlone || program.kind == Kind::kPairAlone;
  bool pair = program.kind == Kind::kPair || program.kind == Kind::kPairAlone;
  current = program.name;
  try {
    if (pair && devices() < 2) {
      say("skipped", "one GPU");
      return;
    }
    CHECK(cudaSetDevice(0));
    program.body();
    if (!alone) {
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaGetLastError());
    }
  } catch (const std::exception& e) {
    say("failed", e.what());
  }
}

int run(int count, char** words) {
  // A kernel that is loaded at its first launch would wait for the latch in front of it.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  std::vector<std::string> wanted(words + 1, words + count);
  bool here = !wanted.empty() && wanted[0] == "--here";
  if (here) wanted.erase(wanted.begin());
  if (here && wanted[0] == "--fault") _Exit(faulty());
  if (here && wanted[0] == "--obey") _Exit(obey());
  for (const Program& program : programs()) {
    if (!wanted.empty() && wanted[0] == "--list") {
      puts(program.name);
      continue;
    }
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), program.name) == wanted.end()) continue;
    bool alone = program.kind == Kind::kAlone || program.kind == Kind::kPairAlone;
    if (alone && !here) {
      if (inProcess(program.name) != 0) printf("%s: failed=its process\n", program.name);
    } else {
      runHere(program);
    }
  }
  fflush(stdout);
  // A lost context cannot be taken down in order, and nothing is left to be done.
  if (here) _Exit(0);
  return 0;
}

}  // namespace
