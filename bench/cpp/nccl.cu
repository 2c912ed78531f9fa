// What one call of NCCL costs the host, by itself: one rank, so that nothing waits for others. Prints JSON lines.
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    int result = (int)(call);                                                           \
    if (result != 0) {                                                                  \
      fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result);            \
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
  return 0;
}
