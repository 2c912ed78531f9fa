package dev.stretto.contract;

import dev.stretto.kernel.Cluster;
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

/** Kernels whose blocks use each other's barriers, by the instructions in the cluster's scope. */
final class ClusterBarriers {
  private ClusterBarriers() {}

  /** Each block arrives at the next one's barrier in each way, and counts bytes there. */
  @Kernel
  static void arrivals(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int next = (cluster.blockRank() + 1) % cluster.size();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 5);
      PtxClusters.fenceMbarrierInit();
    }
    cluster.sync();
    boolean early = PtxClusterBarriers.mbarrierTestWaitParityAcquireCluster(words, 0, 0);
    int results = early ? 1 : 0;
    cluster.sync();
    if (rank == 0) {
      PtxClusterBarriers.mbarrierArriveRelaxedAt(words, 0, next);
      PtxClusterBarriers.mbarrierArriveExpectTxRelaxedAt(words, 0, 48, next);
      PtxClusterBarriers.mbarrierArriveDropAt(words, 0, next);
      PtxClusterBarriers.mbarrierArriveDropRelaxedAt(words, 0, next);
      long phase = PtxClusterBarriers.mbarrierArriveRelaxedCluster(words, 0);
      results += PtxClusterBarriers.mbarrierTryWaitAcquireCluster(words, 0, phase, 1000) ? 2 : 0;
    }
    results += PtxClusterBarriers.mbarrierTryWaitParityAcquireCluster(words, 0, 0, 1000) ? 4 : 0;
    cluster.sync();
    if (rank == 1) {
      PtxClusterBarriers.mbarrierCompleteTxAt(words, 0, 48, next);
    }
    while (!PtxClusterBarriers.mbarrierTryWaitParityAcquireCluster(words, 0, 0, 1000)) {
      // until the block before has counted the bytes
    }
    results += PtxClusterBarriers.mbarrierTestWaitParityAcquireCluster(words, 0, 0) ? 8 : 0;
    cluster.sync();
    // Three arrivals are left.
    if (rank < 3) {
      PtxClusters.mbarrierArriveAt(words, 0, next);
    }
    while (!PtxClusterBarriers.mbarrierTestWaitParityAcquireCluster(words, 0, 1)) {
      // until the block before has arrived
    }
    out.set(block.globalIndexX(), results + in.get(0));
    cluster.sync();
  }

  /**
   * Waits that learn nothing for what threads of another block do, with a fence behind the last.
   */
  @Kernel
  static void relaxedWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int next = (cluster.blockRank() + 1) % cluster.size();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size() + 1);
      PtxClusters.fenceMbarrierInit();
    }
    cluster.sync();
    values.set(rank, in.get(block.globalIndexX()));
    PtxClusters.mbarrierArriveAt(words, 0, next);
    int seen = PtxClusterBarriers.mbarrierTestWaitParityRelaxedCluster(words, 0, 0) ? 1 : 0;
    seen += PtxClusterBarriers.mbarrierTryWaitParityRelaxedCluster(words, 0, 0, 1000) ? 2 : 0;
    cluster.sync();
    if (rank == 0) {
      long phase = PtxBarriers.mbarrierArrive(words, 0);
      while (!PtxClusterBarriers.mbarrierTestWaitRelaxedCluster(words, 0, phase)) {
        // until the block before has arrived
      }
      while (!PtxClusterBarriers.mbarrierTryWaitRelaxedCluster(words, 0, phase)) {
        // until the block before has arrived
      }
      seen += PtxClusterBarriers.mbarrierTryWaitRelaxedCluster(words, 0, phase, 1000) ? 4 : 0;
    }
    while (!PtxClusterBarriers.mbarrierTryWaitParityRelaxedCluster(words, 0, 0)) {
      // until the last arrival
    }
    Ptx.fenceAcqRel(Scope.CLUSTER);
    int before = (cluster.blockRank() + cluster.size() - 1) % cluster.size();
    int got = cluster.shared(values, before).get(rank);
    cluster.sync();
    out.set(block.globalIndexX(), 100 * got + seen);
  }
}
