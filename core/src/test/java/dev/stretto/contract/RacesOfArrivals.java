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

  /** A relaxed wait learns nothing. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedWaitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitParityRelaxed(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedWaitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
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

  /** Neither does one for a phase, without a fence behind it. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedWaitWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedWaitWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase)) {
      // until all have arrived
    }
    Ptx.fenceAcqRel(Scope.BLOCK);
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor a question. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedQuestionBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTestWaitRelaxed(words, 0, phase)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedQuestionGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTestWaitRelaxed(words, 0, phase)) {
      // until all have arrived
    }
    Ptx.fenceAcqRel(Scope.BLOCK);
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor one for a parity. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedQuestionForAParityBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long _ = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTestWaitParityRelaxed(words, 0, 0)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedQuestionForAParityGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long _ = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTestWaitParityRelaxed(words, 0, 0)) {
      // until all have arrived
    }
    Ptx.fenceAcqRel(Scope.BLOCK);
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor a wait for a time. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedWaitForATimeBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank)); // wrong
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase, 1000)) {
      // until all have arrived
    }
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void relaxedWaitForATimeGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    tile.set(rank, in.get(rank));
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase, 1000)) {
      // until all have arrived
    }
    Ptx.fenceAcqRel(Scope.BLOCK);
    out.set(rank, tile.get(63 - rank));
  }

  /** Nor a wait for what threads of another block do. */
  @Kernel
  @Launched(blocks = 4, cluster = 2)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void relaxedWaitForAnotherBlockBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
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
    PtxClusters.mbarrierArriveAt(words, 0, other);
    while (!PtxClusterBarriers.mbarrierTryWaitParityRelaxedCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank); // wrong
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }

  @Kernel
  @Launched(blocks = 4, cluster = 2)
  static void relaxedWaitForAnotherBlockGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
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
    while (!PtxClusterBarriers.mbarrierTryWaitParityRelaxedCluster(words, 0, 0)) {
      // until the other block has arrived
    }
    Ptx.fenceAcqRel(Scope.CLUSTER);
    int got = block.cluster().shared(tile, other).get(rank);
    block.cluster().sync();
    out.set(block.globalIndexX(), got);
  }
}
