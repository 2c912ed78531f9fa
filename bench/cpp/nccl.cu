// What one call of NCCL costs the host, by itself: with one rank, so that nothing waits for others, and, if there are two
// GPUs, with two, each on a thread of its own. Prints JSON lines.
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    int code_ = (int)(call);                                                          \
    if (code_ != 0) {                                                                  \
      fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, code_);             \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

static const int CALLS = 1000;
static const int ROUNDS = 9;

static double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void wait(ncclComm_t comm) {
  ncclResult_t state = ncclInProgress;
  while (state == ncclInProgress) {
    CHECK(ncclCommGetAsyncError(comm, &state));
  }
  CHECK(state);
}

static void all(ncclComm_t comm, float *from, float *to, size_t count, cudaStream_t stream, bool blocking) {
  ncclResult_t result = ncclAllReduce(from, to, count, ncclFloat32, ncclSum, comm, stream);
  if (blocking) {
    CHECK(result);
  } else if (result == ncclInProgress) {
    wait(comm);
  } else {
    CHECK(result);
  }
}

/** Both ranks make the same calls; the first one's host tells the time. Half of them fit into the driver's queue. */
static void pair() {
  const int calls = 200;
  const int warmUps = 20;
  ncclUniqueId id;
  CHECK(ncclGetUniqueId(&id));
  std::barrier<> meeting(2);
  std::vector<double> each;
  auto rank = [&](int number) {
    CHECK(cudaSetDevice(number));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    ncclComm_t comm;
    CHECK(ncclCommInitRankConfig(&comm, 2, id, number, &config));
    float *from, *to;
    const size_t count = 1024;
    CHECK(cudaMalloc(&from, count * 4));
    CHECK(cudaMalloc(&to, count * 4));
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < warmUps + ROUNDS; round++) {
      CHECK(cudaStreamSynchronize(stream));
      meeting.arrive_and_wait();
      double begin = now();
      for (int i = 0; i < calls; i++) {
        all(comm, from, to, count, stream, true);
      }
      if (number == 0 && round >= warmUps) {
        each.push_back((now() - begin) / calls);
      }
    }
    CHECK(cudaStreamSynchronize(stream));
    meeting.arrive_and_wait();
    CHECK(ncclCommDestroy(comm));
  };
  std::thread other(rank, 1);
  rank(0);
  other.join();
  std::sort(each.begin(), each.end());
  printf("{\"side\":\"C++\",\"what\":\"all-reduce of 1024 floats, two ranks\",\"micros\":%.3f}\n", each[ROUNDS / 2]);
}

int main() {
  for (int blocking = 0; blocking < 2; blocking++) {
    ncclUniqueId id;
    CHECK(ncclGetUniqueId(&id));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = blocking;
    ncclComm_t comm;
    ncclResult_t result = ncclCommInitRankConfig(&comm, 1, id, 0, &config);
    if (blocking) {
      CHECK(result);
    } else {
      wait(comm);
    }
    float *from, *to;
    size_t count = 1024;
    CHECK(cudaMalloc(&from, count * 4));
    CHECK(cudaMalloc(&to, count * 4));
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<double> each;
    for (int round = 0; round < ROUNDS; round++) {
      CHECK(cudaStreamSynchronize(stream));
      double begin = now();
      for (int i = 0; i < CALLS; i++) {
        all(comm, from, to, count, stream, blocking);
      }
      each.push_back((now() - begin) / CALLS);
      CHECK(cudaStreamSynchronize(stream));
    }
    std::sort(each.begin(), each.end());
    printf("{\"side\":\"C++\",\"what\":\"all-reduce of 1024 floats, %s\",\"micros\":%.3f}\n",
           blocking ? "blocking" : "not blocking", each[ROUNDS / 2]);
    CHECK(ncclCommAbort(comm));
  }
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices > 1) {
    pair();
  }
  return 0;
}
