package dev.stretto.contract;

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
 * Right kernels, as CUDA programmers write them, that look wrong at first sight. All are launched
 * with one block of 64 threads (or of one, where they say so) and two arrays of 256.
 */
final class RightCopies {
  private RightCopies() {}

  // --- commits of some threads
  // -----------------------------------------------------------------------------------------

  @Kernel
  static void oneThreadCopiesOnABarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    if (block.threadRank() == 0) {
      ThisThread.memcpyAsync(tile, 0, in, 0, 64, barrier);
    }
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void oneThreadCopiesAndWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    if (block.threadRank() == 0) {
      ThisThread.memcpyAsync(tile, 0, in, 0, 64);
      ThisThread.waitAll();
    }
    block.sync();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void someThreadsCopyAnElementEach(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(16);
    int rank = block.threadRank();
    if (rank < 16) {
      ThisThread.memcpyAsync(tile, rank, in, rank, 1);
    }
    ThisThread.waitAll();
    block.sync();
    out.set(rank, tile.get(rank % 16));
  }

  @Kernel
  static void halfAWarpCopiesOnABarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    if (rank < 16) {
      ThisThread.memcpyAsync(tile, 4 * rank, in, 4 * rank, 4, barrier);
    }
    barrier.arriveAndWait();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void halfAWarpProduces(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(32);
    Pipeline pipeline = block.pipeline(2, 16);
    int rank = block.threadRank();
    for (int i = 0; i < 4; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        ThisThread.memcpyAsync(tiles, i % 2 * 16 + rank, in, i * 16 + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        if (rank >= 48) {
          out.set(i * 16 + rank - 48, tiles.get(i % 2 * 16 + 63 - rank));
        }
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void everySecondThreadDoesItAll(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (block.threadIndexX() % 2 == 0) {
      PtxCopies.cpAsyncCa8(tile, 4 * rank, in, 4 * rank);
      PtxCopies.cpAsyncCommitGroup();
      PtxCopies.cpAsyncWaitGroup(0);
    }
    block.sync();
    out.set(rank, tile.get(63 - rank));
  }

  // --- memory that is used again
  // ---------------------------------------------------------------------------------------

  /** Launched with one thread. */
  @Kernel(maxThreads = 1)
  static void aBlockOfOneThreadRefills(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(4);
    for (int i = 0; i < 64; i++) {
      block.memcpyAsync(tile, 0, in, 4 * i, 4);
      ThisThread.waitAll();
      out.set(i, tile.get(3));
    }
  }

  /** Launched with one thread. */
  @Kernel(maxThreads = 1)
  static void aBlockOfOneThreadNeedsNoBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
    }
    Barrier barrier = block.barrierAt(words, 0);
    block.memcpyAsync(tile, 0, in, 0, 64, 16, barrier);
    barrier.arriveAndWait();
    for (int i = 0; i < 64; i++) {
      tile.set(i, tile.get(i) + 1);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void fillsOtherElements(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    int rank = block.threadRank();
    block.memcpyAsync(tile, 0, in, 0, 64);
    block.waitAll();
    int first = tile.get(5);
    block.memcpyAsync(tile, 64, in, 64, 64);
    block.waitAll();
    out.set(rank, first + tile.get(127 - rank));
  }

  @Kernel
  static void fillsOneElementAndThenAnother(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2);
    ThisThread.memcpyAsync(tile, 0, in, 0, block.threadRank() == 0 ? 1 : 0);
    ThisThread.waitAll();
    block.sync();
    int first = tile.get(0);
    if (block.threadRank() == 0) {
      PtxCopies.cpAsyncCa4(tile, 4, in, 4);
    }
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    out.set(block.threadRank(), first - tile.get(1));
  }

  @Kernel
  static void hasThreeStages(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(48);
    int turns = in.get(0) >= 0 ? 16 : 8;
    int sum = 0;
    block.memcpyAsync(tiles, 0, in, 0, 16);
    for (int i = 0; i < turns; i++) {
      int next = Math.min(i + 1, turns - 1);
      block.memcpyAsync(tiles, (i + 1) % 3 * 16, in, next * 16, 16);
      block.waitPrior(1);
      for (int k = 0; k < 16; k++) {
        sum += k * tiles.get(i % 3 * 16 + k);
      }
    }
    block.waitAll();
    out.set(block.threadRank(), sum + block.threadRank());
  }

  @Kernel
  static void oneThreadRefillsWhatItReads(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(4);
    if (block.threadRank() == 0) {
      for (int i = 0; i < 64; i++) {
        ThisThread.memcpyAsync(tile, 0, in, 4 * i, 4);
        ThisThread.waitAll();
        out.set(i, tile.get(3));
      }
    }
  }

  @Kernel
  static void aThreadWaitsForRoomFromTheSecondTurnOn(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    Barrier empty = block.barrier();
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      if (rank == 0) {
        if (i > 0) {
          empty.waitForParity((i - 1) & 1);
        }
        full.arriveExpecting(256);
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 256L * i, 256, full.words(), full.index());
      }
      full.waitForParity(i & 1);
      out.set(64 * i + rank, tile.get(63 - rank));
      empty.arrive();
    }
  }

  @Kernel
  static void hasTwoStagesOfBulkCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(64);
    SharedLongs full = block.sharedLongs(2);
    SharedLongs empty = block.sharedLongs(2);
    int rank = block.threadRank();
    if (rank == 0) {
      for (int i = 0; i < 2; i++) {
        PtxBarriers.mbarrierInit(full, i, 1);
        PtxBarriers.mbarrierInit(empty, i, 64);
      }
    }
    block.sync();
    int turns = in.get(0) >= 0 ? 8 : 4;
    for (int i = 0; i < turns; i++) {
      int stage = i % 2;
      int parity = i / 2 & 1;
      if (rank == 0) {
        if (i >= 2) {
          block.barrierAt(empty, stage).waitForParity(parity ^ 1);
        }
        PtxBarriers.mbarrierArriveExpectTx(full, stage, 128);
        PtxBulkCopies.cpAsyncBulkToShared(tiles, 128 * stage, in, 128L * i, 128, full, stage);
      }
      block.barrierAt(full, stage).waitForParity(parity);
      if (rank < 32) {
        out.set(32 * i + rank, tiles.get(32 * stage + 31 - rank));
      }
      PtxBarriers.mbarrierArrive(empty, stage);
    }
  }

  // --- bytes of barriers
  // -----------------------------------------------------------------------------------------------

  @Kernel
  static void aThreadBringsTheRestItself(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 240, barrier.words(), 0);
      for (int i = 60; i < 64; i++) {
        tile.set(i, in.get(i));
      }
      PtxBarriers.mbarrierCompleteTx(barrier.words(), 0, 16);
      barrier.arrive();
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void oneExpectsAndAnotherCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(256);
    }
    if (block.threadRank() == 32) {
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), 0);
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void eachWarpCopiesItsPart(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    Warp warp = block.warp();
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(256);
    }
    if (warp.lane() == 0) {
      int at = 128 * warp.index();
      PtxBulkCopies.cpAsyncBulkToShared(tile, at, in, at, 128, barrier.words(), 0);
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void copiesRowByRow(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    int rows = in.get(0) >= 0 ? 4 : 2;
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(256);
      for (int row = 0; row < rows; row++) {
        PtxBulkCopies.cpAsyncBulkToShared(tile, 64 * row, in, 96L * row, 64, barrier.words(), 0);
      }
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void expectsOnTwoBarriersAtOnce(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(2);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxBarriers.mbarrierInit(words, 1, 1);
    }
    block.sync();
    if (rank == 0) {
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 128);
      PtxBarriers.mbarrierArriveExpectTx(words, 1, 128);
      PtxBulkCopies.cpAsyncBulkToShared(tiles, 0, in, 0, 128, words, 0);
    }
    block.barrierAt(words, 0).waitForParity(0);
    int first = tiles.get(rank % 32);
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToShared(tiles, 128, in, 256, 128, words, 1);
    }
    block.barrierAt(words, 1).waitForParity(0);
    out.set(rank, first - tiles.get(32 + rank % 32));
  }

  @Kernel
  static void expectsAsMuchAsItCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    boolean all = in.get(0) >= 0;
    if (block.threadRank() == 0) {
      if (all) {
        barrier.arriveExpecting(256);
      } else {
        barrier.arriveExpecting(128);
      }
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 128, barrier.words(), 0);
      if (all) {
        PtxBulkCopies.cpAsyncBulkToShared(tile, 128, in, 128, 128, barrier.words(), 0);
      }
    }
    barrier.waitForParity(0);
    out.set(block.threadRank(), tile.get(31 - block.threadRank() % 32));
  }

  // --- the life of barriers
  // --------------------------------------------------------------------------------------------

  @Kernel
  static void oneEndsTheBarrierAndAllMeet(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    for (int i = 0; i < 2; i++) {
      if (block.threadRank() == 0) {
        PtxBarriers.mbarrierInit(words, 0, 64);
      }
      block.sync();
      block.barrierAt(words, 0).arriveAndWait();
      block.sync();
      if (block.threadRank() == 0) {
        PtxBarriers.mbarrierInval(words, 0);
      }
      block.sync();
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void anotherThreadInitializesAnew(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 32) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInval(words, 0);
    }
    block.sync();
    if (block.threadRank() == 32) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    block.barrierAt(words, 0).arriveAndWait();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void aWarpHasABarrierOfItsOwn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(2);
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    int rank = block.threadRank();
    if (warp.lane() == 0) {
      PtxBarriers.mbarrierInit(words, warp.index(), 32);
    }
    warp.sync();
    ThisThread.memcpyAsync(tile, rank, in, rank, 1, block.barrierAt(words, warp.index()));
    block.barrierAt(words, warp.index()).arriveAndWait();
    out.set(rank, tile.get(rank ^ 1));
  }

  @Kernel
  static void aPipelineIsMadeInEachTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int turns = in.get(0) >= 0 ? 2 : 1;
    for (int turn = 0; turn < turns; turn++) {
      Pipeline pipeline = block.pipeline(2);
      for (int i = 0; i < 2; i++) {
        int at = 64 * (2 * turn + i);
        pipeline.producerAcquire();
        block.memcpyAsync(tiles, i * 64, in, at, 64, pipeline);
        pipeline.producerCommit();
        pipeline.consumerWait();
        out.set(at + block.threadRank(), tiles.get(i * 64 + 63 - block.threadRank()));
        pipeline.consumerRelease();
      }
      block.sync();
    }
  }

  @Kernel
  static void aPipelineIsMadeWhenAllHaveLeft(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(32);
    int rank = block.threadRank();
    for (int turn = 0; turn < (in.get(0) >= 0 ? 3 : 1); turn++) {
      Pipeline pipeline = block.pipeline(1, 32);
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        ThisThread.memcpyAsync(tile, rank, in, 32 * turn + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        out.set(32 * turn + rank - 32, tile.get(63 - rank));
        pipeline.consumerRelease();
      }
      pipeline.quit();
      block.sync();
    }
  }

  @Kernel
  static void aBarrierIsMadeInEachTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    for (int turn = 0; turn < (in.get(0) >= 0 ? 4 : 1); turn++) {
      Barrier barrier = block.barrier();
      block.memcpyAsync(tile, 0, in, 64 * turn, 64, barrier);
      barrier.arriveAndWait();
      out.set(64 * turn + block.threadRank(), tile.get(63 - block.threadRank()));
      block.sync();
    }
  }

  @Kernel
  static void aBarrierIsEndedAndMadeInEachTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    for (int turn = 0; turn < (in.get(0) >= 0 ? 4 : 1); turn++) {
      Barrier barrier = block.barrier(64);
      barrier.arriveAndWait();
      block.sync();
      if (block.threadRank() == 0) {
        barrier.invalidate();
      }
    }
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  // --- several ways to be complete
  // -------------------------------------------------------------------------------------

  @Kernel
  static void aCopyArrivesAtTwoBarriers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier first = block.barrier();
    Barrier second = block.barrier();
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxBarriers.cpAsyncMbarrierArrive(first.words(), first.index());
    PtxBarriers.cpAsyncMbarrierArrive(second.words(), second.index());
    long one = first.arrive();
    long two = second.arrive();
    if (rank < 32) {
      first.waitFor(one);
    } else {
      second.waitFor(two);
    }
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void aThreadWaitsForItsOwnAndOthersAtTheBarrier(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxBarriers.cpAsyncMbarrierArrive(barrier.words(), barrier.index());
    long phase = barrier.arrive();
    PtxCopies.cpAsyncWaitAll();
    int own = tile.get(rank);
    barrier.waitFor(phase);
    out.set(rank, own - tile.get(63 - rank));
  }

  @Kernel
  static void theBarrierIsWaitedForBeforeTheGroup(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(32);
    int rank = block.threadRank();
    if (rank < 32) {
      PtxCopies.cpAsyncCa8(tile, 8 * rank, in, 8 * rank);
      PtxBarriers.cpAsyncMbarrierArriveNoinc(barrier.words(), barrier.index());
    } else {
      barrier.waitForParity(0);
      out.set(rank, tile.get(63 - rank));
    }
    PtxCopies.cpAsyncWaitAll();
    if (rank < 32) {
      out.set(rank, tile.get(2 * rank + 1));
    }
  }

  @Kernel
  static void aCopyIsWaitedForAndArrivesAfterwards(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncWaitAll();
    PtxBarriers.cpAsyncMbarrierArriveNoinc(barrier.words(), barrier.index());
    barrier.waitForParity(0);
    out.set(rank, tile.get(63 - rank));
  }

  // --- tails
  // -----------------------------------------------------------------------------------------------------------

  @Kernel
  static void nothingIsReadBehindTheEnd(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(256);
    int rank = block.threadRank();
    GlobalInts some = in.slice(0, 102);
    int read = Math.clamp(4 * (102 - 4 * rank), 0, 16);
    PtxCopies.cpAsyncCg16(tile, 16 * rank, some, 16L * rank, read);
    PtxCopies.cpAsyncWaitAll();
    for (int i = 0; i < 4; i++) {
      out.set(4 * rank + i, tile.get(4 * rank + i));
    }
  }

  @Kernel
  static void nothingIsReadInFrontOfTheBeginning(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4L * (rank - 2), rank < 2);
    PtxCopies.cpAsyncWaitAll();
    out.set(rank, tile.get(rank));
  }

  // --- bulk copies to global memory
  // ------------------------------------------------------------------------------------

  private static void store(GlobalInts out, SharedInts tile, int stage) {
    PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * stage, tile, 256 * stage, 256);
    PtxBulkCopies.cpAsyncBulkCommitGroup();
  }

  @Kernel
  static void waitsBehindTheLoop(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(256);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      tile.set(64 * i + rank, in.get(64 * i + rank) + 1);
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        store(out, tile, i);
      }
    }
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void waitsIfItHasStored(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    boolean stored = false;
    tile.set(block.threadRank(), in.get(block.threadRank()) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 7 && in.get(0) >= 0) {
      store(out, tile, 0);
      stored = true;
    }
    block.sync();
    if (stored) {
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void onlyTheLeaderGoesOn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Warp warp = block.warp();
    tile.set(block.threadRank(), in.get(block.threadRank()) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    boolean leader = warp.index() == 0 && warp.lane() == 0;
    if (leader) {
      store(out, tile, 0);
    }
    if (block.threadRank() >= 1) {
      return;
    }
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  @Kernel
  static void theElectedLaneStoresAndWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.warp().index() == 1) {
      if (PtxBulkCopies.electSync()) {
        store(out, tile, 0);
      }
      block.warp().sync();
      if (PtxBulkCopies.electSync()) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
    }
  }

  @Kernel
  static void leavesOneInTheLoop(ThreadBlock block, GlobalInts in, GlobalInts out) {
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
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tiles, 4 * stage, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
    if (turns > 0 && rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void storesBesideWhatIsSent(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    int rank = block.threadRank();
    tile.set(rank, in.get(rank) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    tile.set(64 + rank, in.get(64 + rank));
    if (rank == 0) {
      store(out, tile, 0);
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    out.set(64 + rank, tile.get(127 - rank));
  }

  @Kernel
  static void sendsTheStageBefore(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    int rank = block.threadRank();
    int turns = in.get(0) >= 0 ? 3 : 2;
    for (int i = 0; i <= turns; i++) {
      if (i < turns) {
        tiles.set(i % 2 * 64 + rank, in.get(64 * i + rank) + 1);
      }
      if (i > 0 && rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * (i - 1), tiles, (i - 1) % 2 * 256, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
    }
  }

  @Kernel
  static void worksInPlace(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    out.set(rank, in.get(rank));
    int turns = in.get(0) >= 0 ? 4 : 2;
    for (int i = 0; i < turns; i++) {
      tile.set(rank, in.get(64 * i + rank) + 1);
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(in, 256L * i, tile, 0, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
    }
  }

  @Kernel
  static void readsBesideWhatIsSent(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    tile.set(rank, in.get(rank) + 1);
    out.set(64 + rank, rank);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      store(out, tile, 0);
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      out.set(128, out.get(64) + 1);
    }
  }

  // --- waits of others
  // -------------------------------------------------------------------------------------------------

  @Kernel
  static void anotherThreadWaitsAndAllMeet(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      barrier.arriveExpecting(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, barrier.words(), barrier.index());
    }
    if (block.threadRank() == 32) {
      barrier.waitForParity(0);
    }
    block.sync();
    out.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void oneWarpCopiesAndTheOtherStores(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    if (rank < 32) {
      ThisThread.memcpyAsync(tile, rank, in, rank, 1);
    } else {
      tile.set(rank, -rank);
    }
    block.sync();
    int stored = tile.get(32 + (rank & 31));
    ThisThread.waitAll();
    block.sync();
    out.set(rank, stored + tile.get(rank & 31));
  }
}
