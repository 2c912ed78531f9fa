// Pipelines of a block, and groups of a thread's copies: libcu++, cuda::pipeline; CUDA Programming Guide, "Asynchronous
// Data Copies using cuda::pipeline", "Pipeline Primitives"; Cooperative Groups, memcpy_async, wait, wait_prior.
#pragma once

#include "kernels.cuh"

namespace {

template <int kStages>
using PipelineState = cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>;

constexpr int kTile = 96;  // ints
constexpr int kTiles = 20;

__device__ void useTile(const int* tile, int count, int* out, int first, int step) {
  for (int i = first; i < count; i += step) out[i] = tile[i] + 5 * tile[(i + 1) % count];
}

// ---- All threads produce and consume

/** All threads share each copy; as many tiles are under way as there are stages. */
template <int kStages, int kCount>
__global__ void together(const int* in, int* out) {
  __shared__ PipelineState<kStages> state;
  __shared__ alignas(16) int tiles[kStages][kCount];
  cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int next = blockIdx.x, slot = 0, nextSlot = 0;
  for (int tile = blockIdx.x; tile < kTiles; tile += gridDim.x) {
    for (; next < kTiles && next < tile + kStages * static_cast<int>(gridDim.x); next += gridDim.x) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[nextSlot], in + kCount * next, sizeof(int) * kCount, pipeline);
      pipeline.producer_commit();
      nextSlot = (nextSlot + 1) % kStages;
    }
    pipeline.consumer_wait();
    useTile(tiles[slot], kCount, out + kCount * tile, rank(), size());
    pipeline.consumer_release();
    slot = (slot + 1) % kStages;
  }
}

TWIN(togetherTwin, "pipeline-of-all-threads", Kind::kPlain) {
  sayStored("one-stage", together<1, kTile>, 1, 64);
  sayStored("two-stages", together<2, kTile>, 1, 64);
  sayStored("three-stages", together<3, kTile>, 1, 64);
  sayStored("eight-stages", together<8, kTile>, 1, 64);
}

TWIN(togetherBlocksTwin, "pipelines-of-many-blocks", Kind::kPlain) { sayStored("stored", together<2, kTile>, 7, 64); }

TWIN(togetherTailsTwin, "pipeline-of-tiles-with-tails", Kind::kPlain) {
  sayStored("101", together<2, 101>, 1, 64);
  sayStored("3", together<4, 3>, 1, 64);
  sayStored("1", together<2, 1>, 2, 32);
}

/** Stages without a copy: what the threads store themselves goes by, too. */
__global__ void emptyStages(const int* in, int* out) {
  __shared__ PipelineState<3> state;
  __shared__ int tiles[3][64];
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state);
  for (int tile = 0; tile < kTiles; tile++) {
    pipeline.producer_acquire();
    tiles[tile % 3][rank()] = in[64 * tile + rank()];
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[64 * tile + rank()] = tiles[tile % 3][63 - rank()];
    pipeline.consumer_release();
  }
}

TWIN(emptyStagesTwin, "pipeline-of-stages-without-copies", Kind::kPlain) { sayStored("stored", emptyStages, 1, 64); }

/** Waits for all but the newest stages: of libcu++ a pipeline of one thread can, of Stretto one of the block. */
__global__ void waitPrior(const int* in, int* out) {
  __shared__ int tiles[4][64];
  auto pipeline = cuda::make_pipeline();
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 4; i++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tiles[i][rank()], in + 256 * round + 64 * i + rank(), cuda::aligned_size_t<4>(4), pipeline);
      pipeline.producer_commit();
    }
    int* to = out + 256 * round;
    cuda::pipeline_consumer_wait_prior<2>(pipeline);
    for (int i = 0; i < 2; i++) to[64 * i + rank()] = tiles[i][rank()];
    for (int i = 0; i < 2; i++) pipeline.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipeline);
    for (int i = 2; i < 4; i++) to[64 * i + rank()] = tiles[i][rank()];
    for (int i = 0; i < 2; i++) pipeline.consumer_release();
  }
}

TWIN(waitPriorTwin, "pipeline-waited-for-but-the-newest", Kind::kPlain) { sayStored("stored", waitPrior, 1, 64); }

// ---- Some produce, the others consume

/** The first threads produce: each has its own part of every tile copied. */
template <int kStages, int kProducers>
__global__ void apart(const int* in, int* out) {
  __shared__ PipelineState<kStages> state;
  __shared__ alignas(16) int tiles[kStages][kTile];
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, kProducers);
  if (rank() < kProducers) {
    for (int tile = 0; tile < kTiles; tile++) {
      pipeline.producer_acquire();
      for (int i = rank(); i < kTile; i += kProducers) {
        cuda::memcpy_async(&tiles[tile % kStages][i], &in[kTile * tile + i], cuda::aligned_size_t<4>(4), pipeline);
      }
      pipeline.producer_commit();
    }
  } else {
    for (int tile = 0; tile < kTiles; tile++) {
      pipeline.consumer_wait();
      useTile(tiles[tile % kStages], kTile, out + kTile * tile, rank() - kProducers, size() - kProducers);
      pipeline.consumer_release();
    }
  }
}

TWIN(apartTwin, "pipeline-of-producers-and-consumers", Kind::kPlain) {
  sayStored("one-warp-of-four-produces", apart<2, 32>, 1, 128);
  sayStored("three-warps-of-four-produce", apart<2, 96>, 1, 128);
  sayStored("one-thread-produces", apart<4, 1>, 1, 96);
  sayStored("all-threads-but-one-produce", apart<3, 63>, 1, 64);
  sayStored("one-stage", apart<1, 32>, 1, 64);
}

/** One thread copies whole tiles, with the alignment that a bulk copy takes. */
__global__ void oneCopies(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  __shared__ alignas(128) int tiles[2][kTile];
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, 1);
  for (int tile = 0; tile < kTiles; tile++) {
    if (rank() == 0) {
      pipeline.producer_acquire();
      cuda::memcpy_async(tiles[tile % 2], in + kTile * tile, cuda::aligned_size_t<16>(sizeof(tiles[0])), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      useTile(tiles[tile % 2], kTile, out + kTile * tile, rank() - 1, size() - 1);
      pipeline.consumer_release();
    }
  }
}

TWIN(oneCopiesTwin, "pipeline-whose-only-producer-copies-whole-tiles", Kind::kPlain) {
  sayStored("stored", oneCopies, 1, 65);
}

// ---- Leaving

/** Everyone leaves behind the last stage, which is what libcu++ has quit() for. */
__global__ void leftAtTheEnd(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  __shared__ int tiles[2][64];
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state);
  for (int tile = 0; tile < 5; tile++) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tiles[tile % 2][rank()], &in[64 * tile + rank()], cuda::aligned_size_t<4>(4), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[64 * tile + rank()] = tiles[tile % 2][63 - rank()];
    pipeline.consumer_release();
  }
  (void)pipeline.quit();
  __syncthreads();
  out[1000 + rank()] = in[rank()];
}

TWIN(leftAtTheEndTwin, "pipeline-left-behind-the-last-stage", Kind::kPlain) {
  sayStored("stored", leftAtTheEnd, 1, 64);
}

__global__ void leftAtOnce(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, 32);
  (void)pipeline.quit();
  __syncthreads();
  out[rank()] = in[rank()];
}

TWIN(leftAtOnceTwin, "pipeline-left-without-any-part-in-it", Kind::kPlain) { sayStored("stored", leftAtOnce, 1, 96); }

/** Threads that are done leave while the others are still busy with the last stage; they share its words no more. */
__global__ void leftOneByOne(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  __shared__ int tiles[2][64];
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state);
  for (int tile = 0; tile < 4; tile++) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&tiles[tile % 2][rank()], &in[64 * tile + rank()], cuda::aligned_size_t<4>(4), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    int value = tiles[tile % 2][63 - rank()];
    pipeline.consumer_release();
    for (int i = 0; i < 20 * (rank() % 5); i++) value += i;
    out[64 * tile + rank()] = value;
  }
  if (rank() % 2 == 0) (void)pipeline.quit();
}

TWIN(leftOneByOneTwin, "pipeline-left-by-some-in-words-and-by-some-by-returning", Kind::kPlain) {
  sayStored("stored", leftOneByOne, 1, 64);
}

/** A pipeline in the same memory, after the one before was left by all. */
__global__ void madeAgain(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  __shared__ int tiles[2][64];
  for (int round = 0; round < 3; round++) {
    auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state);
    for (int tile = 0; tile < 3; tile++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tiles[tile % 2][rank()], &in[192 * round + 64 * tile + rank()], cuda::aligned_size_t<4>(4),
                         pipeline);
      pipeline.producer_commit();
      pipeline.consumer_wait();
      out[192 * round + 64 * tile + rank()] = tiles[tile % 2][63 - rank()];
      pipeline.consumer_release();
    }
    (void)pipeline.quit();
    __syncthreads();
  }
}

TWIN(madeAgainTwin, "pipeline-made-again-in-its-place", Kind::kPlain) { sayStored("stored", madeAgain, 1, 64); }

/**
 * libcu++'s quit() gives the shared state back and takes nobody out of the barriers, so that others would wait for ever for
 * one that leaves early. This is not tried. Stretto's takes the thread out, and the others go on.
 */
TWIN(leftEarlyTwin, "pipeline-left-early", Kind::kPlain) {
  sayUndefined("by-a-consumer");
  sayUndefined("by-a-producer");
  sayUndefined("by-one-of-all-threads");
}

// ---- Groups of copies

__global__ void groupOfTheBlock(const int* in, int* out) {
  __shared__ alignas(16) int values[300];
  cg::thread_block block = cg::this_thread_block();
  for (int round = 0; round < 3; round++) {
    cg::memcpy_async(block, values, in + 300 * round, sizeof(values));
    cg::wait(block);
    for (int i = rank(); i < 300; i += size()) out[300 * round + i] = values[299 - i];
    block.sync();
  }
}

TWIN(groupOfTheBlockTwin, "copies-of-the-block-waited-for", Kind::kPlain) {
  sayStored("stored", groupOfTheBlock, 1, 96);
}

/** The next tile is under way while one is used. */
__global__ void groupsAhead(const int* in, int* out) {
  __shared__ alignas(16) int tiles[2][128];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tiles[0], in, sizeof(tiles[0]));
  for (int tile = 0; tile < kTiles; tile++) {
    if (tile + 1 < kTiles) {
      cg::memcpy_async(block, tiles[(tile + 1) % 2], in + 128 * (tile + 1), sizeof(tiles[0]));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int i = rank(); i < 128; i += size()) out[128 * tile + i] = tiles[tile % 2][127 - i];
    block.sync();
  }
}

TWIN(groupsAheadTwin, "copies-of-the-block-one-ahead", Kind::kPlain) { sayStored("stored", groupsAhead, 1, 64); }

__global__ void ofTiles(const int* in, int* out) {
  __shared__ alignas(16) int values[4][100];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int warp = rank() / 32;
  for (int round = 0; round <= warp; round++) {
    cg::memcpy_async(tile, values[warp], in + 100 * (4 * round + warp), sizeof(values[warp]));
    cg::wait(tile);
    for (int i = rank() % 32; i < 100; i += 32) out[100 * (4 * round + warp) + i] = values[warp][99 - i];
    tile.sync();
  }
}

TWIN(ofTilesTwin, "copies-of-a-warp", Kind::kPlain) { sayStored("stored", ofTiles, 1, 128); }

/** 4, 8 and 16 bytes. */
__global__ void ofEachSize(const int* in, int* out) {
  __shared__ alignas(16) int values[3][4 * 64];
  __pipeline_memcpy_async(&values[0][rank()], &in[rank()], 4);
  __pipeline_memcpy_async(&values[1][2 * rank()], &in[1000 + 2 * rank()], 8);
  __pipeline_memcpy_async(&values[2][4 * rank()], &in[2000 + 4 * rank()], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[rank()] = values[0][63 - rank()];
  for (int i = 0; i < 2; i++) out[64 + 2 * rank() + i] = values[1][127 - 2 * rank() - i];
  for (int i = 0; i < 4; i++) out[192 + 4 * rank() + i] = values[2][255 - 4 * rank() - i];
}

TWIN(ofEachSizeTwin, "copies-of-a-thread-of-each-size", Kind::kPlain) { sayStored("stored", ofEachSize, 1, 64); }

/** Three groups, of which each thread waits for the oldest, the next and the last. */
__global__ void inTurn(const int* in, int* out) {
  __shared__ int values[3][64];
  for (int i = 0; i < 3; i++) {
    __pipeline_memcpy_async(&values[i][rank()], &in[64 * i + rank()], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(2);
  out[rank()] = values[0][rank()];
  __pipeline_wait_prior(1);
  out[64 + rank()] = values[1][rank()];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[128 + rank()] = values[2][63 - rank()];
}

TWIN(inTurnTwin, "groups-of-a-thread-in-turn", Kind::kPlain) { sayStored("stored", inTurn, 1, 64); }

/** A group counts, though there is nothing in it. */
__global__ void emptyGroups(const int* in, int* out) {
  __shared__ int value[64];
  __pipeline_memcpy_async(&value[rank()], &in[rank()], 4);
  __pipeline_commit();
  __pipeline_commit();
  __pipeline_commit();
  __pipeline_wait_prior(2);
  out[rank()] = value[rank()];
}

TWIN(emptyGroupsTwin, "groups-with-nothing-in-them", Kind::kPlain) { sayStored("stored", emptyGroups, 1, 64); }

/** The last bytes become zero, and are not read. */
__global__ void zeros(const int* in, int* out) {
  __shared__ alignas(16) int values[5][4 * 32];
  for (int i = rank(); i < 5 * 4 * 32; i += size()) values[i / 128][i % 128] = -1;
  __syncthreads();
  for (int i = 0; i < 5; i++) __pipeline_memcpy_async(&values[i][4 * rank()], &in[4 * rank() + 128 * i], 16, 4 * i);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = rank(); i < 5 * 4 * 32; i += size()) out[i] = values[i / 128][i % 128];
}

TWIN(zerosTwin, "copies-of-a-part-and-zeros", Kind::kPlain) { sayStored("stored", zeros, 1, 32); }

/** Behind the array's end nothing is read, and zeros arrive: how the last tile of a matrix is copied. */
__global__ void beyondTheEnd(const int* in, int* out) {
  __shared__ alignas(16) int values[4 * 64];
  int first = kIn - 132 + 4 * rank();
  int left = kIn - 2 - first;
  int zeros = left >= 4 ? 0 : left <= 0 ? 16 : 4 * (4 - left);
  __pipeline_memcpy_async(&values[4 * rank()], &in[first], 16, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = rank(); i < 256; i += size()) out[i] = values[255 - i];
}

TWIN(beyondTheEndTwin, "copies-beyond-the-end-of-an-array", Kind::kPlain) { sayStored("stored", beyondTheEnd, 1, 64); }

/** Towards global memory: whoever waits for the barrier finds it there. */
__global__ void toGlobal(const int* in, int* out) {
  __shared__ BlockBarrier barrier;
  __shared__ alignas(16) int values[200];
  cg::thread_block block = cg::this_thread_block();
  make(&barrier, size());
  for (int i = rank(); i < 200; i += size()) values[i] = 2 * in[i];
  block.sync();
  cuda::memcpy_async(block, out, values, sizeof(values), barrier);
  barrier.arrive_and_wait();
  for (int i = rank(); i < 200; i += size()) out[200 + i] = out[199 - i];
}

TWIN(toGlobalTwin, "copy-of-the-block-to-global-memory", Kind::kPlain) { sayStored("stored", toGlobal, 1, 64); }

/** Two tiles are on their way to global memory while the next is filled; the last are left to the kernel's end. */
__global__ void storedTiles(const int* in, int* out) {
  __shared__ alignas(128) int tiles[3][100];
  for (int tile = 0; tile < 8; tile++) {
    const int at = tile % 3;
#if __CUDA_ARCH__ >= 900
    if (rank() == 0) asm volatile("cp.async.bulk.wait_group 2;" ::: "memory");
#endif
    __syncthreads();
    for (int i = rank(); i < 100; i += size()) tiles[at][i] = in[100 * tile + 99 - i] * 3;
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (rank() == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 400;\ncp.async.bulk.commit_group;" ::"l"(out + 100 * tile),
                   "r"(static_cast<unsigned>(__cvta_generic_to_shared(tiles[at])))
                   : "memory");
    }
#else
    __syncthreads();
    for (int i = rank(); i < 100; i += size()) out[100 * tile + i] = tiles[at][i];
#endif
  }
#if __CUDA_ARCH__ >= 900
  if (rank() == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

TWIN(storedTilesTwin, "tiles-stored-two-ahead", Kind::kPlain) { sayStored("stored", storedTiles, 1, 64); }

/** A stage is full when it is in global memory, where the threads read what others have brought. */
__global__ void storedStages(const int* in, int* out) {
  __shared__ PipelineState<2> state;
  __shared__ alignas(128) int tiles[2][100];
  cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int tile = 0; tile <= 8; tile++) {
    if (tile < 8) {
      pipeline.producer_acquire();
      for (int i = rank(); i < 100; i += size()) tiles[tile % 2][i] = in[100 * tile + i] + tile;
      block.sync();
      cuda::memcpy_async(block, out + 100 * tile, tiles[tile % 2], sizeof(tiles[0]), pipeline);
      pipeline.producer_commit();
    }
    if (tile > 0) {
      pipeline.consumer_wait();
      for (int i = rank(); i < 100; i += size()) out[800 + 100 * (tile - 1) + i] = out[100 * (tile - 1) + 99 - i];
      pipeline.consumer_release();
    }
  }
}

TWIN(storedStagesTwin, "stages-stored-and-read-again", Kind::kPlain) { sayStored("stored", storedStages, 1, 64); }

/** Bytes and shorts, which no asynchronous copy takes, there and back. */
__global__ void storedBytes(const int* in, int* out) {
  __shared__ unsigned char bytes[203];
  __shared__ short shorts[203];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, bytes, reinterpret_cast<const unsigned char*>(in) + 5, 203);
  cg::memcpy_async(block, shorts, reinterpret_cast<const short*>(in) + 301, sizeof(shorts));
  cg::wait(block);
  for (int i = rank(); i < 203; i += size()) out[i] = static_cast<signed char>(bytes[202 - i]) + shorts[202 - i];
  for (int i = rank(); i < 203; i += size()) reinterpret_cast<unsigned char*>(out)[1601 + i] = bytes[i];
}

TWIN(storedBytesTwin, "bytes-and-shorts-there-and-back", Kind::kPlain) { sayStored("stored", storedBytes, 1, 64); }

}  // namespace
