// Two processes on one GPU: one fills an array, the other one sums it, and so on. Told by events of both processes
// (cuIpcGetEventHandle) with a byte over a socket for each; and, since streams cannot wait for a recording that is yet to be
// made, enqueued ahead by numbers that streams write and wait for in memory of both.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o processes bench/cpp/processes.cu -lcuda && ./processes [ROUNDS]
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

static void check(int result, const char *call) {
  if (result != 0) {
    std::fprintf(stderr, "%s: %d\n", call, result);
    std::exit(1);
  }
}
#define CHECK(call) check(static_cast<int>(call), #call)

static const int SIZES[] = {4 << 10, 1 << 20, 16 << 20};
static const int WARM = 200;

__global__ void sum(const int *from, long long n, unsigned long long *to) {
  long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  long long sum = 0;
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n; i += step) sum += from[i];
  atomicAdd(to, static_cast<unsigned long long>(sum));
}

static void say(int socket) {
  char byte = 1;
  check(write(socket, &byte, 1) != 1, "write");
}

static void hear(int socket) {
  char byte;
  check(read(socket, &byte, 1) != 1, "read");
}

static double micros(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? std::atoi(arguments[1]) : 10000;
  int sockets[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  bool fills = fork() != 0;
  int socket = sockets[fills];
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t mine, theirs;
  CHECK(cudaEventCreateWithFlags(&mine, cudaEventDisableTiming | cudaEventInterprocess));
  cudaIpcEventHandle_t handle;
  CHECK(cudaIpcGetEventHandle(&handle, mine));
  check(write(socket, &handle, sizeof handle) != sizeof handle, "write");
  check(read(socket, &handle, sizeof handle) != sizeof handle, "read");
  CHECK(cudaIpcOpenEventHandle(&theirs, handle));
  // The memory: an array, and two numbers in a block behind it.
  const size_t most = 16 << 20, block = 2 << 20;
  char *memory;
  cudaIpcMemHandle_t shared;
  if (fills) {
    CHECK(cudaMalloc(&memory, most + block));
    CHECK(cudaMemset(memory, 0, most + block));
    CHECK(cudaIpcGetMemHandle(&shared, memory));
    check(write(socket, &shared, sizeof shared) != sizeof shared, "write");
  } else {
    check(read(socket, &shared, sizeof shared) != sizeof shared, "read");
    CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void **>(&memory), shared, cudaIpcMemLazyEnablePeerAccess));
  }
  CUdeviceptr filled = reinterpret_cast<CUdeviceptr>(memory + most), emptied = filled + 64;
  unsigned long long *total, *host;
  CHECK(cudaMalloc(&total, 8));
  CHECK(cudaMallocHost(&host, 8));
  CUstream queue = stream;
  unsigned long long base = 0;
  for (int bytes : SIZES) {
    long long n = bytes / 4;
    bool right = true;
    for (int times : {WARM, rounds}) {
      auto start = std::chrono::steady_clock::now();
      for (int round = 1; round <= times; round++) {
        if (fills) {
          CHECK(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(memory), round % 7, n, queue));
          CHECK(cudaEventRecord(mine, stream));
          say(socket);
          hear(socket);
          CHECK(cudaStreamWaitEvent(stream, theirs, 0));
        } else {
          hear(socket);
          CHECK(cudaStreamWaitEvent(stream, theirs, 0));
          CHECK(cudaMemsetAsync(total, 0, 8, stream));
          sum<<<132, 256, 0, stream>>>(reinterpret_cast<int *>(memory), n, total);
          CHECK(cudaMemcpyAsync(host, total, 8, cudaMemcpyDeviceToHost, stream));
          CHECK(cudaEventRecord(mine, stream));
          CHECK(cudaStreamSynchronize(stream));
          right = right && *host == static_cast<unsigned long long>(round % 7) * n;
          say(socket);
        }
      }
      CHECK(cudaStreamSynchronize(stream));
      if (fills && times > WARM) std::printf("| %d KiB, each awaited | %.2f us |\n", bytes >> 10, micros(start) / times);
    }
    for (int times : {WARM, rounds}) {
      if (!fills) {
        CHECK(cudaMemsetAsync(total, 0, 8, stream));
        CHECK(cudaStreamSynchronize(stream));
        say(socket);
      } else {
        hear(socket);
      }
      unsigned long long wanted = 0;
      auto start = std::chrono::steady_clock::now();
      for (int round = 1; round <= times; round++) {
        if (fills) {
          CHECK(cuStreamWaitValue64(queue, emptied, base + round - 1, CU_STREAM_WAIT_VALUE_GEQ));
          CHECK(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(memory), round % 7, n, queue));
          CHECK(cuStreamWriteValue64(queue, filled, base + round, 0));
        } else {
          CHECK(cuStreamWaitValue64(queue, filled, base + round, CU_STREAM_WAIT_VALUE_GEQ));
          sum<<<132, 256, 0, stream>>>(reinterpret_cast<int *>(memory), n, total);
          CHECK(cuStreamWriteValue64(queue, emptied, base + round, 0));
          wanted += static_cast<unsigned long long>(round % 7) * n;
        }
      }
      base += times;
      if (fills) {
        CHECK(cuStreamWaitValue64(queue, emptied, base, CU_STREAM_WAIT_VALUE_GEQ));
        CHECK(cudaStreamSynchronize(stream));
        if (times > WARM) std::printf("| %d KiB, enqueued ahead | %.2f us |\n", bytes >> 10, micros(start) / times);
      } else {
        CHECK(cudaMemcpyAsync(host, total, 8, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        right = right && *host == wanted;
      }
    }
    if (!fills && !right) std::fprintf(stderr, "wrong sums of %d bytes\n", bytes);
  }
  std::fflush(stdout);
  if (fills) {
    hear(socket); // it has closed the memory
    wait(nullptr);
  } else {
    CHECK(cudaIpcCloseMemHandle(memory));
    say(socket);
  }
}
