package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels that wait for their copies and then meet before the next ones, and leave out one of the
 * two in some turns. All are launched with one block of 64 threads and two arrays of 256.
 */
final class OmittedWaits {
  /** Nothing is left out. */
  static final int NONE = 0;

  static final int WAIT = 1;
  static final int MEETING = 2;

  private static final int TURNS = 4;

  private OmittedWaits() {}

  /** Whether something is done in a turn. */
  private static boolean does(int what, int omitted, int turn, int from, int to) {
    return what != omitted || turn < from || turn > to;
  }

  @Kernel
  static void groupsOfTheBlock(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      block.memcpyAsync(tile, 0, in, 64 * i, 64);
      if (does(WAIT, omitted, i, from, to)) {
        block.waitAll();
      } else {
        block.sync();
      }
      out.set(64 * i + rank, tile.get(63 - rank));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }

  @Kernel
  static void groupsOfEachThread(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      ThisThread.memcpyAsync(tile, rank, in, 64 * i + rank, 1);
      if (does(WAIT, omitted, i, from, to)) {
        ThisThread.waitAll();
        block.sync();
      }
      out.set(64 * i + rank, tile.get(rank ^ 33));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }

  /** Threads meet once more between the wait and what they read. */
  @Kernel
  static void changesBetween(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    SharedInts other = block.sharedInts(64);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      block.memcpyAsync(tile, 0, in, 64 * i, 64);
      if (does(WAIT, omitted, i, from, to)) {
        block.waitAll();
      } else {
        block.sync();
      }
      other.set(rank, rank);
      block.sync();
      out.set(64 * i + rank, tile.get(63 - rank) + other.get(rank ^ 1));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }

  @Kernel
  static void twoStages(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    block.memcpyAsync(tiles, 0, in, 0, 64);
    for (int i = 0; i < TURNS; i++) {
      int next = Math.min(i + 1, TURNS - 1);
      block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, 64 * next, 64);
      if (does(WAIT, omitted, i, from, to)) {
        block.waitPrior(1);
      } else {
        block.waitPrior(2);
      }
      out.set(64 * i + rank, tiles.get(i % 2 * 64 + 63 - rank));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }

  @Kernel
  static void aBarrier(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    long phase = 0;
    for (int i = 0; i < TURNS; i++) {
      block.memcpyAsync(tile, 0, in, 64 * i, 64, barrier);
      phase = barrier.arrive();
      if (does(WAIT, omitted, i, from, to)) {
        barrier.waitFor(phase);
      }
      out.set(64 * i + rank, tile.get(63 - rank));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    barrier.waitFor(phase);
  }

  @Kernel
  static void bulkCopies(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      if (rank == 0) {
        barrier.arriveExpecting(256);
        PtxBulkCopies.cpAsyncBulkToShared(
            tile, 0, in, 256L * i, 256, barrier.words(), barrier.index());
      }
      if (does(WAIT, omitted, i, from, to)) {
        barrier.waitForParity(i & 1);
      }
      out.set(64 * i + rank, tile.get(63 - rank));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    barrier.waitForParity(TURNS - 1 & 1);
  }

  @Kernel
  static void aPipeline(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      if (does(MEETING, omitted, i, from, to)) {
        pipeline.producerAcquire();
      }
      block.memcpyAsync(tile, 0, in, 64 * i, 64, pipeline);
      pipeline.producerCommit();
      if (does(WAIT, omitted, i, from, to)) {
        pipeline.consumerWait();
      }
      out.set(64 * i + rank, tile.get(63 - rank));
      pipeline.consumerRelease();
    }
    pipeline.drain();
  }

  @Kernel
  static void producersAndConsumers(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    int rank = block.threadRank();
    for (int i = 0; i < 2 * TURNS; i++) {
      int stage = i % 2 * 32;
      if (pipeline.isProducer()) {
        if (does(MEETING, omitted, i, from, to)) {
          pipeline.producerAcquire();
        }
        ThisThread.memcpyAsync(tiles, stage + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        if (does(WAIT, omitted, i, from, to)) {
          pipeline.consumerWait();
        }
        out.set(32 * i + rank - 32, tiles.get(stage + 63 - rank));
        pipeline.consumerRelease();
      }
      // Or a thread that has not waited would give a stage back for one that has not read it.
      block.warp().sync();
    }
    pipeline.drain();
  }

  @Kernel
  static void oneThreadForAll(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    for (int i = 0; i < TURNS; i++) {
      if (rank == 32) {
        ThisThread.memcpyAsync(tile, 0, in, 64 * i, 64);
        if (does(WAIT, omitted, i, from, to)) {
          ThisThread.waitAll();
        }
      }
      block.sync();
      out.set(64 * i + rank, tile.get(63 - rank));
      if (does(MEETING, omitted, i, from, to)) {
        block.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }

  @Kernel
  static void eachWarpForItself(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int omitted, int from, int to) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    int rank = block.threadRank();
    int first = 32 * warp.index();
    for (int i = 0; i < TURNS; i++) {
      warp.memcpyAsync(tile, first, in, 64 * i + first, 32);
      if (does(WAIT, omitted, i, from, to)) {
        warp.waitAll();
      } else {
        warp.sync();
      }
      out.set(64 * i + rank, tile.get(rank ^ 31));
      if (does(MEETING, omitted, i, from, to)) {
        warp.sync();
      }
    }
    PtxCopies.cpAsyncWaitAll();
  }
}
