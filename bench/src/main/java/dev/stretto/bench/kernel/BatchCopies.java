package dev.stretto.bench.kernel;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;

/**
 * Batches of numbers through shared memory, each computed with its neighbours: fetched by plain
 * loads, and in the ways of {@code memcpyAsync}.
 */
final class BatchCopies {
  static final int BATCH = 1024;
  static final int THREADS = 128;
  private static final int BYTES = BATCH * Float.BYTES;

  private BatchCopies() {}

  private static float mean(SharedFloats tile, int at, int i) {
    float before = tile.get(at + ((i + BATCH - 1) & (BATCH - 1)));
    float behind = tile.get(at + ((i + 1) & (BATCH - 1)));
    return Math.fma(0.5f, tile.get(at + i), 0.25f * before) + 0.25f * behind;
  }

  private static void compute(
      SharedFloats tile, int at, GlobalFloats out, int batch, int rank, int threads) {
    long to = (long) batch * BATCH;
    for (int i = rank; i < BATCH; i += threads) {
      out.set(to + i, mean(tile, at, i));
    }
  }

  @Kernel(maxThreads = THREADS)
  static void plain(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    int rank = block.threadIndexX();
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      for (int i = rank; i < BATCH; i += THREADS) {
        tile.set(i, in.get((long) batch * BATCH + i));
      }
      block.sync();
      compute(tile, 0, out, batch, rank, THREADS);
      block.sync();
    }
  }

  @Kernel(maxThreads = THREADS)
  static void onBarrier(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    Barrier arrived = block.barrier(THREADS);
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16, arrived);
      arrived.arriveAndWait();
      compute(tile, 0, out, batch, block.threadIndexX(), THREADS);
      block.sync();
    }
  }

  @Kernel(maxThreads = THREADS)
  static void pipelined(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages);
    int step = block.gridSizeX();
    int ahead = block.blockIndexX();
    for (int batch = block.blockIndexX(); batch < batches; batch += step) {
      for (; ahead < batches && ahead < batch + stages * step; ahead += step) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * BATCH;
        block.memcpyAsync(tiles, to, in, (long) ahead * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
      }
      pipeline.consumerWait();
      int from = pipeline.consumerStage() * BATCH;
      compute(tiles, from, out, batch, block.threadIndexX(), THREADS);
      pipeline.consumerRelease();
    }
  }

  @Kernel(maxThreads = THREADS)
  static void byRoles(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages, 32);
    Warp warp = block.warp();
    int rank = block.threadIndexX();
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      if (rank < 32) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * BATCH;
        warp.memcpyAsync(tiles, to, in, (long) batch * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int from = pipeline.consumerStage() * BATCH;
        compute(tiles, from, out, batch, rank - 32, THREADS - 32);
        pipeline.consumerRelease();
      }
    }
  }

  /** In and out in bulk: what was computed lies in a tile of its own. */
  @Kernel(maxThreads = THREADS)
  static void bulk(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    SharedFloats computed = block.sharedFloats(BATCH);
    Barrier arrived = block.barrier(THREADS);
    int rank = block.threadIndexX();
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16, arrived);
      arrived.arriveAndWait();
      for (int i = rank; i < BATCH; i += THREADS) {
        computed.set(i, mean(tile, 0, i));
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, (long) batch * BYTES, computed, 0, BYTES);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
    }
  }
}
