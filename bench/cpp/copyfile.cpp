// How fast a file in the page cache can be copied to another file, by what the system offers: each thread reads pieces into
// a buffer of its own with pread and writes them with pwrite, over an old file or a new one, with the room allocated
// before or not, past the page cache or not; or the kernel copies by itself.
//
//   g++ -O3 -std=c++17 -pthread -o copyfile copyfile.cpp && ./copyfile FROM TO
//
// Each line on standard output is one JSON object; GB/s are 1e9 bytes a second, the median of three. Before each copy, what
// is still to be written to the disk is written, which is not part of the time.
#include <fcntl.h>
#include <sys/stat.h>
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

enum class Target { kOver, kNew, kAllocated };

struct Way {
  Target target;
  bool direct;
  bool byKernel;
  int threads;
  size_t piece;
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + strerror(errno)); }

void copyPiece(int from, int to, char* buffer, size_t at, size_t bytes, bool byKernel) {
  if (byKernel) {
    off_t in = static_cast<off_t>(at), out = in;
    while (bytes > 0) {
      const ssize_t moved = copy_file_range(from, &in, to, &out, bytes, 0);
      if (moved <= 0) fail("copy_file_range");
      bytes -= moved;
    }
    return;
  }
  for (size_t done = 0; done < bytes;) {
    const ssize_t read = pread(from, buffer + done, bytes - done, at + done);
    if (read <= 0) fail("pread");
    done += read;
  }
  for (size_t done = 0; done < bytes;) {
    const ssize_t written = pwrite(to, buffer + done, bytes - done, at + done);
    if (written <= 0) fail("pwrite");
    done += written;
  }
}

// The seconds that a copy takes, or nothing if the file system refuses it.
double copy(const char* fromPath, const char* toPath, const Way& way, size_t bytes) {
  const int from = open(fromPath, O_RDONLY);
  if (from < 0) fail(fromPath);
  if (way.target != Target::kOver) unlink(toPath);
  sync();
  const auto start = std::chrono::steady_clock::now();
  const int to = open(toPath, O_WRONLY | O_CREAT | (way.direct ? O_DIRECT : 0), 0644);
  if (to < 0) {
    close(from);
    return -1;
  }
  if (way.target == Target::kAllocated && fallocate(to, 0, 0, static_cast<off_t>(bytes)) != 0) {
    close(from);
    close(to);
    return -1;
  }
  std::atomic<size_t> next{0};
  std::atomic<bool> refused{false};
  std::vector<std::thread> crew;
  for (int t = 0; t < way.threads; t++) {
    crew.emplace_back([&] {
      char* buffer = static_cast<char*>(aligned_alloc(kPage, way.piece));
      try {
        for (size_t at = next.fetch_add(way.piece); at < bytes; at = next.fetch_add(way.piece)) {
          copyPiece(from, to, buffer, at, std::min(way.piece, bytes - at), way.byKernel);
        }
      } catch (const std::exception&) {
        refused = true;
      }
      free(buffer);
    });
  }
  for (std::thread& thread : crew) thread.join();
  close(to);
  close(from);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return refused ? -1 : seconds;
}

void measure(const char* from, const char* to) {
  struct stat state;
  if (stat(from, &state) != 0) fail(from);
  const size_t bytes = state.st_size / kPage * kPage;
  const char* names[] = {"over", "new", "allocated"};
  copy(from, to, {Target::kNew, false, false, 4, size_t{4} << 20}, bytes);
  for (const Target target : {Target::kOver, Target::kNew, Target::kAllocated}) {
    for (const int how : {0, 1, 2}) {
      for (const int threads : {1, 2, 4, 8, 16}) {
        const Way way{target, how == 1, how == 2, threads, size_t{4} << 20};
        std::vector<double> seconds;
        for (int i = 0; i < kSamples; i++) seconds.push_back(copy(from, to, way, bytes));
        std::sort(seconds.begin(), seconds.end());
        if (seconds[0] < 0) continue;
        printf("{\"bench\":\"copy-file\",\"to\":\"%s\",\"how\":\"%s\",\"threads\":%d,\"gigabytesPerSecond\":%.2f}\n",
               names[static_cast<int>(target)], how == 1 ? "direct" : how == 2 ? "kernel" : "cached", threads,
               bytes / seconds[kSamples / 2] / 1e9);
        fflush(stdout);
      }
    }
  }
  unlink(to);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 3) throw std::runtime_error("usage: copyfile FROM TO");
    measure(arguments[1], arguments[2]);
  } catch (const std::exception& e) {
    fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
