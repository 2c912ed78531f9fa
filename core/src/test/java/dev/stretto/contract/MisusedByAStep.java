package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PipelinePrimitives;
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
 * Wrong kernels beside those of {@link MisusedCopies}, most of them a step away from one of {@link
 * RightCopies}. All are launched with one block of 64 threads and two arrays of 256.
 */
final class MisusedByAStep {
  private MisusedByAStep() {}

  // --- commits of some threads
  // -----------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void halfAWarpCommits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (block.warp().lane() < 16) {
      PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
      PtxCopies.cpAsyncCommitGroup(); // wrong
    }
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(rank, tile.get(rank & 15));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void someCommitBehindALoop(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (rank < 8) {
      for (int i = rank; i < 64; i += 8) {
        PtxCopies.cpAsyncCa4(tile, 4 * i, in, 4 * i);
      }
      PtxCopies.cpAsyncCommitGroup(); // wrong
    }
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void everySecondThreadCommits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if ((block.threadIndexX() & 1) == 1) {
      PipelinePrimitives.memcpyAsync(tile, rank - 1, in, rank - 1, 8);
      PipelinePrimitives.commit(); // wrong
    }
    PipelinePrimitives.waitPrior(0);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void everyFourthThreadArrives(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    if (block.threadIndexX() % 4 == 3) {
      PipelinePrimitives.memcpyAsync(tile, rank - 3, in, rank - 3, 16);
      PipelinePrimitives.arriveOn(barrier); // wrong
    }
    barrier.arriveAndWait();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.DIVERGENT_COMMIT)
  static void theLastThreadsCommit(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (rank >= 40) {
      PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
      PtxCopies.cpAsyncCommitGroup(); // wrong
    }
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    out.set(rank, tile.get(40 + rank % 24));
  }

  // --- memory that is used again
  // ---------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void aThreadDoesNotWaitForRoom(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      if (rank == 0) {
        full.arriveExpecting(256);
        PtxBulkCopies.cpAsyncBulkToShared( // wrong
            tile, 0, in, 256L * i, 256, full.words(), full.index());
      }
      full.waitForParity(i & 1);
      out.set(64 * i + rank, tile.get(63 - rank)); // wrong
    }
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsWhatAllReadInALoop(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(16);
    int turns = in.get(0) >= 0 ? 4 : 2;
    int sum = 0;
    for (int i = 0; i < turns; i++) {
      block.memcpyAsync(tile, 0, in, 16 * i, 16); // wrong
      block.waitAll();
      for (int k = 0; k < 16; k++) {
        sum += k * tile.get(k); // wrong
      }
    }
    out.set(block.threadRank(), sum);
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void hasTwoStagesWhereItNeedsThree(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(32);
    int turns = in.get(0) >= 0 ? 16 : 8;
    int sum = 0;
    block.memcpyAsync(tiles, 0, in, 0, 16);
    for (int i = 0; i < turns; i++) {
      int next = Math.min(i + 1, turns - 1);
      block.memcpyAsync(tiles, (i + 1) % 2 * 16, in, next * 16, 16); // wrong
      block.waitPrior(1);
      for (int k = 0; k < 16; k++) {
        sum += k * tiles.get(i % 2 * 16 + k); // wrong
      }
    }
    block.waitAll();
    out.set(block.threadRank(), sum);
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsSomeOfWhatAllRead(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(96);
    int rank = block.threadRank();
    block.memcpyAsync(tile, 0, in, 0, 64);
    block.waitAll();
    int first = tile.get(40); // wrong
    block.memcpyAsync(tile, 32, in, 64, 64); // wrong
    block.waitAll();
    out.set(rank, first + tile.get(32 + rank));
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void aWarpRefillsAtOnce(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    int first = 32 * warp.index();
    for (int i = 0; i < 4; i++) {
      warp.memcpyAsync(tile, first, in, 64 * i + first, 32); // wrong
      warp.waitAll();
      int rank = block.threadRank();
      out.set(64 * i + rank, tile.get(rank ^ 31)); // wrong
    }
  }

  // --- bytes of barriers
  // -----------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void aThreadBringsTooLittleItself(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.expectBytes(256); // wrong
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 240, barrier.words(), 0);
      PtxBarriers.mbarrierCompleteTx(barrier.words(), 0, 8);
      barrier.arrive();
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank() % 32));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void copiesARowTooMany(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(80);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(256); // wrong
      for (int row = 0; row < 5; row++) {
        PtxBulkCopies.cpAsyncBulkToShared(tile, 64 * row, in, 96L * row, 64, barrier.words(), 0);
      }
    }
    barrier.waitForParity(0); // wrong
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsOnTheOtherBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxBarriers.mbarrierInit(words, 1, 1);
    }
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, words, 1);
      PtxBarriers.mbarrierArrive(words, 1);
    }
    block.barrierAt(words, 0).waitForParity(0); // wrong
    block.barrierAt(words, 1).waitForParity(0); // wrong
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsForOneOfTwoCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 128, barrier.words(), 0);
    }
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 128, in, 128, 128, barrier.words(), 0);
      barrier.arriveExpecting(128); // wrong
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsLessThanItCopiesAtTimes(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), 0);
      if (in.get(0) < 0) {
        barrier.arriveExpecting(256);
      } else {
        barrier.arriveExpecting(128);
      }
    }
    barrier.waitForParity(0); // wrong
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  // --- the life of barriers
  // --------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void isInitializedInEachTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    int turns = in.get(0) >= 0 ? 3 : 2;
    for (int i = 0; i < turns; i++) {
      if (block.threadRank() == 0) {
        PtxBarriers.mbarrierInit(words, 0, 64); // wrong
      }
      block.sync();
      block.barrierAt(words, 0).arriveAndWait();
      block.sync();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void endsTheOtherBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    SharedLongs others = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxBarriers.mbarrierInit(others, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    block.barrierAt(others, 0).arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInval(others, 0);
      PtxBarriers.mbarrierInit(words, 0, 64); // wrong
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void aPipelineIsMadeAgainTooEarly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int turn = 0; turn < (in.get(0) >= 0 ? 4 : 1); turn++) {
      Pipeline pipeline = block.pipeline(1); // wrong
      pipeline.producerAcquire();
      block.memcpyAsync(tile, 0, in, 64 * turn, 64, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(64 * turn + block.threadRank(), tile.get(63 - block.threadRank()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void aBarrierIsMadeAgainTooEarly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    for (int turn = 0; turn < (in.get(0) >= 0 ? 4 : 1); turn++) {
      Barrier barrier = block.barrier(); // wrong
      barrier.arriveAndWait();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_INITIALIZED_TWICE)
  static void aPipelineIsMadeAgainWithAStageInIt(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    for (int turn = 0; turn < (in.get(0) >= 0 ? 2 : 1); turn++) {
      Pipeline pipeline = block.pipeline(2); // wrong
      pipeline.producerAcquire();
      block.memcpyAsync(tiles, 64 * turn, in, 0, 64, pipeline);
      pipeline.producerCommit();
      block.sync();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void allMeetTooEarly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    PtxBarriers.mbarrierArrive(words, 0); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void initializesTheOtherBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    SharedLongs others = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(others, 0, 64);
    }
    block.sync();
    PtxBarriers.mbarrierArrive(words, 0); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void onlyOneWarpMeets(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.warp().sync();
    PtxBarriers.mbarrierArrive(words, 0); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void copiesBeforeAllKnow(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.memcpyAsync(tile, 0, in, 0, 64, block.barrierAt(words, 0)); // wrong
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void isUsedAfterItsEnd(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    barrier.arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      barrier.invalidate();
    }
    block.sync();
    barrier.arriveAndWait(); // wrong
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  // --- bulk copies to global memory
  // ------------------------------------------------------------------------------------

  private static void fill(ThreadBlock block, GlobalInts in, SharedInts tile) {
    int rank = block.threadRank();
    tile.set(rank, in.get(rank) + 1);
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void anotherThreadWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
    if (block.threadRank() == 1) {
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void leavesOneBehindTheLoop(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      int stage = i % 2 * 64;
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(1);
      }
      block.sync();
      tiles.set(stage + rank, in.get(64 * i + rank) + 1);
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tiles, 4 * stage, 256); // wrong
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void waitsBeforeItCommits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void waitsInTheNextTurnOnly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
      tile.set(rank, in.get(64 * i + rank) + 1);
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tile, 0, 256); // wrong
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void waitsForAllButTheLast(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 128);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 128, tile, 128, 128); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(1);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void fencesBeforeItStores(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    PtxBulkCopies.fenceProxyAsyncShared();
    fill(block, in, tile);
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void storesOnceMoreBehindTheFence(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    tile.set(rank, rank);
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void fencesInTheFirstTurnOnly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      tile.set(rank, in.get(64 * i + rank) + 1);
      if (i == 0) {
        PtxBulkCopies.fenceProxyAsyncShared();
      }
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tile, 0, 256); // wrong
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void onlyOneWarpFences(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    if (block.threadRank() < 32) {
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void othersStoreInAStage(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      int stage = i % 2 * 64;
      tiles.set(stage + rank, in.get(64 * i + rank) + 1);
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tiles, 4 * stage, 256); // wrong
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
    }
  }

  @Kernel
  @Breaks(CopyRule.READ_WAIT_ONLY)
  static void readsWhatItHasSent(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 32) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 256, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    if (block.threadRank() == 32) {
      out.set(0, out.get(100)); // wrong
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsWhatItSends(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    fill(block, in, tile);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      out.set(64, out.get(5)); // wrong
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  // --- waits
  // -----------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.MISSING_BARRIER})
  static void onlyAFewWaitAtTheBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxBarriers.cpAsyncMbarrierArrive(barrier.words(), barrier.index());
    long phase = barrier.arrive();
    PtxCopies.cpAsyncWaitAll();
    if (rank < 32) {
      barrier.waitFor(phase);
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void othersDoNotMeetTheOneThatWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    if (block.threadRank() == 0) {
      ThisThread.memcpyAsync(tile, 0, in, 0, 64); // wrong
      ThisThread.waitAll();
    }
    out.set(block.threadRank(), tile.get(63 - block.threadRank())); // wrong
  }
}
