// Work for a GPU that something else is measured beside:
//   load kernels N   N times kernels that take all multiprocessors
//   load copies N    N times copies in and out, of pinned memory
// until it is killed. N is done by as many processes, because the device gives each of them its turn.
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    const cudaError_t result = (call);                                                           \
    if (result != cudaSuccess) {                                                                 \
      std::fprintf(stderr, "load: %s: %s\n", #call, cudaGetErrorString(result));                 \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

namespace {

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

void kernels() {
  constexpr long long kCycles = 20'000'000;  // some ten milliseconds
  for (;;) {
    for (int i = 0; i < 8; i++) spin<<<2048, 1024>>>(kCycles);
    CHECK(cudaDeviceSynchronize());
  }
}

void copies() {
  constexpr size_t kBytes = 64u << 20;
  void *in, *out, *device, *other;
  cudaStream_t one, two;
  CHECK(cudaMallocHost(&in, kBytes));
  CHECK(cudaMallocHost(&out, kBytes));
  CHECK(cudaMalloc(&device, kBytes));
  CHECK(cudaMalloc(&other, kBytes));
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  for (;;) {
    for (int i = 0; i < 16; i++) {
      CHECK(cudaMemcpyAsync(device, in, kBytes, cudaMemcpyHostToDevice, one));
      CHECK(cudaMemcpyAsync(out, other, kBytes, cudaMemcpyDeviceToHost, two));
    }
    CHECK(cudaDeviceSynchronize());
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count == 3 ? words[1] : "";
  const int processes = count == 3 ? std::atoi(words[2]) : 0;
  if ((what != "kernels" && what != "copies") || processes < 1) {
    std::fprintf(stderr, "usage: load kernels|copies N\n");
    return 2;
  }
  for (int i = 1; i < processes; i++) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      break;
    }
  }
  what == "kernels" ? kernels() : copies();
}
