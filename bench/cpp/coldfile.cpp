// How fast a file is read that is not in the page cache: by threads, each with a buffer of its own, through the page cache
// or past it (O_DIRECT), in pieces of several sizes.
//
//   g++ -O3 -std=c++17 -pthread -o coldfile coldfile.cpp && ./coldfile FILE
//
// Each line on standard output is one JSON object; GB/s are 1e9 bytes a second, the median of three. Before each run the
// file is dropped from the page cache; "resident" is the share of it that stayed, which must be near 0 for the figure to
// say anything.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSamples = 3;
constexpr size_t kPage = 4096;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + strerror(errno)); }

// The share of the file that is in the page cache.
double resident(int file, size_t bytes) {
  void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) fail("mmap");
  std::vector<unsigned char> pages((bytes + kPage - 1) / kPage);
  if (mincore(mapped, bytes, pages.data()) != 0) fail("mincore");
  munmap(mapped, bytes);
  size_t in = 0;
  for (const unsigned char page : pages) in += page & 1;
  return static_cast<double>(in) / pages.size();
}

double drop(const char* path, size_t bytes) {
  const int file = open(path, O_RDONLY);
  if (file < 0) fail(path);
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  const double share = resident(file, bytes);
  close(file);
  return share;
}

double read(const char* path, bool direct, int threads, size_t piece, size_t bytes) {
  const int file = open(path, O_RDONLY | (direct ? O_DIRECT : 0));
  if (file < 0) return -1;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<size_t> next{0};
  std::atomic<bool> refused{false};
  std::vector<std::thread> crew;
  for (int t = 0; t < threads; t++) {
    crew.emplace_back([&] {
      char* buffer = static_cast<char*>(aligned_alloc(kPage, piece));
      for (size_t at = next.fetch_add(piece); at < bytes; at = next.fetch_add(piece)) {
        for (size_t done = 0; done < std::min(piece, bytes - at);) {
          const ssize_t got = pread(file, buffer + done, std::min(piece, bytes - at) - done, at + done);
          if (got <= 0) {
            refused = true;
            break;
          }
          done += got;
        }
        if (refused) break;
      }
      free(buffer);
    });
  }
  for (std::thread& thread : crew) thread.join();
  close(file);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return refused ? -1 : seconds;
}

void measure(const char* path) {
  struct stat state;
  if (stat(path, &state) != 0) fail(path);
  const size_t bytes = state.st_size / kPage * kPage;
  {
    const int file = open(path, O_RDONLY);
    char byte;
    iovec vector{&byte, 1};
    const double left = drop(path, bytes);
    const ssize_t cold = preadv2(file, &vector, 1, 0, RWF_NOWAIT);
    const int why = errno;
    pread(file, &byte, 1, 0);
    const ssize_t hot = preadv2(file, &vector, 1, 0, RWF_NOWAIT);
    printf("{\"bench\":\"nowait\",\"resident\":%.3f,\"cold\":%zd,\"error\":\"%s\",\"hot\":%zd}\n", left, cold,
           cold < 0 ? strerror(why) : "", hot);
    close(file);
  }
  for (const size_t piece : {size_t{1} << 20, size_t{4} << 20}) {
    for (const bool direct : {true, false}) {
      for (const int threads : {1, 4, 8, 16, 32, 64}) {
        std::vector<double> seconds;
        double most = 0;
        for (int i = 0; i < kSamples; i++) {
          most = std::max(most, drop(path, bytes));
          seconds.push_back(read(path, direct, threads, piece, bytes));
        }
        std::sort(seconds.begin(), seconds.end());
        if (seconds[0] < 0) continue;
        printf("{\"bench\":\"cold-file\",\"how\":\"%s\",\"piece\":%zu,\"threads\":%d,\"resident\":%.3f,"
               "\"gigabytesPerSecond\":%.2f}\n",
               direct ? "direct" : "cached", piece, threads, most, bytes / seconds[kSamples / 2] / 1e9);
        fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) throw std::runtime_error("usage: coldfile FILE");
    measure(arguments[1]);
  } catch (const std::exception& e) {
    fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
