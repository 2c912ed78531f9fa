// How fast a file in the page cache can be copied to another file, by what the system offers: each thread reads pieces into
// a buffer of its own with pread and writes them with pwrite, over an old file or a new one, with the room allocated
// before or not, past the page cache or not; or reads straight into the mapped target; or the kernel copies by itself.
//
//   g++ -O3 -std=c++17 -pthread -o copyfile copyfile.cpp && ./copyfile FROM TO
//
// Each line on standard output is one JSON object; GB/s are 1e9 bytes a second, the median of three. Before each copy, what
// is still to be written to the disk is written, which is not part of the time.
#include <fcntl.h>
#include <sys/mman.h>
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

// kKept is allocated beyond the end of the file, which still grows with what is written.
enum class Target { kOver, kNew, kAllocated, kKept };

enum class How { kCached, kDirect, kKernel, kMapped };

struct Way {
  Target target;
  How how;
  int threads;
  size_t piece;
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + strerror(errno)); }

void copyPiece(int from, int to, char* buffer, size_t at, size_t bytes, How how) {
  if (how == How::kKernel) {
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
  if (how == How::kMapped) return;
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
  const int to = open(toPath, O_RDWR | O_CREAT | (way.how == How::kDirect ? O_DIRECT : 0), 0644);
  if (to < 0) {
    close(from);
    return -1;
  }
  const bool isMapped = way.how == How::kMapped;
  char* mapped = nullptr;
  bool sound = true;
  if (way.target == Target::kAllocated || way.target == Target::kKept) {
    sound = fallocate(to, way.target == Target::kKept ? FALLOC_FL_KEEP_SIZE : 0, 0, static_cast<off_t>(bytes)) == 0;
  }
  if (sound && isMapped) {
    sound = ftruncate(to, static_cast<off_t>(bytes)) == 0;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
    sound = sound && memory != MAP_FAILED;
    mapped = static_cast<char*>(memory);
  }
  if (!sound) {
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
          copyPiece(from, to, isMapped ? mapped + at : buffer, at, std::min(way.piece, bytes - at), way.how);
        }
      } catch (const std::exception&) {
        refused = true;
      }
      free(buffer);
    });
  }
  for (std::thread& thread : crew) thread.join();
  if (isMapped) munmap(mapped, bytes);
  close(to);
  close(from);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return refused ? -1 : seconds;
}

void measure(const char* from, const char* to) {
  struct stat state;
  if (stat(from, &state) != 0) fail(from);
  const size_t bytes = state.st_size / kPage * kPage;
  const char* names[] = {"over", "new", "allocated", "kept"};
  const char* hows[] = {"cached", "direct", "kernel", "mapped"};
  copy(from, to, {Target::kNew, How::kCached, 4, size_t{4} << 20}, bytes);
  for (const Target target : {Target::kOver, Target::kNew, Target::kAllocated, Target::kKept}) {
    for (const How how : {How::kCached, How::kDirect, How::kKernel, How::kMapped}) {
      for (const int threads : {1, 2, 4, 8, 16}) {
        const Way way{target, how, threads, size_t{4} << 20};
        std::vector<double> seconds;
        for (int i = 0; i < kSamples; i++) seconds.push_back(copy(from, to, way, bytes));
        std::sort(seconds.begin(), seconds.end());
        if (seconds[0] < 0) continue;
        printf("{\"bench\":\"copy-file\",\"to\":\"%s\",\"how\":\"%s\",\"threads\":%d,\"gigabytesPerSecond\":%.2f}\n",
               names[static_cast<int>(target)], hows[static_cast<int>(how)], threads,
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
