package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels that copy asynchronously, each to the same end: what is out is a function of what is in.
 */
final class CopyKernels {
  /** The elements that a block has in shared memory at once. */
  static final int TILE = 512;

  private CopyKernels() {}

  private static int changed(int value) {
    return value * 31 + 7;
  }

  /** Each block waits for its group of copies. */
  @Kernel
  static void byGroup(
      ThreadBlock block, GlobalInts in, GlobalInts out, int n, @Const int alignment) {
    SharedInts tile = block.sharedInts(TILE);
    long from = (long) block.blockIndexX() * TILE;
    int count = (int) Math.min(TILE, n - from);
    block.memcpyAsync(tile, 0, in, from, count, alignment);
    block.waitAll();
    for (int i = block.threadRank(); i < count; i += block.size()) {
      out.set(from + i, changed(tile.get(i)));
    }
  }

  /** Each block waits at a barrier that knows of its copies. */
  @Kernel
  static void byBarrier(
      ThreadBlock block, GlobalInts in, GlobalInts out, int n, @Const int alignment) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier barrier = block.barrier();
    int tiles = (n + TILE - 1) / TILE;
    for (int at = block.blockIndexX(); at < tiles; at += block.gridSizeX()) {
      long from = (long) at * TILE;
      int count = (int) Math.min(TILE, n - from);
      block.memcpyAsync(tile, 0, in, from, count, alignment, barrier);
      barrier.arriveAndWait();
      for (int i = block.threadRank(); i < count; i += block.size()) {
        out.set(from + i, changed(tile.get(i)));
      }
      barrier.arriveAndWait();
    }
  }

  /** Every thread produces and consumes; several tiles are on their way at once. */
  @Kernel
  static void byPipeline(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int n,
      @Const int stages,
      @Const int alignment) {
    SharedInts tiles = block.sharedInts(stages * TILE);
    Pipeline pipeline = block.pipeline(stages);
    int all = (n + TILE - 1) / TILE;
    int step = block.gridSizeX();
    int ahead = block.blockIndexX();
    for (int i = 0; i < stages - 1 && ahead < all; i++) {
      fetch(block, pipeline, tiles, in, ahead, n, alignment);
      ahead += step;
    }
    for (int at = block.blockIndexX(); at < all; at += step) {
      if (ahead < all) {
        fetch(block, pipeline, tiles, in, ahead, n, alignment);
        ahead += step;
      }
      pipeline.consumerWait();
      store(pipeline, tiles, out, at, n, block.threadRank(), block.size());
      pipeline.consumerRelease();
    }
  }

  private static void fetch(
      ThreadBlock block,
      Pipeline pipeline,
      SharedInts tiles,
      GlobalInts in,
      int at,
      int n,
      @Const int alignment) {
    long from = (long) at * TILE;
    int count = (int) Math.min(TILE, n - from);
    pipeline.producerAcquire();
    block.memcpyAsync(tiles, pipeline.producerStage() * TILE, in, from, count, alignment, pipeline);
    pipeline.producerCommit();
  }

  private static void store(
      Pipeline pipeline, SharedInts tiles, GlobalInts out, int at, int n, int rank, int threads) {
    long from = (long) at * TILE;
    int count = (int) Math.min(TILE, n - from);
    for (int i = rank; i < count; i += threads) {
      out.set(from + i, changed(tiles.get(pipeline.consumerStage() * TILE + i)));
    }
  }

  /** The first warp produces, the others consume. */
  @Kernel
  static void byRoles(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int n,
      @Const int stages,
      @Const int alignment) {
    SharedInts tiles = block.sharedInts(stages * TILE);
    Pipeline pipeline = block.pipeline(stages, 32);
    Warp warp = block.warp();
    int all = (n + TILE - 1) / TILE;
    for (int at = block.blockIndexX(); at < all; at += block.gridSizeX()) {
      if (pipeline.isProducer()) {
        long from = (long) at * TILE;
        int count = (int) Math.min(TILE, n - from);
        pipeline.producerAcquire();
        warp.memcpyAsync(
            tiles, pipeline.producerStage() * TILE, in, from, count, alignment, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        store(pipeline, tiles, out, at, n, block.threadRank() - 32, block.size() - 32);
        pipeline.consumerRelease();
      }
    }
  }

  /** Each thread copies for itself alone, several copies ahead. */
  @Kernel
  static void byThread(ThreadBlock block, GlobalInts in, GlobalInts out, int n) {
    SharedInts mine = block.sharedInts(4 * 128);
    int rank = block.threadRank();
    long first = block.globalIndexX();
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (int ahead = 0; ahead < 3; ahead++) {
      int count = first + ahead * step < n ? 1 : 0;
      ThisThread.memcpyAsync(
          mine, ahead * 128 + rank, in, count == 0 ? 0 : first + ahead * step, count);
    }
    int stage = 0;
    for (long i = first; i < n; i += step) {
      long next = i + 3 * step;
      int count = next < n ? 1 : 0;
      ThisThread.memcpyAsync(
          mine, ((stage + 3) & 3) * 128 + rank, in, count == 0 ? 0 : next, count);
      ThisThread.waitPrior(3);
      out.set(i, changed(mine.get((stage & 3) * 128 + rank)));
      stage++;
    }
    ThisThread.waitAll();
  }

  /** Bulk copies both ways, begun by one thread; the last act of the kernel is a store. */
  @Kernel
  static void byBulk(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier barrier = block.barrier(1);
    long from = (long) block.blockIndexX() * TILE;
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(
          tile, 0, in, 4 * from, 4 * TILE, barrier.words(), barrier.index());
      barrier.arriveExpecting(4 * TILE);
    }
    barrier.waitForParity(0);
    for (int i = block.threadRank(); i < TILE; i += block.size()) {
      tile.set(i, changed(tile.get(i)));
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 4 * from, tile, 0, 4 * TILE);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  /** Bytes, of which no more is known than that they are bytes, there and back. */
  @Kernel
  static void bytes(ThreadBlock block, GlobalBytes in, GlobalBytes out, int first, int count) {
    SharedBytes tile = block.sharedBytes(1024);
    block.memcpyAsync(tile, 3, in, first, count);
    block.waitAll();
    block.memcpyAsync(out, first, tile, 3, count, 1);
  }
}
