// Parts of a block: tiles of a warp, warps and some warps that copy, wait and exchange values by themselves. Twins of
// dev.stretto.twin.PartTwins.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/pipeline>

#include "kernels.cuh"

/** What the lanes of a tile exchange: 20 numbers for each of 64 threads. */
template <int kLanes>
__global__ void exchanges(const int* in, int* out) {
  auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
  int value = in[rank()];
  long long wide = value * 0x100000001LL;
  int* to = out + 20 * rank();
  to[0] = tile.thread_rank();
  to[1] = tile.size();
  to[2] = tile.meta_group_rank();
  to[3] = tile.shfl(value, (tile.thread_rank() + 3) % kLanes);
  to[4] = tile.shfl_up(value, 1);
  to[5] = tile.shfl_down(value, 1);
  to[6] = tile.shfl_xor(value, 1);
  to[7] = static_cast<int>(tile.shfl(wide, 1) >> 32);
  to[8] = static_cast<int>(tile.shfl_up(static_cast<float>(value), 2));
  to[9] = static_cast<int>(tile.shfl_down(static_cast<double>(value), 2));
  to[10] = static_cast<int>(tile.shfl_xor(wide, kLanes - 1) >> 32);
  to[11] = tile.ballot(value % 2 == 0);
  to[12] = tile.any(value % 5 == 0);
  to[13] = tile.all(value % 7 != 0);
  to[14] = tile.match_any(value & 3);
  to[15] = cg::reduce(tile, value, cg::plus<int>());
  to[16] = cg::reduce(tile, value, cg::less<int>()) - cg::reduce(tile, value, cg::greater<int>());
  to[17] = cg::reduce(tile, value, cg::bit_and<int>()) ^ cg::reduce(tile, value, cg::bit_or<int>()) ^
           cg::reduce(tile, value, cg::bit_xor<int>());
  to[18] = static_cast<int>(cg::reduce(tile, wide, cg::plus<long long>()) >> 32);
  to[19] = static_cast<int>(cg::reduce(tile, static_cast<double>(value), cg::plus<double>()));
}

TWIN(exchangesTwin, "lanes-of-a-tile-exchange-values", Kind::kPlain) {
  sayStored("of-2", exchanges<2>, 1, 64);
  sayStored("of-4", exchanges<4>, 1, 64);
  sayStored("of-8", exchanges<8>, 1, 64);
  sayStored("of-16", exchanges<16>, 1, 64);
  sayStored("of-32", exchanges<32>, 1, 64);
}

/** Tiles of one warp take different numbers of turns. */
__global__ void tilesApart(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = in[rank()];
  for (unsigned turn = 0; turn <= tile.meta_group_rank() % 4; turn++) {
    value = cg::reduce(tile, value, cg::plus<int>()) + tile.shfl_up(value, 1);
  }
  out[rank()] = value;
}

TWIN(tilesApartTwin, "tiles-of-a-warp-at-different-places", Kind::kPlain) { sayStored("stored", tilesApart, 1, 128); }

/** Each tile brings its numbers and turns them around; the next turn's are brought meanwhile. */
__global__ void copiesOfTiles(const int* in, int* out) {
  __shared__ alignas(16) int rooms[2][128 / 8][32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int own = tile.meta_group_rank();
  cg::memcpy_async(tile, rooms[0][own], in + 32 * own, 128);
  for (int turn = 0; turn < 6; turn++) {
    if (turn < 5) cg::memcpy_async(tile, rooms[(turn + 1) % 2][own], in + 512 * (turn + 1) + 32 * own, 128);
    if (turn < 5) {
      cg::wait_prior<1>(tile);
    } else {
      cg::wait(tile);
    }
    for (int i = tile.thread_rank(); i < 32; i += 8) out[512 * turn + 32 * own + i] = rooms[turn % 2][own][31 - i];
    tile.sync();
  }
}

TWIN(copiesOfTilesTwin, "copies-of-tiles-one-ahead", Kind::kPlain) { sayStored("stored", copiesOfTiles, 1, 128); }

/** Each group of the block has a pipeline of two stages. */
template <int kLanes>
__global__ void pipelines(const int* in, int* out) {
  constexpr int kGroups = 128 / kLanes;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> states[kGroups];
  __shared__ alignas(16) int rooms[kGroups][2][32];
  auto group = cg::tiled_partition<kLanes>(cg::this_thread_block());
  const int own = group.meta_group_rank();
  auto pipeline = cuda::make_pipeline(group, &states[own]);
  const int turns = 4096 / 32 / kGroups;
  for (int turn = 0; turn <= turns; turn++) {
    if (turn < turns) {
      pipeline.producer_acquire();
      cuda::memcpy_async(group, rooms[own][turn % 2], in + 32 * (turn * kGroups + own),
                         cuda::aligned_size_t<16>(128), pipeline);
      pipeline.producer_commit();
    }
    if (turn > 0) {
      pipeline.consumer_wait();
      for (int i = group.thread_rank(); i < 32; i += kLanes) {
        out[32 * ((turn - 1) * kGroups + own) + i] = rooms[own][(turn - 1) % 2][31 - i] + turn;
      }
      pipeline.consumer_release();
    }
  }
}

TWIN(pipelinesOfWarpsTwin, "pipelines-of-warps", Kind::kPlain) { sayStored("stored", pipelines<32>, 1, 128); }

TWIN(pipelinesOfTilesTwin, "pipelines-of-tiles", Kind::kPlain) {
  sayStored("of-4", pipelines<4>, 1, 128);
  sayStored("of-8", pipelines<8>, 1, 128);
  sayStored("of-16", pipelines<16>, 1, 128);
}

/** The third of four warps brings the numbers for the others. */
__global__ void laterProducer(const int* in, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  __shared__ alignas(16) int rooms[3][96];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const bool produces = warp.meta_group_rank() == 2;
  auto pipeline = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int consumer = rank() < 64 ? rank() : rank() - 32;
  for (int turn = 0; turn < 20; turn++) {
    if (produces) {
      pipeline.producer_acquire();
      cuda::memcpy_async(warp, rooms[turn % 3], in + 96 * turn, cuda::aligned_size_t<16>(384), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      out[96 * turn + consumer] = rooms[turn % 3][95 - consumer] * 3;
      pipeline.consumer_release();
    }
  }
}

TWIN(laterProducerTwin, "pipeline-whose-producers-are-a-later-warp", Kind::kPlain) {
  sayStored("stored", laterProducer, 1, 128);
}

/** The block's halves take different numbers of turns; the warps of each meet. */
__global__ void halves(const int* in, int* out) {
  __shared__ int rooms[2][64];
  const int half = rank() / 64, own = rank() % 64;
  for (int turn = 0; turn < 5 + 4 * half; turn++) {
    rooms[half][own] = in[512 * half + 32 * turn + own];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    out[1024 * half + 64 * turn + own] = rooms[half][63 - own];
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
  }
}

TWIN(halvesTwin, "halves-of-a-block-that-meet-apart", Kind::kPlain) { sayStored("stored", halves, 1, 128); }
