package dev.stretto.bench.kernel;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/**
 * A matrix processed in tiles, which the tensor memory accelerator copies to shared memory, several
 * ahead. Two blocks share a multiprocessor, and both together have 192 KiB of stages.
 */
final class TensorStreams {
  /** Floats of a tile. */
  static final int TILE = 4096;

  /**
   * Threads of a block that sums: a warp that begins the copies of tiles, and those that add up.
   */
  static final int THREADS = 160;

  /** Threads of a block that copies: one thread begins all copies. */
  static final int COPY_THREADS = 32;

  private static final int BYTES = TILE * Float.BYTES;
  private static final int STAGES = 6;
  private static final int PRODUCERS = 32;
  private static final int CONSUMERS = THREADS - PRODUCERS;
  private static final int WARPS = THREADS / 32;

  /** How many stages of a copy are being filled; the others are being stored. */
  private static final int AHEAD = 4;

  private TensorStreams() {}

  /** Writes a block's share of the sum of a matrix to {@code sums[block]}. */
  @Kernel(maxThreads = THREADS)
  static void sum(
      ThreadBlock block,
      TensorMap matrix,
      GlobalFloats sums,
      int across,
      int tiles,
      @Const int width) {
    SharedFloats stages = block.sharedFloats(STAGES * TILE);
    SharedLongs full = block.sharedLongs(STAGES);
    SharedLongs empty = block.sharedLongs(STAGES);
    Warp warp = block.warp();
    int rank = block.threadIndexX();
    if (rank == 0) {
      for (int i = 0; i < STAGES; i++) {
        PtxBarriers.mbarrierInit(full, i, 1);
        PtxBarriers.mbarrierInit(empty, i, WARPS - 1);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    block.sync();
    float sum = 0;
    if (rank < PRODUCERS) {
      if (rank == 0) {
        int stage = 0;
        int parity = 1; // a stage that has not been used is empty
        for (int tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
          await(empty, stage, parity);
          load(matrix, tile, across, width, stages, full, stage);
          stage++;
          if (stage == STAGES) {
            stage = 0;
            parity ^= 1;
          }
        }
      }
    } else {
      int stage = 0;
      int parity = 0;
      for (int tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
        await(full, stage, parity);
        sum += share(stages, stage * TILE, rank - PRODUCERS);
        warp.sync();
        if ((rank & 31) == 0) {
          PtxBarriers.mbarrierArrive(empty, stage);
        }
        stage++;
        if (stage == STAGES) {
          stage = 0;
          parity ^= 1;
        }
      }
    }
    finish(block, sum, sums);
  }

  /** Like {@link #sum}, with a pipeline, on whose stages every thread arrives. */
  @Kernel(maxThreads = THREADS)
  static void sumPipelined(
      ThreadBlock block,
      TensorMap matrix,
      GlobalFloats sums,
      int across,
      int tiles,
      @Const int width) {
    SharedFloats stages = block.sharedFloats(STAGES * TILE);
    Pipeline pipeline = block.pipeline(STAGES, PRODUCERS);
    int rank = block.threadIndexX();
    float sum = 0;
    for (int tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      if (rank < PRODUCERS) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * TILE;
        int x = tile % across * width;
        int y = tile / across * (TILE / width);
        TensorTiles.memcpyAsync(block, stages, to, matrix, x, y, TILE, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        sum += share(stages, pipeline.consumerStage() * TILE, rank - PRODUCERS);
        pipeline.consumerRelease();
      }
    }
    finish(block, sum, sums);
  }

  /** Copies a matrix: tiles come and go without any thread reading them. */
  @Kernel(maxThreads = COPY_THREADS)
  static void copy(
      ThreadBlock block, TensorMap from, TensorMap to, int across, int tiles, @Const int width) {
    SharedFloats stages = block.sharedFloats(STAGES * TILE);
    SharedLongs full = block.sharedLongs(STAGES);
    if (block.threadIndexX() == 0) {
      for (int i = 0; i < STAGES; i++) {
        PtxBarriers.mbarrierInit(full, i, 1);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      int step = block.gridSizeX();
      int ahead = block.blockIndexX();
      int filling = 0;
      for (; filling < AHEAD && ahead < tiles; ahead += step) {
        load(from, ahead, across, width, stages, full, filling);
        filling++;
      }
      int stage = 0;
      int parity = 0;
      for (int tile = block.blockIndexX(); tile < tiles; tile += step) {
        await(full, stage, parity);
        int x = tile % across * width;
        int y = tile / across * (TILE / width);
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(to, x, y, stages, stage * BYTES);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        if (ahead < tiles) {
          PtxBulkCopies.cpAsyncBulkWaitGroupRead(STAGES - AHEAD);
          load(from, ahead, across, width, stages, full, filling);
          ahead += step;
          filling++;
          if (filling == STAGES) {
            filling = 0;
          }
        }
        stage++;
        if (stage == STAGES) {
          stage = 0;
          parity ^= 1;
        }
      }
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  private static void await(SharedLongs barriers, int index, int parity) {
    while (!PtxBarriers.mbarrierTryWaitParity(barriers, index, parity)) {
      // The wait has timed out on the device; try again.
    }
  }

  private static void load(
      TensorMap matrix,
      int tile,
      int across,
      int width,
      SharedFloats stages,
      SharedLongs full,
      int stage) {
    int x = tile % across * width;
    int y = tile / across * (TILE / width);
    PtxBarriers.mbarrierArriveExpectTx(full, stage, BYTES);
    PtxTensorCopies.cpAsyncBulkTensorToShared(stages, stage * BYTES, matrix, x, y, full, stage);
  }

  /** The sum of one thread's part of a tile, for a thread that adds up. */
  private static float share(SharedFloats stages, int at, int rank) {
    float sum = 0;
    for (int i = 0; i < TILE; i += 4 * CONSUMERS) {
      Float4 four = stages.get4(at + 4 * rank + i);
      sum += (four.x() + four.y()) + (four.z() + four.w());
    }
    return sum;
  }

  /** All threads call it; those that copied contribute 0. */
  private static void finish(ThreadBlock block, float sum, GlobalFloats sums) {
    SharedFloats warpSums = block.sharedFloats(WARPS);
    Warp warp = block.warp();
    int rank = block.threadIndexX();
    for (int delta = 16; delta > 0; delta >>= 1) {
      sum += warp.shuffleDown(sum, delta);
    }
    if ((rank & 31) == 0) {
      warpSums.set(rank >>> 5, sum);
    }
    block.sync();
    if (rank == 0) {
      float all = 0;
      for (int i = 0; i < WARPS; i++) {
        all += warpSums.get(i);
      }
      sums.set(block.blockIndexX(), all);
    }
  }
}
