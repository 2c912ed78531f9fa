// What limits a staged copy of ordinary memory to the device: the same work as Stretto's pump threads do, by hand, and
// parts of it.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -Xcompiler -mavx2 -o staging staging.cu && ./staging [pinning]
//
// Each line on standard output is one JSON object; GB/s are 1e9 bytes of payload a second, the best of the samples,
// since a limit is what the machine can do. 1 GiB of ordinary memory, slots of 4 MiB, 32 of them, like Stretto's.
//   dma      pinned memory to the device, nothing else
//   read     threads sum the source
//   cached   threads copy the source to a block of their own that stays in a core's cache: reading, and writing to caches
//   slots    threads copy the source to the slots, which nobody sends: reading and writing
//   staged   threads copy the source to the slots, and the device fetches them: reading, writing, and the link's reads
// The last two with memcpy, and with stores that bypass the caches. "pinning": cudaMallocHost of 4 GiB.
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kBytes = size_t{1} << 30;
constexpr size_t kSlot = size_t{4} << 20;
constexpr int kSlots = 32;
constexpr size_t kOwn = size_t{128} << 10;  // stays in a core's second-level cache
constexpr int kSamples = 7;

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void parallel(int threads, const std::function<void(int)>& work) {
  std::vector<std::thread> crew;
  for (int i = 0; i < threads; i++) crew.emplace_back(work, i);
  for (std::thread& thread : crew) thread.join();
}

double best(const std::function<void()>& work) {
  double seconds = 1e9;
  for (int i = 0; i < kSamples; i++) {
    const auto start = Clock::now();
    work();
    seconds = std::min(seconds, secondsSince(start));
  }
  return seconds;
}

void print(const char* way, const char* stores, int threads, double seconds) {
  printf("{\"bench\":\"staging-limit\",\"way\":\"%s\",\"stores\":\"%s\",\"threads\":%d,\"gigabytesPerSecond\":%.1f}\n", way,
         stores, threads, kBytes / seconds / 1e9);
  fflush(stdout);
}

void bypassing(char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 128) {
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32));
    const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 64));
    const __m256i d = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 96));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i), a);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + 32), b);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + 64), c);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + 96), d);
  }
  _mm_sfence();
}

void cached(char* to, const char* from, size_t bytes) { memcpy(to, from, bytes); }

std::atomic<long long> sink;

long long sum(const char* from, size_t bytes) {
  __m256i total = _mm256_setzero_si256();
  for (size_t i = 0; i < bytes; i += 64) {
    total = _mm256_add_epi64(total, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
    total = _mm256_add_epi64(total, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32)));
  }
  return _mm256_extract_epi64(total, 0) + _mm256_extract_epi64(total, 1) + _mm256_extract_epi64(total, 2) +
         _mm256_extract_epi64(total, 3);
}

void limits() {
  char* source = static_cast<char*>(aligned_alloc(kSlot, kBytes));
  parallel(8, [&](int i) { memset(source + i * (kBytes / 8), i + 1, kBytes / 8); });
  char* slots;
  CHECK(cudaMallocHost(&slots, kSlots * kSlot));
  char* device;
  CHECK(cudaMalloc(&device, kBytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::vector<cudaEvent_t> sent(kSlots);
  for (cudaEvent_t& event : sent) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  print("dma", "none", 0, best([&] {
          for (size_t at = 0; at < kBytes; at += kSlots * kSlot) {
            CHECK(cudaMemcpyAsync(device + at, slots, kSlots * kSlot, cudaMemcpyHostToDevice, stream));
          }
          CHECK(cudaStreamSynchronize(stream));
        }));
  const int pieces = kBytes / kSlot;
  for (const int threads : {1, 2, 4, 8, 12}) {
    print("read", "none", threads, best([&] {
            std::atomic<int> next{0};
            parallel(threads, [&](int) {
              for (int i; (i = next++) < pieces;) sink += sum(source + i * kSlot, kSlot);
            });
          }));
    print("cached", "memcpy", threads, best([&] {
            std::atomic<int> next{0};
            parallel(threads, [&](int) {
              std::vector<char> own(kOwn);
              for (int i; (i = next++) < pieces;) {
                for (size_t at = 0; at < kSlot; at += kOwn) {
                  cached(own.data(), source + i * kSlot + at, kOwn);
                  sink += own[at % kOwn];
                }
              }
            });
          }));
    for (const bool bypass : {false, true}) {
      const auto move = bypass ? bypassing : cached;
      const char* stores = bypass ? "bypassing" : "memcpy";
      print("slots", stores, threads, best([&] {
              std::atomic<int> next{0};
              parallel(threads, [&](int) {
                for (int i; (i = next++) < pieces;) move(slots + (i % kSlots) * kSlot, source + i * kSlot, kSlot);
              });
            }));
      print("staged", stores, threads, best([&] {
              // A thread keeps slots of its own, and waits for the older of them.
              parallel(threads, [&](int t) {
                const int own = kSlots / threads;
                int turn = 0;
                for (int i = t; i < pieces; i += threads, turn++) {
                  const int slot = t * own + turn % own;
                  if (turn >= own) CHECK(cudaEventSynchronize(sent[slot]));
                  move(slots + slot * kSlot, source + i * kSlot, kSlot);
                  CHECK(cudaMemcpyAsync(device + i * kSlot, slots + slot * kSlot, kSlot, cudaMemcpyHostToDevice, stream));
                  CHECK(cudaEventRecord(sent[slot], stream));
                }
              });
              CHECK(cudaStreamSynchronize(stream));
            }));
    }
  }
  std::vector<char> back(kBytes);
  CHECK(cudaMemcpy(back.data(), device, kBytes, cudaMemcpyDeviceToHost));
  if (memcmp(back.data(), source, kBytes) != 0) throw std::runtime_error("what was staged last is wrong");
}

void pinning() {
  const size_t bytes = size_t{4} << 30;
  CHECK(cudaFree(nullptr));
  std::vector<double> seconds;
  for (int i = 0; i < 3; i++) {
    void* memory;
    const auto start = Clock::now();
    CHECK(cudaMallocHost(&memory, bytes));
    seconds.push_back(secondsSince(start));
    CHECK(cudaFreeHost(memory));
  }
  std::sort(seconds.begin(), seconds.end());
  printf("{\"bench\":\"pinning\",\"bytes\":%zu,\"milliseconds\":%.1f}\n", bytes, seconds[1] * 1e3);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count > 1 && std::string(arguments[1]) == "pinning") {
      pinning();
    } else {
      limits();
    }
  } catch (const std::exception& e) {
    fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
