package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels that use the shared memory of another block of their cluster, wrong and right. */
final class RacesInClusters {
  private RacesInClusters() {}

  /** Nobody knows that the other block has begun. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void usedBeforeItBeginsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().shared(tile, other).set(rank, in.get(rank)); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), tile.get(rank));
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void usedBeforeItBeginsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().sync();
    block.cluster().shared(tile, other).set(rank, in.get(rank));
    block.cluster().sync();
    out.set(block.globalIndexX(), tile.get(rank));
  }

  /** The other block returns while its memory is read. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void returnsTooEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    tile.set(rank, in.get(rank));
    block.cluster().sync();
    int got = block.cluster().shared(tile, other).get(63 - rank); // wrong
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void returnsTooEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    tile.set(rank, in.get(rank));
    block.cluster().sync();
    int got = block.cluster().shared(tile, other).get(63 - rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  /** Only the threads of its own block wait for what a thread writes. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void onlyTheBlockWaitsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().sync();
    tile.set(rank, in.get(rank)); // wrong
    block.sync();
    int got = block.cluster().shared(tile, other).get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void onlyTheBlockWaitsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().sync();
    tile.set(rank, in.get(rank));
    block.cluster().sync();
    int got = block.cluster().shared(tile, other).get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  /** Two blocks write the same element. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void bothWriteBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().sync();
    tile.set(rank, in.get(rank)); // wrong
    block.cluster().shared(tile, other).set(rank, 5); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), tile.get(rank));
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void bothWriteGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    block.cluster().sync();
    tile.set(rank, in.get(rank));
    block.cluster().sync();
    block.cluster().shared(tile, other).set(rank, 5);
    block.cluster().sync();
    out.set(block.globalIndexX(), tile.get(rank));
  }

  /** The bulk copy may not see what was written. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void sentWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank)); // wrong
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other); // wrong
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void sentWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** What a copy brings is read before it is there. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_WAIT)
  static void readBeforeItCameBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other); // wrong
    }
    int sum = got.get(rank); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // too late
    }
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void readBeforeItCameGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** A copy still reads what is written again. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.STORE_NOT_READ)
  static void writtenWhileItIsSentBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other); // wrong
    }
    block.sync();
    mine.set(rank, 7); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // too late
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void writtenWhileItIsSentGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    block.cluster().sync();
    mine.set(rank, 7);
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** The block returns while a copy still reads its memory. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void returnsWhileItIsSentBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other); // wrong
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    int sum = got.get(rank);
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void returnsWhileItIsSentGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusters.cpAsyncBulkToBlock(got, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's bytes are there
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** A stored element is read before it is there. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_WAIT)
  static void storedAndNotAwaitedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    block.cluster().sync();
    PtxClusters.stAsync(got, rank, in.get(rank), words, 0, other); // wrong
    int sum = got.get(rank); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // too late
    }
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void storedAndNotAwaitedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts got = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    block.cluster().sync();
    PtxClusters.stAsync(got, rank, in.get(rank), words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's elements are there
    }
    int sum = got.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }
}
