package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusterReductions;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels that change what another block of their cluster has, wrong and right. */
final class RacesOfReductions {
  private RacesOfReductions() {}

  /** An element is read before the other block has changed it. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.MISSING_BARRIER})
  static void readBeforeItHasChangedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
    int sum = sums.get(rank); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void readBeforeItHasChangedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** An element is written while the other block changes it. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void writtenWhileItChangesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
    sums.set(rank, 7); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void writtenWhileItChangesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    sums.set(rank, 7);
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** Only the threads of its own block know what an element begins with. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void begunBehindABarrierOfTheBlockBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    block.cluster().sync();
    sums.set(rank, 5); // wrong
    block.sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void begunBehindABarrierOfTheBlockGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    block.cluster().sync();
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** Only one thread waits for what another one reads. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void onlyOneThreadWaitsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
    if (rank == 0) {
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
        // until the other block's numbers are there
      }
    }
    int sum = rank == 0 ? 0 : sums.get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void onlyOneThreadWaitsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
    if (rank == 0) {
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
        // until the other block's numbers are there
      }
    }
    block.sync();
    int sum = rank == 0 ? 0 : sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** A thread adds to an element that the other block changes: atomically it may. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void addedToWhileItChangesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
    sums.set(rank, 7 + in.get(rank)); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    block.cluster().sync();
    int sum = sums.get(rank);
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void addedToWhileItChangesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
    Atomics.add(sums, rank, 7);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    block.cluster().sync();
    int sum = sums.get(rank);
    out.set(block.globalIndexX(), sum);
  }

  /** An element is stored and changed at the same time. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void storedWhileItChangesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    if (rank < 32) {
      PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other); // wrong
      PtxClusters.stAsync(sums, rank, in.get(rank), words, 0, other); // wrong
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void storedWhileItChangesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    block.cluster().sync();
    if (rank < 32) {
      PtxClusterReductions.redAsyncAddU32(sums, rank, in.get(rank), words, 0, other);
      PtxClusters.stAsync(sums, 32 + rank, in.get(rank), words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** The bulk copy may not see what was written. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void sentWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    mine.set(rank, in.get(rank)); // wrong
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32( // wrong
          sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void sentWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    sums.set(rank, 5);
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** The bulk copy may not see what its counterparts begin with. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void changedWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
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
    sums.set(rank, 5); // wrong
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32( // wrong
          sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void changedWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** The source of the bulk copy is written again too early. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.STORE_NOT_READ)
  static void writtenWhileItIsSentBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32( // wrong
          sums, 0, mine, 0, 256, words, 0, other);
    }
    block.sync();
    mine.set(rank, 7); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void writtenWhileItIsSentGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    block.cluster().sync();
    mine.set(rank, 7);
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** The block returns while the bulk copy still reads its memory. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void returnsWhileItIsSentBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32( // wrong
          sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void returnsWhileItIsSentGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  /** An element is read before the bulk copy has changed it. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_WAIT)
  static void readBeforeTheBulkIsThereBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32( // wrong
          sums, 0, mine, 0, 256, words, 0, other);
    }
    block.cluster().sync();
    int sum = sums.get(rank); // wrong
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void readBeforeTheBulkIsThereGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts mine = block.sharedInts(64);
    SharedInts sums = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
    }
    mine.set(rank, in.get(rank));
    sums.set(rank, 5);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.cluster().sync();
    if (rank == 0) {
      PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(sums, 0, mine, 0, 256, words, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block's numbers are there
    }
    int sum = sums.get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), sum);
  }
}
