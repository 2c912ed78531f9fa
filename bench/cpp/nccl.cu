// One rank of NCCL and rows of its calls, as C++ makes them: bench/nccl.sh makes a library of it, which dev.stretto.bench.nccl
// calls in turns with a communicator. Every rank has a process of its own.
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    int code_ = (int)(call);                                                            \
    if (code_ != 0) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, code_);             \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

static const size_t COUNT = 1024;

struct Rank {
  ncclComm_t comm;
  cudaStream_t stream;
  float *from;
  float *to;
};

static double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

extern "C" void rank_id(ncclUniqueId *id) { CHECK(ncclGetUniqueId(id)); }

extern "C" Rank *rank_open(int device, int number, int size, const ncclUniqueId *id) {
  CHECK(cudaSetDevice(device));
  Rank *rank = new Rank();
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 1;
  CHECK(ncclCommInitRankConfig(&rank->comm, size, *id, number, &config));
  CHECK(cudaMalloc(&rank->from, COUNT * sizeof(float)));
  CHECK(cudaMalloc(&rank->to, COUNT * sizeof(float)));
  CHECK(cudaStreamCreateWithFlags(&rank->stream, cudaStreamNonBlocking));
  return rank;
}

extern "C" double rank_micros(Rank *rank, int calls) {
  double begin = now();
  for (int i = 0; i < calls; i++) {
    CHECK(ncclAllReduce(rank->from, rank->to, COUNT, ncclFloat32, ncclSum, rank->comm, rank->stream));
  }
  return (now() - begin) / calls;
}

extern "C" void rank_await(Rank *rank) { CHECK(cudaStreamSynchronize(rank->stream)); }

extern "C" void rank_close(Rank *rank) {
  CHECK(ncclCommDestroy(rank->comm));
  CHECK(cudaStreamDestroy(rank->stream));
  CHECK(cudaFree(rank->from));
  CHECK(cudaFree(rank->to));
  delete rank;
}
