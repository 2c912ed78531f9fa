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
 * Batches of numbers in shared memory, each number computed from its neighbours: loaded by plain
 * loads, and in the ways of {@code memcpyAsync}. The number of batches is a power of two, and all
 * of them are repeated in a number of passes with the same result: so one launch takes long enough
 * to be measured even for a few batches, which stay in the L2 cache.
 */
final class BatchCopies {
  static final int BATCH = 1024;
  static final int THREADS = 128;
  private static final int PRODUCERS = 32;
  static final int ROLE_THREADS = PRODUCERS + THREADS;
  private static final int SHARE = BATCH / THREADS;
  private static final int BYTES = BATCH * Float.BYTES;

  private BatchCopies() {}

  private static float mean(SharedFloats tile, int at, int i) {
    float before = tile.get(at + ((i + BATCH - 1) & (BATCH - 1)));
    float behind = tile.get(at + ((i + 1) & (BATCH - 1)));
    return Math.fma(0.25f, behind, Math.fma(0.5f, tile.get(at + i), 0.25f * before));
  }

  /** One thread's part of a batch, of {@link #THREADS} threads. */
  private static void compute(SharedFloats tile, int at, GlobalFloats out, int batch, int rank) {
    long to = (long) batch * BATCH + rank;
    for (int i = 0; i < BATCH; i += THREADS) {
      out.set(to + i, mean(tile, at, rank + i));
    }
  }

  @Kernel(maxThreads = THREADS)
  static void plain(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, int passes) {
    SharedFloats tile = block.sharedFloats(BATCH);
    int rank = block.threadIndexX();
    int turns = batches * passes;
    for (int turn = block.blockIndexX(); turn < turns; turn += block.gridSizeX()) {
      int batch = turn & (batches - 1);
      long from = (long) batch * BATCH + rank;
      // A known number of iterations: all loads are in flight before the first one is waited for.
      for (int i = 0; i < BATCH; i += THREADS) {
        tile.set(rank + i, in.get(from + i));
      }
      block.sync();
      compute(tile, 0, out, batch, rank);
      block.sync();
    }
  }

  @Kernel(maxThreads = THREADS)
  static void onBarrier(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, int passes) {
    SharedFloats tile = block.sharedFloats(BATCH);
    Barrier arrived = block.barrier();
    int turns = batches * passes;
    for (int turn = block.blockIndexX(); turn < turns; turn += block.gridSizeX()) {
      int batch = turn & (batches - 1);
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16, arrived);
      arrived.arriveAndWait();
      compute(tile, 0, out, batch, block.threadIndexX());
      block.sync();
    }
  }

  @Kernel(maxThreads = THREADS)
  static void pipelined(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      int batches,
      int passes,
      @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages);
    int step = block.gridSizeX();
    int turns = batches * passes;
    int ahead = block.blockIndexX();
    for (int turn = block.blockIndexX(); turn < turns; turn += step) {
      int batch = turn & (batches - 1);
      for (; ahead < turns && ahead < turn + stages * step; ahead += step) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * BATCH;
        long first = (long) (ahead & (batches - 1)) * BATCH;
        block.memcpyAsync(tiles, to, in, first, BATCH, 16, pipeline);
        pipeline.producerCommit();
      }
      pipeline.consumerWait();
      int from = pipeline.consumerStage() * BATCH;
      compute(tiles, from, out, batch, block.threadIndexX());
      pipeline.consumerRelease();
    }
  }

  /** A warp loads, and {@link #THREADS} threads compute. */
  @Kernel(maxThreads = ROLE_THREADS)
  static void byRoles(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      int batches,
      int passes,
      @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages, PRODUCERS);
    Warp warp = block.warp();
    int rank = block.threadIndexX();
    int turns = batches * passes;
    for (int turn = block.blockIndexX(); turn < turns; turn += block.gridSizeX()) {
      int batch = turn & (batches - 1);
      if (rank < PRODUCERS) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * BATCH;
        warp.memcpyAsync(tiles, to, in, (long) batch * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int from = pipeline.consumerStage() * BATCH;
        compute(tiles, from, out, batch, rank - PRODUCERS);
        pipeline.consumerRelease();
      }
    }
  }

  /** In and out by bulk copies: results lie in a tile of their own. */
  @Kernel(maxThreads = THREADS)
  static void bulk(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, int passes) {
    SharedFloats tile = block.sharedFloats(BATCH);
    SharedFloats computed = block.sharedFloats(BATCH);
    float[] means = new float[SHARE];
    Barrier arrived = block.barrier();
    int rank = block.threadIndexX();
    int turns = batches * passes;
    for (int turn = block.blockIndexX(); turn < turns; turn += block.gridSizeX()) {
      int batch = turn & (batches - 1);
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16, arrived);
      arrived.arriveAndWait();
      // Everything is read before the first result is written.
      for (int i = 0; i < SHARE; i++) {
        means[i] = mean(tile, 0, rank + i * THREADS);
      }
      for (int i = 0; i < SHARE; i++) {
        computed.set(rank + i * THREADS, means[i]);
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
