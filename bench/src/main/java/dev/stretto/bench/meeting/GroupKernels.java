package dev.stretto.bench.meeting;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Tile;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/**
 * Kernels whose copies belong to parts of a block, by pipelines and by barriers written by hand.
 * Each adds up numbers, some of them again and again; each thread stores its sum.
 */
final class GroupKernels {
  static final int STAGES = 4;

  private GroupKernels() {}

  private static int sum(SharedInts room, int at, int ints, int rank, int threads) {
    int sum = 0;
    for (int i = 4 * rank; i < ints; i += 4 * threads) {
      Int4 four = room.get4(at + i);
      sum += four.x() + four.y() + four.z() + four.w();
    }
    return sum;
  }

  /** One warp of nine brings stages for the others. */
  @Kernel
  static void warpProduces(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int stages,
      int mask,
      @Const int ints,
      @Const int which) {
    SharedInts room = block.dynamicShared().asInts();
    Warp warp = block.warp();
    boolean produces = warp.index() == which;
    int rank = warp.index() < which ? block.threadRank() : block.threadRank() - 32;
    Pipeline pipeline = block.pipeline(STAGES, produces);
    int sum = 0;
    for (int stage = block.blockIndexX(); stage < stages; stage += block.gridSizeX()) {
      if (produces) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * ints;
        warp.memcpyAsync(room, to, in, (long) (stage & mask) * ints, ints, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        sum += sum(room, pipeline.consumerStage() * ints, ints, rank, 256);
        pipeline.consumerRelease();
      }
    }
    out.set(block.blockIndexX() * block.size() + block.threadRank(), sum);
  }

  /** The same by barriers: one lane copies, and one of each warp says that it is done. */
  @Kernel
  static void warpProducesByHand(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int stages,
      int mask,
      @Const int ints,
      @Const int which) {
    SharedInts room = block.dynamicShared().asInts();
    SharedLongs full = block.sharedLongs(STAGES);
    SharedLongs free = block.sharedLongs(STAGES);
    Warp warp = block.warp();
    if (block.threadRank() == 0) {
      for (int i = 0; i < STAGES; i++) {
        PtxBarriers.mbarrierInit(full, i, 1);
        PtxBarriers.mbarrierInit(free, i, 8);
      }
    }
    block.sync();
    int rank = warp.index() < which ? block.threadRank() : block.threadRank() - 32;
    int sum = 0;
    int at = 0;
    int parity = 0;
    for (int stage = block.blockIndexX(); stage < stages; stage += block.gridSizeX()) {
      if (warp.index() == which) {
        if (warp.lane() == 0) {
          block.barrierAt(free, at).waitForParity(parity ^ 1);
          Barrier barrier = block.barrierAt(full, at);
          long _ = barrier.arriveExpecting(4 * ints);
          PtxBulkCopies.cpAsyncBulkToShared(
              room, 4 * at * ints, in, 4L * (stage & mask) * ints, 4 * ints, full, at);
        }
      } else {
        block.barrierAt(full, at).waitForParity(parity);
        sum += sum(room, at * ints, ints, rank, 256);
        warp.sync();
        if (warp.lane() == 0) {
          long _ = block.barrierAt(free, at).arrive();
        }
      }
      at++;
      if (at == STAGES) {
        at = 0;
        parity ^= 1;
      }
    }
    out.set(block.blockIndexX() * block.size() + block.threadRank(), sum);
  }

  /** Each tile of 8 lanes brings its own stages. */
  @Kernel
  static void tiles(
      ThreadBlock block, GlobalInts in, GlobalInts out, int stages, int mask, @Const int ints) {
    SharedInts room = block.dynamicShared().asInts();
    Tile tile = block.warp().tile(8);
    int tiles = block.size() / 8;
    int own = tile.index() * STAGES * ints;
    int step = block.gridSizeX() * tiles;
    Pipeline pipeline = tile.pipeline(STAGES, 32);
    int first = block.blockIndexX() * tiles + tile.index();
    int sum = 0;
    int ahead = first + STAGES * step;
    for (int stage = first; stage < ahead && stage < stages; stage += step) {
      bring(tile, room, own, in, stage & mask, ints, pipeline);
    }
    for (int stage = first; stage < stages; stage += step) {
      pipeline.consumerWait();
      sum += sum(room, own + pipeline.consumerStage() * ints, ints, tile.threadRank(), 8);
      pipeline.consumerRelease();
      int next = stage + STAGES * step;
      if (next < stages) {
        bring(tile, room, own, in, next & mask, ints, pipeline);
      }
    }
    out.set(block.blockIndexX() * block.size() + block.threadRank(), sum);
  }

  private static void bring(
      Tile tile, SharedInts room, int own, GlobalInts in, int stage, int ints, Pipeline pipeline) {
    pipeline.producerAcquire();
    int to = own + pipeline.producerStage() * ints;
    tile.memcpyAsync(room, to, in, (long) stage * ints, ints, 16, pipeline);
    pipeline.producerCommit();
  }

  /** The same by barriers: one lane of each tile copies, when the tile has met. */
  @Kernel
  static void tilesByHand(
      ThreadBlock block, GlobalInts in, GlobalInts out, int stages, int mask, @Const int ints) {
    SharedInts room = block.dynamicShared().asInts();
    SharedLongs full = block.sharedLongs(32 * STAGES);
    Tile tile = block.warp().tile(8);
    int tiles = block.size() / 8;
    int own = tile.index() * STAGES;
    int step = block.gridSizeX() * tiles;
    if (tile.threadRank() == 0) {
      for (int i = 0; i < STAGES; i++) {
        PtxBarriers.mbarrierInit(full, own + i, 1);
      }
    }
    block.sync();
    int first = block.blockIndexX() * tiles + tile.index();
    if (tile.threadRank() == 0) {
      for (int i = 0; i < STAGES; i++) {
        bring(block, room, own + i, in, first + i * step, stages, mask, ints, full);
      }
    }
    int sum = 0;
    int at = 0;
    int parity = 0;
    for (int stage = first; stage < stages; stage += step) {
      block.barrierAt(full, own + at).waitForParity(parity);
      sum += sum(room, (own + at) * ints, ints, tile.threadRank(), 8);
      tile.sync();
      if (tile.threadRank() == 0) {
        bring(block, room, own + at, in, stage + STAGES * step, stages, mask, ints, full);
      }
      at++;
      if (at == STAGES) {
        at = 0;
        parity ^= 1;
      }
    }
    out.set(block.blockIndexX() * block.size() + block.threadRank(), sum);
  }

  private static void bring(
      ThreadBlock block,
      SharedInts room,
      int at,
      GlobalInts in,
      int stage,
      int stages,
      int mask,
      int ints,
      SharedLongs full) {
    if (stage < stages) {
      long _ = block.barrierAt(full, at).arriveExpecting(4 * ints);
      PtxBulkCopies.cpAsyncBulkToShared(
          room, 4 * at * ints, in, 4L * (stage & mask) * ints, 4 * ints, full, at);
    }
  }
}
