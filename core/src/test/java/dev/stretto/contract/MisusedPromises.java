package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels that break what callers of copies, barriers and pipelines promise, and beside each one
 * that does not. Numbers come from memory where the compiler would know of constants.
 */
final class MisusedPromises {
  private MisusedPromises() {}

  /** Zero, as only a device finds out. */
  private static int zero(GlobalInts in) {
    return Math.min(in.get(0), 0);
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void copiesLessThanNothingBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 8, in, 8, zero(in) - 1, 16, barrier); // wrong
    barrier.arriveAndWait();
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void copiesLessThanNothingGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 8, in, 8, zero(in), 16, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void isTooShortToShowBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, zero(in) + 1, in, 1, 3, 16, barrier); // wrong
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(1));
  }

  @Kernel
  static void isTooShortToShowGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, zero(in) + 4, in, 4, 3, 16, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(4));
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void promisesALineBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, zero(in) + 4, 32, 128); // wrong
    block.waitAll();
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  static void promisesALineGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, zero(in) + 32, 32, 128);
    block.waitAll();
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void nobodyProducesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, zero(in)); // wrong
    out.set(block.threadRank(), pipeline.stages());
  }

  @Kernel
  static void nobodyProducesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, zero(in) + 1);
    out.set(block.threadRank(), pipeline.stages());
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void nobodyConsumesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, block.size()); // wrong
    out.set(block.threadRank(), pipeline.stages());
  }

  @Kernel
  static void nobodyConsumesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, block.size() - 1);
    out.set(block.threadRank(), pipeline.stages());
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void doesNotArriveAtAllBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    barrier.waitFor(barrier.arrive(zero(in))); // wrong
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void doesNotArriveAtAllGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    barrier.waitFor(barrier.arrive(zero(in) + 1));
    out.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void consumersCopyTooBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1, 32);
    if (pipeline.isProducer()) {
      pipeline.producerAcquire();
    }
    block.memcpyAsync(tile, 0, in, 0, 64, 16, pipeline); // wrong
    if (pipeline.isProducer()) {
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
      out.set(block.threadRank(), tile.get(block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void consumersCopyTooGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1, 32);
    Warp warp = block.warp();
    if (pipeline.isProducer()) {
      pipeline.producerAcquire();
      warp.memcpyAsync(tile, 0, in, 0, 64, 16, pipeline);
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
      out.set(block.threadRank(), tile.get(block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void consumersCommitTooBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, 32);
    pipeline.producerCommit(); // wrong
    if (pipeline.isConsumer()) {
      pipeline.consumerWait();
      pipeline.consumerRelease();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void consumersCommitTooGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, 32);
    if (pipeline.isProducer()) {
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
      pipeline.consumerRelease();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void producersReleaseTooBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, 32);
    if (pipeline.isProducer()) {
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
    }
    pipeline.consumerRelease(); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void producersReleaseTooGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    consumersCommitTooGood(block, in, out);
  }

  @Kernel
  @Breaks(CopyRule.TOO_MANY_ARRIVALS)
  static void leavesTwiceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2);
    if (zero(in) == 0) {
      pipeline.quit();
    }
    pipeline.quit(); // wrong
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void leavesTwiceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2);
    pipeline.quit();
    out.set(block.threadRank(), 1 + zero(in));
  }

  @Kernel
  @Breaks(CopyRule.TOO_MANY_ARRIVALS)
  static void goesOnWhenItHasLeftBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2);
    if (zero(in) == 0) {
      pipeline.quit();
    }
    pipeline.producerAcquire(); // wrong
    pipeline.producerCommit();
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void goesOnWhenItHasLeftGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2);
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.quit();
    out.set(block.threadRank(), 1 + zero(in));
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void oneCopiesForTheBlockBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    if (block.threadRank() == 0) {
      block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier); // wrong
    }
    barrier.arriveAndWait();
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void oneCopiesForTheBlockGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void eachCopiesOtherNumbersBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    if (warp.index() == 0) {
      warp.memcpyAsync(tile, 0, in, 0, 4 * (warp.lane() / 16 + 1)); // wrong
    }
    block.waitAll();
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  static void eachCopiesOtherNumbersGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    if (warp.index() == 0) {
      warp.memcpyAsync(tile, 0, in, 0, 4);
    }
    block.waitAll();
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void copiesWhatItHasStoredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    in.set(block.threadRank(), block.threadRank());
    block.sync();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier); // wrong
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void copiesWhatItHasStoredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    in.set(block.threadRank(), block.threadRank());
    block.fenceProxyAsync();
    block.sync();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  /** Tile by tile in place: only the last turn reads what the first has stored. */
  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void comesBackToTheFirstTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    for (int turn = 0; turn < 4; turn++) {
      int at = turn % 3 * 64;
      block.memcpyAsync(tile, 0, in, at, 64, 16, barrier); // wrong
      barrier.arriveAndWait();
      in.set(at + block.threadRank(), 2 * tile.get(block.threadRank())); // wrong
      block.sync();
    }
    out.set(block.threadRank(), 1);
  }

  @Kernel
  static void comesBackToTheFirstTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    for (int turn = 0; turn < 4; turn++) {
      int at = turn % 4 * 64;
      block.memcpyAsync(tile, 0, in, at, 64, 16, barrier);
      barrier.arriveAndWait();
      in.set(at + block.threadRank(), 2 * tile.get(block.threadRank()));
      block.sync();
    }
    out.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void leavesAStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i < 2; i++) {
      pipeline.producerAcquire();
      int at = pipeline.producerStage() * 64;
      block.memcpyAsync(tiles, at, in, 64 * i, 64, 16, pipeline); // wrong
      pipeline.producerCommit(); // wrong
    }
    pipeline.consumerWait(); // wrong
    out.set(block.threadRank(), tiles.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  @Kernel
  static void leavesAStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i < 2; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tiles, pipeline.producerStage() * 64, in, 64 * i, 64, 16, pipeline);
      pipeline.producerCommit();
    }
    pipeline.consumerWait();
    out.set(block.threadRank(), tiles.get(block.threadRank()));
    pipeline.consumerRelease();
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void usesWhatHasEndedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size());
    }
    block.sync();
    Barrier barrier = block.barrierAt(words, 0);
    barrier.arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      barrier.invalidate();
    }
    block.sync();
    barrier.arrive(); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void usesWhatHasEndedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size());
    }
    block.sync();
    Barrier barrier = block.barrierAt(words, 0);
    barrier.arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      barrier.invalidate();
    }
    block.sync();
    ThisThread.waitAll();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void fillsAheadWithoutABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    int count = 4 + zero(in);
    int ahead = 0;
    for (int tile = 0; tile < count; tile++) {
      for (; ahead < count && ahead < tile + 2; ahead++) {
        int to = ahead % 2 * 64 + rank;
        PtxCopies.cpAsyncCa4(tiles, to * 4, in, (ahead * 64 + rank) * 4L); // wrong
        PtxCopies.cpAsyncCommitGroup();
      }
      if (tile + 1 < count) {
        PtxCopies.cpAsyncWaitGroup(1);
      } else {
        PtxCopies.cpAsyncWaitGroup(0);
      }
      block.sync();
      out.set(tile * 64 + rank, tiles.get(tile % 2 * 64 + (rank + 1) % 64)); // wrong
    }
  }

  @Kernel
  static void fillsAheadWithoutABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    int count = 4 + zero(in);
    int ahead = 0;
    for (int tile = 0; tile < count; tile++) {
      for (; ahead < count && ahead < tile + 2; ahead++) {
        int to = ahead % 2 * 64 + rank;
        PtxCopies.cpAsyncCa4(tiles, to * 4, in, (ahead * 64 + rank) * 4L);
        PtxCopies.cpAsyncCommitGroup();
      }
      if (tile + 1 < count) {
        PtxCopies.cpAsyncWaitGroup(1);
      } else {
        PtxCopies.cpAsyncWaitGroup(0);
      }
      block.sync();
      out.set(tile * 64 + rank, tiles.get(tile % 2 * 64 + (rank + 1) % 64));
      block.sync();
    }
  }
}
