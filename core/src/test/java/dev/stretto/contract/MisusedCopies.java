package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs: one that breaks a rule of asynchronous copies, and the same done right. All are
 * launched with one block of 64 threads and two arrays of 256.
 */
final class MisusedCopies {
  private MisusedCopies() {}

  // --- waits of groups
  // -----------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsAtOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 0, 64);
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void readsAtOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 0, 64);
    block.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void onlySyncsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncCommitGroup();
    block.sync();
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void onlySyncsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void doesNotCommitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncWaitGroup(0);
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void doesNotCommitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncWaitAll();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.WAIT_LEAVES_GROUP)
  static void leavesTheOnlyGroupBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(1);
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void leavesTheOnlyGroupGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(1);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks({CopyRule.WAIT_LEAVES_GROUP, CopyRule.MISSING_BARRIER})
  static void leavesTheSecondGroupBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts first = block.sharedInts(64);
    SharedInts second = block.sharedInts(64);
    block.memcpyAsync(first, 0, in, 0, 64);
    block.memcpyAsync(second, 0, in, 64, 64);
    block.waitPrior(1);
    out.set(block.threadRank(), first.get(block.threadRank()));
    out.set(64 + block.threadRank(), second.get(block.threadRank())); // wrong
  }

  @Kernel
  static void leavesTheSecondGroupGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts first = block.sharedInts(64);
    SharedInts second = block.sharedInts(64);
    block.memcpyAsync(first, 0, in, 0, 64);
    block.memcpyAsync(second, 0, in, 64, 64);
    block.waitPrior(1);
    out.set(block.threadRank(), first.get(block.threadRank()));
    block.waitAll();
    out.set(64 + block.threadRank(), second.get(block.threadRank()));
  }

  /** In its last round nothing is fetched, so that the wait leaves what that round needs. */
  @Kernel
  @Breaks({CopyRule.WAIT_LEAVES_GROUP, CopyRule.MISSING_BARRIER})
  static void waitsTooLittleAtTheEndBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    block.memcpyAsync(tiles, 0, in, 0, 64);
    for (int i = 0; i < 4; i++) {
      if (i < 3) {
        block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, (i + 1) * 64, 64);
      }
      block.waitPrior(1);
      int rank = block.threadRank();
      out.set(i * 64 + rank, tiles.get(i % 2 * 64 + rank)); // wrong
      block.sync();
    }
  }

  @Kernel
  static void waitsTooLittleAtTheEndGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    block.memcpyAsync(tiles, 0, in, 0, 64);
    for (int i = 0; i < 4; i++) {
      int count = i < 3 ? 64 : 0;
      block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, count == 0 ? 0 : (i + 1) * 64, count);
      block.waitPrior(1);
      int rank = block.threadRank();
      out.set(i * 64 + rank, tiles.get(i % 2 * 64 + rank));
      block.sync();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void waitsForItselfOnlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    ThisThread.memcpyAsync(tile, block.threadRank(), in, block.threadRank(), 1);
    block.sync();
    ThisThread.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank() ^ 1)); // wrong
  }

  @Kernel
  static void waitsForItselfOnlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    ThisThread.memcpyAsync(tile, block.threadRank(), in, block.threadRank(), 1);
    ThisThread.waitAll();
    block.sync();
    out.set(block.threadRank(), tile.get(block.threadRank() ^ 1));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.EARLY_REFILL})
  static void readsAnotherWarpsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    warp.memcpyAsync(tile, warp.index() * 32, in, warp.index() * 32, 32); // wrong
    warp.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank() ^ 32)); // wrong
  }

  @Kernel
  static void readsAnotherWarpsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    warp.memcpyAsync(tile, warp.index() * 32, in, warp.index() * 32, 32);
    warp.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank() ^ 1));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void commitsInABranchBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (block.threadIndexX() % 2 == 0) {
      PtxCopies.cpAsyncCa8(tile, 4 * rank, in, 4 * rank);
      PtxCopies.cpAsyncCommitGroup(); // wrong
    }
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void commitsInABranchGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (block.threadIndexX() % 2 == 0) {
      PtxCopies.cpAsyncCa8(tile, 4 * rank, in, 4 * rank);
    }
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void arrivesInABranchBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    if (block.threadIndexX() % 2 == 0) {
      PtxCopies.cpAsyncCa8(tile, 4 * rank, in, 4 * rank);
      PtxBarriers.cpAsyncMbarrierArrive(barrier.words(), barrier.index()); // wrong
    }
    barrier.arriveAndWait();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void arrivesInABranchGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    if (block.threadIndexX() % 2 == 0) {
      PtxCopies.cpAsyncCa8(tile, 4 * rank, in, 4 * rank);
    }
    PtxBarriers.cpAsyncMbarrierArrive(barrier.words(), barrier.index());
    barrier.arriveAndWait();
    out.set(rank, tile.get(rank));
  }

  // --- buffers that are used again
  // -----------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsAtOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      block.memcpyAsync(tile, 0, in, i * 64, 64); // wrong
      block.waitAll();
      out.set(i * 64 + block.threadRank(), tile.get(63 - block.threadRank()));
    }
  }

  @Kernel
  static void refillsAtOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      block.memcpyAsync(tile, 0, in, i * 64, 64);
      block.waitAll();
      out.set(i * 64 + block.threadRank(), tile.get(63 - block.threadRank()));
      block.sync();
    }
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsWhatAllReadBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      block.memcpyAsync(tile, 0, in, i * 64, 64); // wrong
      block.waitAll();
      out.set(i * 64 + block.threadRank(), tile.get(5));
    }
  }

  @Kernel
  static void refillsWhatAllReadGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      block.sync();
      block.memcpyAsync(tile, 0, in, i * 64, 64);
      block.waitAll();
      out.set(i * 64 + block.threadRank(), tile.get(5));
    }
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.MISSING_WAIT, CopyRule.MISSING_BARRIER})
  static void releasesBeforeItReadsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    for (int i = 0; i < 4; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tile, 0, in, i * 64, 64, pipeline); // wrong
      pipeline.producerCommit();
      pipeline.consumerWait();
      pipeline.consumerRelease();
      out.set(i * 64 + block.threadRank(), tile.get(63 - block.threadRank())); // wrong
    }
  }

  @Kernel
  static void releasesBeforeItReadsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    for (int i = 0; i < 4; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tile, 0, in, i * 64, 64, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(i * 64 + block.threadRank(), tile.get(63 - block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void copiesTwiceToOnePlaceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * (64 + rank)); // wrong
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void copiesTwiceToOnePlaceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncWaitAll();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * (64 + rank));
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void storesWhereACopyGoesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    tile.set(rank, -1); // wrong
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void storesWhereACopyGoesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    tile.set(rank, -1);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void anotherThreadStoredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    tile.set(63 - rank, -1);
    block.memcpyAsync(tile, 0, in, 0, 64, barrier); // wrong
    barrier.arriveAndWait();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void anotherThreadStoredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    tile.set(63 - rank, -1);
    block.sync();
    block.memcpyAsync(tile, 0, in, 0, 64, barrier);
    barrier.arriveAndWait();
    out.set(rank, tile.get(rank));
  }

  // --- barrier objects
  // -----------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void arrivesOnlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, barrier);
    barrier.arrive();
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void arrivesOnlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, barrier);
    long phase = barrier.arrive();
    barrier.waitFor(phase);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void doesNotWaitForTheStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2);
    pipeline.producerAcquire();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, pipeline);
    pipeline.producerCommit();
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void doesNotWaitForTheStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2);
    pipeline.producerAcquire();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsTooLittleBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), barrier.index());
      barrier.arriveExpecting(128); // wrong
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void expectsTooLittleGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 128, barrier.words(), barrier.index());
      PtxBulkCopies.cpAsyncBulkToShared(tile, 128, in, 128, 128, barrier.words(), barrier.index());
      barrier.arriveExpecting(256);
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsTooMuchBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.expectBytes(272); // wrong
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), barrier.index());
      barrier.arrive();
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void expectsTooMuchGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), barrier.index());
      barrier.arrive();
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsNothingBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), barrier.index());
    }
    barrier.arriveAndWait(); // wrong
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void expectsNothingGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void isNotInitializedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    PtxBarriers.mbarrierArrive(words, 0); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void isNotInitializedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    PtxBarriers.mbarrierArrive(words, 0);
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void isNotKnownYetBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.barrierAt(words, 0).arriveAndWait(); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void isNotKnownYetGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void isInitializedTwiceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64); // wrong
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void isInitializedTwiceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInval(words, 0);
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.TOO_MANY_ARRIVALS)
  static void arrivesTooOftenBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(32);
    if (block.threadRank() == 0) {
      barrier.arrive(20);
      barrier.arrive(20); // wrong
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void arrivesTooOftenGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(40);
    if (block.threadRank() == 0) {
      barrier.arrive(20);
      barrier.arrive(20);
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks({CopyRule.TOO_MANY_ARRIVALS, CopyRule.MISSING_WAIT})
  static void isNotCountedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(32);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxBarriers.cpAsyncMbarrierArriveNoinc(barrier.words(), barrier.index()); // wrong
    barrier.waitForParity(0);
    out.set(rank, tile.get(rank)); // wrong
  }

  @Kernel
  static void isNotCountedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxBarriers.cpAsyncMbarrierArriveNoinc(barrier.words(), barrier.index());
    barrier.waitForParity(0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.STALE_PHASE)
  static void waitsForAnOldPhaseBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    long first = barrier.arrive();
    barrier.waitFor(first);
    barrier.arriveAndWait();
    barrier.arriveAndWait();
    barrier.waitFor(first); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void waitsForAnOldPhaseGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    long first = barrier.arrive();
    barrier.waitFor(first);
    barrier.waitFor(first);
    barrier.arriveAndWait();
    barrier.arriveAndWait();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(forEver = true)
  static void oneDoesNotArriveBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    if (block.threadRank() != 7) {
      barrier.arriveAndWait(); // wrong
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void oneDoesNotArriveGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    if (block.threadRank() == 7) {
      barrier.arriveAndDrop();
    } else {
      barrier.arriveAndWait();
      barrier.arriveAndWait();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(forEver = true)
  static void oneDoesNotReleaseBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    for (int i = 0; i < 2; i++) {
      pipeline.producerAcquire(); // wrong
      block.memcpyAsync(tile, 0, in, i * 64, 64, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(i * 64 + block.threadRank(), tile.get(block.threadRank()));
      if (block.threadRank() != 3) {
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void oneDoesNotReleaseGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    for (int i = 0; i < 2; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tile, 0, in, i * 64, 64, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      if (block.threadRank() != 3) {
        out.set(i * 64 + block.threadRank(), tile.get(block.threadRank()));
      }
      pipeline.consumerRelease();
    }
  }

  @Kernel
  @Breaks(forEver = true)
  static void leavesWithoutQuittingBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i < 4; i++) {
      if (i == 2 && block.threadRank() == 9) {
        return;
      }
      pipeline.producerAcquire();
      ThisThread.memcpyAsync(
          tiles, i % 2 * 64 + block.threadRank(), in, i * 64 + block.threadRank(), 1, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait(); // wrong
      out.set(i * 64 + block.threadRank(), tiles.get(i % 2 * 64 + block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void leavesWithoutQuittingGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(2);
    for (int i = 0; i < 4; i++) {
      if (i == 2 && block.threadRank() == 9) {
        pipeline.quit();
        return;
      }
      pipeline.producerAcquire();
      ThisThread.memcpyAsync(
          tiles, i % 2 * 64 + block.threadRank(), in, i * 64 + block.threadRank(), 1, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(i * 64 + block.threadRank(), tiles.get(i % 2 * 64 + block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  // --- bulk copies to global memory
  // ----------------------------------------------------------------------------------

  private static void fill(ThreadBlock block, GlobalInts in, SharedInts tile) {
    int rank = block.threadRank();
    tile.set(rank, in.get(rank) + 1);
  }

  private static void finish() {
    PtxBulkCopies.cpAsyncBulkCommitGroup();
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void hasNoFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      finish();
    }
  }

  @Kernel
  static void hasNoFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void hasNoBarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      finish();
    }
  }

  @Kernel
  static void hasNoBarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    if (block.threadRank() == 0) {
      for (int i = 0; i < 64; i++) {
        tile.set(i, in.get(i) + 1);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void oneFencesForAllBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.fenceProxyAsyncShared();
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      finish();
    }
  }

  @Kernel
  static void oneFencesForAllGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsync();
    block.barrier().arriveAndWait();
    if (block.threadRank() == 32) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.READ_WAIT_ONLY)
  static void readsWhatMayNotBeThereBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      finish();
      out.set(64, out.get(5)); // wrong
    }
  }

  @Kernel
  static void readsWhatMayNotBeThereGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
      out.set(64, out.get(5));
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void endsTooEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
  }

  @Kernel
  static void endsTooEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void endsWithoutCommitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void endsWithoutCommitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 128);
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 128, tile, 128, 128);
      finish();
    }
  }

  @Kernel
  @Breaks({CopyRule.STORE_NOT_READ, CopyRule.MISSING_BARRIER})
  static void storesOverWhatIsReadBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
    block.sync();
    tile.set(block.threadRank(), 0); // wrong
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  @Kernel
  static void storesOverWhatIsReadGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    block.sync();
    tile.set(block.threadRank(), 0);
  }

  // --- addresses and numbers
  // -----------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void isMisalignedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa8(tile, 4 * (rank + rank / 64), in, 4 * rank); // wrong
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void isMisalignedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa8(tile, 8 * rank, in, 8 * rank);
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(2 * rank));
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void promisesTooMuchBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 1, 32, 16); // wrong
    block.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank() / 2));
  }

  @Kernel
  static void promisesTooMuchGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 4, 32, 16);
    block.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank() / 2));
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void copiesHalfAUnitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(24);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 24, barrier.words(), 0); // wrong
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  static void copiesHalfAUnitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(32);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 32, barrier.words(), 0);
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void countsNobodyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 0); // wrong
    }
    block.sync();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void countsNobodyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, PtxBarriers.MOST);
    }
    block.sync();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void countsTooManyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(in.get(0) >= 0 ? 1 << 20 : 1 << 21); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()) + barrier.index());
  }

  @Kernel
  static void countsTooManyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(in.get(0) >= 0 ? 1 << 19 : 1 << 18);
    out.set(block.threadRank(), in.get(block.threadRank()) + barrier.index());
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void waitsForParityTwoBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    for (int i = 0; i < 3; i++) {
      barrier.arrive();
      barrier.waitForParity(i); // wrong
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void waitsForParityTwoGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    for (int i = 0; i < 3; i++) {
      barrier.arrive();
      barrier.waitForParity(i & 1);
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }
}
