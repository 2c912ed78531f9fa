// How fast a file in the page cache comes to the device by hand: each thread reads pieces into a few pinned buffers of its
// own with pread, hands them to a stream, and waits for the oldest before it is read into again.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -o file file.cu && ./file PATH
//
// Each line on standard output is one JSON object; GB/s are 1e9 bytes a second, the median of five. "read" leaves out the
// device; "flow" has it. Beside them the link alone.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSamples = 5;
constexpr size_t kMost = size_t{16} * 4 * (size_t{4} << 20);

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}
#define CHECK(call) check((call), #call)

using Clock = std::chrono::steady_clock;

double median(const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < kSamples; i++) {
    const auto start = Clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[kSamples / 2];
}

void readAll(int file, char* to, size_t bytes, size_t at) {
  while (bytes > 0) {
    const ssize_t read = pread(file, to, bytes, static_cast<off_t>(at));
    if (read <= 0) throw std::runtime_error("pread");
    to += read;
    at += read;
    bytes -= read;
  }
}

void measure(const char* path) {
  const int file = open(path, O_RDONLY);
  struct stat state;
  if (file < 0 || fstat(file, &state) != 0) throw std::runtime_error(std::string("cannot open ") + path);
  const size_t bytes = state.st_size;
  char* pinned;
  CHECK(cudaMallocHost(&pinned, kMost));
  char* device;
  CHECK(cudaMalloc(&device, kMost));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const double link = median([&] {
    for (size_t at = 0; at < bytes; at += kMost) {
      CHECK(cudaMemcpyAsync(device, pinned, kMost, cudaMemcpyHostToDevice, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
  });
  printf("{\"bench\":\"file-limit\",\"way\":\"link\",\"gigabytesPerSecond\":%.1f}\n",
         (bytes + kMost - 1) / kMost * kMost / link / 1e9);
  for (const bool sends : {false, true}) {
    for (const int threads : {6, 8, 10, 12, 16}) {
      for (const size_t piece : {size_t{512} << 10, size_t{1} << 20, size_t{2} << 20, size_t{4} << 20}) {
        for (const int ring : {2, 3, 4}) {
          if (!sends && ring > 2) continue;
          std::vector<cudaEvent_t> sent(threads * ring);
          for (cudaEvent_t& event : sent) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
          const double seconds = median([&] {
            std::atomic<size_t> next{0};
            std::vector<std::thread> crew;
            for (int t = 0; t < threads; t++) {
              crew.emplace_back([&, t] {
                for (int turn = 0;; turn++) {
                  const size_t at = next.fetch_add(piece);
                  if (at >= bytes) return;
                  const int place = t * ring + turn % ring;
                  char* buffer = pinned + place * piece;
                  const size_t part = std::min(piece, bytes - at);
                  if (sends && turn >= ring) CHECK(cudaEventSynchronize(sent[place]));
                  readAll(file, buffer, part, at);
                  if (!sends) continue;
                  CHECK(cudaMemcpyAsync(device + place * piece, buffer, part, cudaMemcpyHostToDevice, stream));
                  CHECK(cudaEventRecord(sent[place], stream));
                }
              });
            }
            for (std::thread& thread : crew) thread.join();
            CHECK(cudaStreamSynchronize(stream));
          });
          for (cudaEvent_t& event : sent) CHECK(cudaEventDestroy(event));
          printf("{\"bench\":\"file-limit\",\"way\":\"%s\",\"threads\":%d,\"piece\":%zu,\"ring\":%d,\"gigabytesPerSecond\":%.1f}\n",
                 sends ? "flow" : "read", threads, piece, ring, bytes / seconds / 1e9);
          fflush(stdout);
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) throw std::runtime_error("usage: file PATH");
    measure(arguments[1]);
  } catch (const std::exception& e) {
    fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
