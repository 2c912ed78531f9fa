package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxClusterBarriers;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels whose threads arrive at a barrier without making known what they wrote, and with it. */
final class RacesOfArrivals {
  private RacesOfArrivals() {}

  /** A relaxed arrival makes nothing known. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedArrivalBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArriveRelaxed(words, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedArrivalGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long _ = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank));
  }

  /** Neither does it without a fence before. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedArrivalWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArriveRelaxed(words, 0, 1);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedArrivalWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    Ptx.fenceAcqRel(Scope.BLOCK);
    long _ = PtxBarriers.mbarrierArriveRelaxed(words, 0, 1);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor one that counts bytes. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedArrivalWithBytesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArriveExpectTxRelaxed(words, 0, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedArrivalWithBytesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long _ = PtxBarriers.mbarrierArriveExpectTx(words, 0, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor one for the last time. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedLastArrivalBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArriveDropRelaxed(words, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedLastArrivalGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long _ = PtxBarriers.mbarrierArriveDrop(words, 0);
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank));
  }

  /** A relaxed arrival at another block makes nothing known there. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedArrivalElsewhereBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank)); // wrong
    PtxClusterBarriers.mbarrierArriveRelaxedAt(words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void relaxedArrivalElsewhereGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank));
    PtxClusters.mbarrierArriveAt(words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  /** Neither does it without a fence before. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedArrivalElsewhereWithoutAFenceBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank)); // wrong
    PtxClusterBarriers.mbarrierArriveExpectTxRelaxedAt(words, 0, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void relaxedArrivalElsewhereWithoutAFenceGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank));
    Ptx.fenceAcqRel(Scope.CLUSTER);
    PtxClusterBarriers.mbarrierArriveExpectTxRelaxedAt(words, 0, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  /** Nor one for the last time. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedLastArrivalElsewhereBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank)); // wrong
    PtxClusterBarriers.mbarrierArriveDropRelaxedAt(words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void relaxedLastArrivalElsewhereGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    int other = 1 - block.cluster().blockRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    tile.set(rank, in.get(rank));
    PtxClusterBarriers.mbarrierArriveDropAt(words, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }
}
