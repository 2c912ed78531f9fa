// What the benchmarks of kernels.cu hold, their data, and how they are timed.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kWarmUps = 3;
constexpr int kSamples = 25;
constexpr int kLaunches = 4;
constexpr int kAllLaunches = (kWarmUps + kSamples) * (1 + kLaunches);

constexpr int kMi = 1 << 20;
constexpr int kElements = 64 * kMi;       // of a stream of floats: 256 MiB, several times the L2 cache
constexpr int kSide = 8192;               // of a square of floats: the same
constexpr int kSumElements = 256 * kMi;   // 1 GiB
constexpr int kBodies = 132 * 1024;
constexpr int kMatrix = 4096;
constexpr int kTensor = 32768;            // rows and columns of a matrix that goes by in tiles: 4 GiB
constexpr size_t kCipherBytes = 256ull * kMi;

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

// ---- What the benchmarks hold

class Event {
 public:
  Event() { CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_;
};

/** An array on the device. */
template <typename T>
class OnDevice {
 public:
  explicit OnDevice(size_t length) : length_(length) {
    CHECK(cudaMalloc(&data_, length * sizeof(T)));
    CHECK(cudaMemset(data_, 0, length * sizeof(T)));
  }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    CHECK(cudaMemcpy(data_, values.data(), length_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return data_; }
  std::vector<T> toHost() const {
    std::vector<T> values(length_);
    CHECK(cudaMemcpy(values.data(), data_, length_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  size_t length_;
  T* data_ = nullptr;
};

// ---- Data, the same on both sides

uint32_t hashOf(uint32_t index, uint32_t seed) {
  uint32_t x = index + seed * 0x9E3779B9u;
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  return x ^ x >> 16;
}

/** -64 to 63. A 64th of it is a bf16, and sums of thousands of products of two such are exact floats. */
int small(uint32_t index, uint32_t seed) { return static_cast<int>(hashOf(index, seed) >> 25) - 64; }

float smallFloat(uint32_t index, uint32_t seed) { return static_cast<float>(small(index, seed)) / 64; }

/** -1 to 1, 24 bits. */
float fineFloat(uint32_t index, uint32_t seed) {
  return static_cast<float>(hashOf(index, seed) >> 8) / (1 << 23) - 1;
}

/** Splits [0, count) over the cores. */
void onAllCores(size_t count, const std::function<void(size_t, size_t)>& part) {
  const size_t threads = std::max(1u, std::thread::hardware_concurrency());
  const size_t share = count / threads + 1;
  std::vector<std::thread> running;
  for (size_t from = 0; from < count; from += share) {
    running.emplace_back([&part, from, to = std::min(count, from + share)] { part(from, to); });
  }
  for (std::thread& thread : running) thread.join();
}

template <typename T>
std::vector<T> made(size_t length, const std::function<T(uint32_t)>& element) {
  std::vector<T> values(length);
  onAllCores(length, [&](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) values[i] = element(static_cast<uint32_t>(i));
  });
  return values;
}

/** Compares every element; returns the checksum: the sum of all, or of as many as a double holds exactly. */
template <typename T>
double requireEach(const std::vector<T>& found, const std::function<T(size_t)>& expected) {
  std::atomic<size_t> wrong{0};
  std::atomic<size_t> first{found.size()};
  onAllCores(found.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
      if (found[i] != expected(i)) {
        wrong++;
        for (size_t least = first; i < least && !first.compare_exchange_weak(least, i);) {
        }
      }
    }
  });
  if (wrong != 0) {
    const size_t i = first;
    fail(std::to_string(wrong) + " elements are wrong; number " + std::to_string(i) + " is " +
         std::to_string(found[i]) + ", not " + std::to_string(expected(i)));
  }
  double sum = 0;
  for (const T value : found) sum += static_cast<double>(value);
  return sum;
}

void requireClose(const char* what, double found, double expected, double tolerance) {
  if (!(std::abs(found - expected) <= tolerance)) {
    fail(std::string(what) + " is " + std::to_string(found) + ", not " + std::to_string(expected));
  }
}

/**
 * Requires C = A B of square matrices of `small` 64ths, by C v = A (B v) for a random v, in integers: a wrong row
 * passes once in a million times. Returns the checksum.
 */
double requireProduct(const std::vector<float>& c, size_t n, uint32_t seedA, uint32_t seedB) {
  std::vector<long long> v(n), bv(n);
  for (size_t i = 0; i < n; i++) v[i] = static_cast<long long>(hashOf(static_cast<uint32_t>(i), 99) >> 12) - (1 << 19);
  onAllCores(n, [&](size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
      for (size_t i = 0; i < n; i++) bv[row] += small(static_cast<uint32_t>(row * n + i), seedB) * v[i];
    }
  });
  std::vector<double> sums(n);
  std::vector<char> right(n);
  onAllCores(n, [&](size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
      long long expected = 0, found = 0;
      bool whole = true;
      for (size_t i = 0; i < n; i++) {
        expected += small(static_cast<uint32_t>(row * n + i), seedA) * bv[i];
        const double units = c[row * n + i] * 4096.0;
        // Not a number, too large, or no whole number of units: no sum of such products.
        whole = whole && std::abs(units) <= 4096.0 * static_cast<double>(n) && units == std::floor(units);
        found += whole ? static_cast<long long>(units) * v[i] : 0;
        sums[row] += c[row * n + i];
      }
      right[row] = whole && found == expected;
    }
  });
  double sum = 0;
  for (size_t row = 0; row < n; row++) {
    if (!right[row]) fail("row " + std::to_string(row) + " of the product is wrong");
    sum += sums[row];
  }
  return sum;
}

// ---- Timing and printing

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/** Milliseconds a launch; there are kAllLaunches of them in the end. */
double timed(const std::function<void()>& launch) {
  const Event start, end;
  std::vector<double> values;
  for (int sample = -kWarmUps; sample < kSamples; sample++) {
    launch();
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < kLaunches; i++) launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    if (sample >= 0) values.push_back(milliseconds / kLaunches);
  }
  CHECK(cudaDeviceSynchronize());
  return median(values);
}

/** A benchmark's figures; `work` is bytes or floating-point operations of a launch. */
struct Figures {
  double milliseconds;
  const char* rate;
  double work;
  double checksum;
  const void* kernel;
};

Figures bytes(double milliseconds, double count, double checksum, const void* kernel) {
  return {milliseconds, "gigabytesPerSecond", count, checksum, kernel};
}

Figures operations(double milliseconds, double count, double checksum, const void* kernel) {
  return {milliseconds, "gigaflopsPerSecond", count, checksum, kernel};
}

template <typename K>
const void* pointer(K* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

struct Benchmark {
  const char* name;
  Figures (*run)();
};

}  // namespace
