// Barriers of a block, and copies that complete on them: libcu++, cuda::barrier; CUDA Programming Guide, "Asynchronous
// Barriers"; PTX ISA, "mbarrier".
#pragma once

#include "kernels.cuh"

namespace {

// ---- Arriving and waiting

__global__ void barrierRounds(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[128];
  make(&barrier, size());
  for (int round = 0; round < 8; round++) {
    values[rank()] = in[128 * round + rank()];
    barrier.arrive_and_wait();
    out[128 * round + rank()] = values[(rank() + 1) % 128];
    barrier.arrive_and_wait();
  }
}

TWIN(barrierRoundsTwin, "barrier-rounds", Kind::kPlain) { sayStored("stored", barrierRounds, 1, 128); }

__global__ void barrierLater(const int* in, int* out) {
  __shared__ BlockBarrier stored, read;
  __shared__ int values[128];
  make(&stored, size());
  make(&read, size());
  for (int round = 0; round < 8; round++) {
    values[rank()] = in[128 * round + rank()];
    auto token = stored.arrive();
    int own = in[rank()] * round;
    stored.wait(std::move(token));
    out[128 * round + rank()] = own + values[127 - rank()];
    read.arrive_and_wait();
  }
}

TWIN(barrierLaterTwin, "barrier-arrive-first-and-wait-later", Kind::kPlain) {
  sayStored("stored", barrierLater, 1, 128);
}

/** Lane 0 arrives for its whole warp. */
__global__ void barrierSeveral(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[128];
  make(&barrier, size());
  values[rank()] = in[rank()];
  __syncwarp();
  if (rank() % 32 == 0) (void)barrier.arrive(32);
  barrier.wait_parity(false);
  out[rank()] = values[(rank() + 40) % 128];
}

TWIN(barrierSeveralTwin, "barrier-several-arrivals-of-one", Kind::kPlain) {
  sayStored("stored", barrierSeveral, 1, 128);
}

/** One thread arrives, and the others only wait. */
__global__ void barrierOfOne(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int value;
  make(&barrier, 1);
  if (rank() == 5) {
    value = in[77];
    (void)barrier.arrive();
  }
  barrier.wait_parity(false);
  out[rank()] = value + rank();
}

TWIN(barrierOfOneTwin, "barrier-of-one-arrival", Kind::kPlain) { sayStored("stored", barrierOfOne, 1, 96); }

/** Eight threads leave after each round; each round counts those that are left. */
__global__ void barrierDrop(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int left[8];
  if (rank() < 8) left[rank()] = in[0];
  make(&barrier, size());
  for (int round = 0; round < 8; round++) {
    atomicAdd(&left[round], 1);
    if (rank() / 8 == round) {
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
    out[64 * round + rank()] = left[round];
  }
}

TWIN(barrierDropTwin, "barrier-left-by-some-each-round", Kind::kPlain) { sayStored("stored", barrierDrop, 1, 64); }

/** The phase before the first one counts as ended; then they alternate. */
__global__ void barrierParity(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[64];
  make(&barrier, size());
  barrier.wait_parity(true);
  for (int round = 0; round < 6; round++) {
    values[(rank() + round) % 64] = in[64 * round + rank()];
    (void)barrier.arrive();
    barrier.wait_parity(round % 2 == 1);
    out[64 * round + rank()] = values[rank()];
    __syncthreads();
  }
}

TWIN(barrierParityTwin, "barrier-waited-for-by-parity", Kind::kPlain) { sayStored("stored", barrierParity, 1, 64); }

/** A phase that lacks an arrival has not ended, however often it is asked. */
__global__ void barrierAsked(const int*, int* out) {
  __shared__ BlockBarrier barrier;
  make(&barrier, 2);
  if (rank() == 0) {
    uint64_t* object = cuda::device::barrier_native_handle(barrier);
    uint64_t phase = ptx::mbarrier_arrive(object);
    for (int i = 0; i < 100; i++) out[0] += ptx::mbarrier_test_wait(object, phase) ? 1 : 0;
    (void)ptx::mbarrier_arrive(object);
    out[1] = ptx::mbarrier_test_wait(object, phase) ? 1 : 2;
    out[2] = ptx::mbarrier_test_wait(object, phase) ? 1 : 2;
  }
}

TWIN(barrierAskedTwin, "barrier-asked-before-it-is-over", Kind::kPlain) { sayStored("stored", barrierAsked, 1, 32); }

/** The word of a barrier is made another barrier of, three times. */
__global__ void barrierAgain(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ int values[64];
  for (int round = 0; round < 3; round++) {
    if (rank() == 0) {
      ptx::mbarrier_init(&word, size() / (round + 1));
    }
    __syncthreads();
    if (rank() < size() / (round + 1)) {
      values[rank()] = in[100 * round + rank()];
      (void)ptx::mbarrier_arrive(&word);
    }
    while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
    }
    out[64 * round + rank()] = values[rank() % (size() / (round + 1))];
    __syncthreads();
    if (rank() == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&word))));
    __syncthreads();
  }
}

TWIN(barrierAgainTwin, "barrier-invalidated-and-made-again", Kind::kPlain) {
  sayStored("stored", barrierAgain, 1, 64);
}

/** Four barriers in a row, one for each round. */
__global__ void barrierIndexed(const int* in, int* out) {
  __shared__ uint64_t words[4];
  __shared__ int values[4][64];
  if (rank() < 4) ptx::mbarrier_init(&words[rank()], size());
  __syncthreads();
  for (int round = 0; round < 12; round++) {
    int slot = round % 4;
    values[slot][rank()] = in[64 * round + rank()];
    uint64_t phase = ptx::mbarrier_arrive(&words[slot]);
    while (!ptx::mbarrier_try_wait(&words[slot], phase)) {
    }
    out[64 * round + rank()] = values[slot][63 - rank()];
  }
}

TWIN(barrierIndexedTwin, "barriers-by-index", Kind::kPlain) { sayStored("stored", barrierIndexed, 1, 64); }

// ---- Copies

template <int kCount>
__global__ void copyOnto(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) int values[kCount];
  cg::thread_block block = cg::this_thread_block();
  make(&barrier, size());
  for (int round = 0; round < 3; round++) {
    cuda::memcpy_async(block, values, in + kCount * round, sizeof(values), barrier);
    barrier.arrive_and_wait();
    for (int i = rank(); i < kCount; i += size()) out[kCount * round + i] = values[kCount - 1 - i];
    barrier.arrive_and_wait();
  }
}

TWIN(copyOntoTwin, "copy-onto-a-barrier", Kind::kPlain) { sayStored("stored", copyOnto<512>, 1, 128); }

TWIN(copyTailTwin, "copy-with-a-tail-onto-a-barrier", Kind::kPlain) {
  sayStored("131", copyOnto<131>, 1, 128);
  sayStored("3", copyOnto<3>, 1, 128);
  sayStored("1", copyOnto<1>, 1, 128);
}

/** Bytes, from places that are a multiple of nothing. */
__global__ void copyBytes(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) char values[1024];
  cg::thread_block block = cg::this_thread_block();
  make(&barrier, size());
  const char* bytes = reinterpret_cast<const char*>(in);
  for (int round = 0; round < 4; round++) {
    cuda::memcpy_async(block, values + round, bytes + 3 * round + 1, 501 + round, barrier);
    barrier.arrive_and_wait();
    for (int i = rank(); i < 501 + round; i += size()) out[600 * round + i] = values[round + i];
    barrier.arrive_and_wait();
  }
}

TWIN(copyBytesTwin, "copy-of-bytes-onto-a-barrier", Kind::kPlain) { sayStored("stored", copyBytes, 1, 128); }

/** Two copies on one phase. */
__global__ void copyTwo(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) int left[256];
  __shared__ alignas(16) int right[256];
  cg::thread_block block = cg::this_thread_block();
  make(&barrier, size());
  cuda::memcpy_async(block, left, in, sizeof(left), barrier);
  cuda::memcpy_async(block, right, in + 1000, sizeof(right), barrier);
  barrier.arrive_and_wait();
  for (int i = rank(); i < 256; i += size()) out[i] = left[i] - right[255 - i];
}

TWIN(copyTwoTwin, "copies-onto-one-phase", Kind::kPlain) { sayStored("stored", copyTwo, 1, 128); }

/** One thread copies, for the whole block. */
__global__ void copyByOne(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) int values[256];
  make(&barrier, size());
  if (rank() == 7) cuda::memcpy_async(values, in + 16, cuda::aligned_size_t<16>(sizeof(values)), barrier);
  barrier.arrive_and_wait();
  for (int i = rank(); i < 256; i += size()) out[i] = values[i];
}

TWIN(copyByOneTwin, "copy-of-one-thread-onto-a-barrier", Kind::kPlain) { sayStored("stored", copyByOne, 1, 96); }

/** Each thread's copy completes on two barriers; half of the threads wait for either. */
__global__ void copyOnBoth(const int* in, int* out) {
  __shared__ uint64_t words[2];
  __shared__ int values[128];
  if (rank() < 2) ptx::mbarrier_init(&words[rank()], size());
  __syncthreads();
  __pipeline_memcpy_async(&values[rank()], &in[rank()], 4);
  __pipeline_arrive_on(reinterpret_cast<__mbarrier_t*>(&words[0]));
  __pipeline_arrive_on(reinterpret_cast<__mbarrier_t*>(&words[1]));
  (void)ptx::mbarrier_arrive(&words[0]);
  (void)ptx::mbarrier_arrive(&words[1]);
  while (!ptx::mbarrier_try_wait_parity(&words[rank() / 64], 0)) {
  }
  out[rank()] = values[127 - rank()];
}

TWIN(copyOnBothTwin, "copy-onto-two-barriers", Kind::kPlain) { sayStored("stored", copyOnBoth, 1, 128); }

/** A thread waits for its own copy first, and the block on the barrier. */
__global__ void copyOnBarrierAndGroup(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ int values[128];
  if (rank() == 0) ptx::mbarrier_init(&word, size());
  __syncthreads();
  __pipeline_memcpy_async(&values[rank()], &in[3 * rank()], 4);
  __pipeline_arrive_on(reinterpret_cast<__mbarrier_t*>(&word));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  int own = values[rank()];
  (void)ptx::mbarrier_arrive(&word);
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  out[rank()] = own - values[127 - rank()];
}

TWIN(copyOnBarrierAndGroupTwin, "copy-onto-a-barrier-and-waited-for-by-its-thread", Kind::kPlain) {
  sayStored("stored", copyOnBarrierAndGroup, 1, 128);
}

// ---- Bulk copies

template <int kCount>
__global__ void bulkIn(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(128) int values[kCount];
  make(&barrier, size());
  for (int round = 0; round < 2; round++) {
    if (rank() == 0) {
      cuda::device::memcpy_async_tx(values, in + 4 * round, cuda::aligned_size_t<16>(sizeof(values)), barrier);
      (void)cuda::device::barrier_arrive_tx(barrier, 1, sizeof(values));
    } else {
      (void)barrier.arrive();
    }
    barrier.wait_parity(round % 2 == 1);
    for (int i = rank(); i < kCount; i += size()) out[i % kOut] += values[i] * (i + 1);
    __syncthreads();
  }
}

TWIN(bulkInTwin, "bulk-copy-in", Kind::kPlain) {
  sayStored("16-bytes", bulkIn<4>, 1, 32);
  sayStored("4096-bytes", bulkIn<1024>, 1, 128);
  sayStored("16-KiB", bulkIn<4096>, 1, 256);
}

/** Several on one phase, whose bytes one thread expects beforehand. */
__global__ void bulkSeveral(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ alignas(128) int values[8][64];
  if (rank() == 0) ptx::mbarrier_init(&word, 1);
  __syncthreads();
  if (rank() == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, sizeof(values));
  }
  __syncthreads();
  if (rank() < 8) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, values[rank()], in + 500 * rank(), 256, &word);
  }
  while (!ptx::mbarrier_try_wait_parity(&word, 0)) {
  }
  for (int i = rank(); i < 512; i += size()) out[i] = values[i / 64][i % 64];
}

TWIN(bulkSeveralTwin, "bulk-copies-of-several-threads-onto-one-phase", Kind::kPlain) {
  sayStored("stored", bulkSeveral, 1, 64);
}

/** Bytes are expected, and a thread says that they came. */
__global__ void bytesByHand(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ int value;
  if (rank() == 0) ptx::mbarrier_init(&word, 1);
  __syncthreads();
  if (rank() == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word, 40);
    out[0] = ptx::mbarrier_test_wait_parity(&word, 0) ? 1 : 2;
    value = in[9];
    __threadfence_block();
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&word));
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(16) : "memory");
    out[1] = ptx::mbarrier_test_wait_parity(&word, 0) ? 1 : 2;
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(24) : "memory");
    out[2] = ptx::mbarrier_test_wait_parity(&word, 0) ? 1 : 2;
    out[3] = value;
  }
}

TWIN(bytesByHandTwin, "bytes-of-a-barrier-by-hand", Kind::kPlain) { sayStored("stored", bytesByHand, 1, 32); }

/** One arrival is missing until all have waited for a time in vain. */
__global__ void barrierInVain(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ int values[64];
  make(&barrier, size() + 1);
  for (int round = 0; round < 4; round++) {
    const bool odd = round % 2 == 1;
    values[rank()] = in[64 * round + rank()];
    (void)barrier.arrive();
    int seen = barrier.try_wait_parity_for(odd, cuda::std::chrono::nanoseconds(1000 + in[rank()] % 1000)) ? 1 : 0;
    seen += barrier.try_wait_parity_for(odd, cuda::std::chrono::nanoseconds(0)) ? 2 : 0;
    seen += barrier.try_wait_parity_for(!odd, cuda::std::chrono::nanoseconds(1000)) ? 4 : 0;
    __syncthreads();
    if (rank() == 0) (void)barrier.arrive();
    while (!barrier.try_wait_parity_for(odd, cuda::std::chrono::milliseconds(1))) {
    }
    uint64_t* object = cuda::device::barrier_native_handle(barrier);
    seen += ptx::mbarrier_test_wait_parity(object, odd) ? 8 : 0;
    out[64 * round + rank()] = 100 * values[(rank() + 1) % 64] + seen;
    __syncthreads();
  }
}

TWIN(barrierInVainTwin, "barrier-waited-for-for-a-time", Kind::kPlain) { sayStored("stored", barrierInVain, 1, 64); }

/** Arrivals that make nothing known, and bytes; a barrier of the block orders what is written. */
__global__ void relaxedArrivals(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ int values[64];
  if (rank() == 0) ptx::mbarrier_init(&word, size());
  __syncthreads();
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&word));
  uint64_t phase;
  values[rank()] = in[rank()];
  if (rank() == 0) {
    asm volatile("mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 %0, [%1], 64;" : "=l"(phase) : "r"(address) : "memory");
  } else if (rank() == 1) {
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1], 1;" : "=l"(phase) : "r"(address) : "memory");
  } else {
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1];" : "=l"(phase) : "r"(address) : "memory");
  }
  int seen = ptx::mbarrier_try_wait(&word, phase, 1000) ? 1 : 0;
  seen += ptx::mbarrier_try_wait_parity(&word, 0, 1000) ? 2 : 0;
  __syncthreads();
  if (rank() == 0) asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(address) : "memory");
  while (!ptx::mbarrier_try_wait(&word, phase, 1000)) {
  }
  if (rank() < 8) {
    asm volatile("mbarrier.arrive_drop.relaxed.cta.shared::cta.b64 %0, [%1];" : "=l"(phase) : "r"(address) : "memory");
  } else {
    (void)ptx::mbarrier_arrive(&word);
    while (!ptx::mbarrier_try_wait_parity(&word, 1, 1000)) {
    }
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1];" : "=l"(phase) : "r"(address) : "memory");
    while (!ptx::mbarrier_try_wait_parity(&word, 0, 1000)) {
    }
    seen += 4;
  }
  out[rank()] = 100 * values[(rank() + 1) % 64] + seen;
}

TWIN(relaxedArrivalsTwin, "arrivals-that-make-nothing-known", Kind::kPlain) { sayStored("stored", relaxedArrivals, 1, 64); }

/** Waits that learn nothing, each in its way, with a fence behind the last one. */
__global__ void relaxedWaits(const int* in, int* out) {
  __shared__ uint64_t word;
  __shared__ int values[64];
  if (rank() == 0) ptx::mbarrier_init(&word, size() + 1);
  __syncthreads();
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&word));
  values[rank()] = in[rank()];
  const uint64_t phase = ptx::mbarrier_arrive(&word);
  int seen = 0;
  int ended;
#define ASK(instruction, state, kind) \
  asm volatile("{ .reg .pred p; " instruction " selp.s32 %0, 1, 0, p; }" : "=r"(ended) : "r"(address), kind(state) : "memory")
  ASK("mbarrier.test_wait.relaxed.cta.shared::cta.b64 p, [%1], %2;", phase, "l");
  seen += ended;
  ASK("mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;", 0, "r");
  seen += 2 * ended;
  ASK("mbarrier.try_wait.relaxed.cta.shared::cta.b64 p, [%1], %2, 1000;", phase, "l");
  seen += 4 * ended;
  ASK("mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2, 1000;", 0, "r");
  seen += 8 * ended;
  __syncthreads();
  if (rank() == 0) (void)ptx::mbarrier_arrive(&word);
  do {
    ASK("mbarrier.try_wait.relaxed.cta.shared::cta.b64 p, [%1], %2;", phase, "l");
  } while (!ended);
  do {
    ASK("mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;", 0, "r");
  } while (!ended);
  ASK("mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;", 0, "r");
  seen += 16 * ended;
#undef ASK
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  out[rank()] = 100 * values[(rank() + 1) % 64] + seen;
}

TWIN(relaxedWaitsTwin, "waits-that-learn-nothing", Kind::kPlain) { sayStored("stored", relaxedWaits, 1, 64); }

/** Stored in place, and copied out in bulk, twice from the same shared memory. */
__global__ void bulkOut(const int* in, int* out) {
  __shared__ alignas(128) int values[256];
  for (int round = 0; round < 4; round++) {
    for (int i = rank(); i < 256; i += size()) values[i] = 3 * in[256 * round + i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (rank() == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 256 * round, values, sizeof(values));
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
    __syncthreads();
  }
  if (rank() == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

TWIN(bulkOutTwin, "bulk-copy-out-and-its-memory-used-again", Kind::kPlain) { sayStored("stored", bulkOut, 1, 128); }

}  // namespace
