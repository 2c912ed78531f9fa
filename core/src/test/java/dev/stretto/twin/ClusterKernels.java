package dev.stretto.twin;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxBulkReductions;
import dev.stretto.kernel.PtxClusterBarriers;
import dev.stretto.kernel.PtxClusterReductions;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/clusters.cuh}. */
final class ClusterKernels {
  private ClusterKernels() {}

  @Kernel
  static void othersMemory(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Cluster cluster = block.cluster();
    int ranks = cluster.size();
    int own = cluster.blockRank();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    tile.set(rank, in.get(i) + own);
    cluster.sync();
    int sum = 1;
    for (int k = 0; k < ranks; k++) {
      sum = 31 * sum + cluster.shared(tile, (own + k) % ranks).get(block.size() - 1 - rank);
    }
    out.set(i, sum);
    cluster.sync();
    cluster.shared(tile, (own + 1) % ranks).set(rank, sum + 5);
    cluster.sync();
    out.set(2048 + i, tile.get(rank));
  }

  @Kernel
  static void bins(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts bins = block.sharedInts(16);
    Cluster cluster = block.cluster();
    int ranks = cluster.size();
    int own = cluster.blockRank();
    int rank = block.threadRank();
    if (rank < 16) {
      bins.set(rank, 0);
    }
    cluster.sync();
    int first = 256 * block.blockIndexX();
    for (int i = rank; i < 256; i += block.size()) {
      int bin = in.get(first + i) % (16 * ranks);
      Atomics.add(cluster.shared(bins, bin / 16), bin % 16, 1);
    }
    cluster.sync();
    Atomics.max(cluster.shared(bins, (own + 1) % ranks), 15, rank);
    cluster.sync();
    if (rank < 16) {
      out.set(16 * block.blockIndexX() + rank, bins.get(rank));
    }
  }

  @Kernel
  static void bulkRing(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(128);
    SharedLongs full = block.sharedLongs(2);
    Cluster cluster = block.cluster();
    int next = (cluster.blockRank() + 1) % cluster.size();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxBarriers.mbarrierInit(full, 1, 1);
      PtxClusters.fenceMbarrierInit();
    }
    tiles.set(rank, in.get(i));
    PtxBulkCopies.fenceProxyAsyncShared();
    cluster.sync();
    for (int round = 0; round < 5; round++) {
      int from = round % 2;
      int to = 1 - from;
      if (rank == 0) {
        PtxBarriers.mbarrierArriveExpectTx(full, to, 256);
        PtxClusters.cpAsyncBulkToBlock(tiles, 256 * to, tiles, 256 * from, 256, full, to, next);
      }
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, to, round / 2 & 1)) {
        // until the tile of the block before is there
      }
      cluster.sync();
    }
    out.set(i, tiles.get(64 + rank));
  }

  @Kernel
  static void stores(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts one = block.sharedInts(64);
    SharedInts four = block.sharedInts(256);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int next = (cluster.blockRank() + 1) % cluster.size();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(full, 0, 20 * block.size());
    }
    cluster.sync();
    int value = in.get(i);
    PtxClusters.stAsync(one, rank, value, full, 0, next);
    PtxClusters.stAsync4(four, 4 * rank, value + 1, value + 2, value + 3, value + 4, full, 0, next);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the numbers of the block before are there
    }
    out.set(i, one.get(rank));
    out.set(
        1024 + i,
        four.get(rank) + four.get(64 + rank) + four.get(128 + rank) - four.get(192 + rank));
    cluster.sync();
  }

  @Kernel
  static void reductions(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts ints = block.sharedInts(64);
    ints.set(block.threadRank(), in.get(block.globalIndexX()));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkReductions.cpReduceAsyncBulkAddU32(out, 0, ints, 0, 256);
      PtxBulkReductions.cpReduceAsyncBulkMaxS32(out, 256, ints, 0, 256);
      PtxBulkReductions.cpReduceAsyncBulkMinU32(out, 512, ints, 0, 256);
      PtxBulkReductions.cpReduceAsyncBulkXorB32(out, 768, ints, 0, 256);
      PtxBulkReductions.cpReduceAsyncBulkOrB32(out, 1024, ints, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void joins(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(256);
    SharedLongs wide = block.sharedLongs(64);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(full, 0, 2 * 24 * block.size());
    }
    for (int k = 0; k < 4; k++) {
      tile.set(64 * k + rank, k == 3 ? 4 : 1000 * k + rank);
    }
    wide.set(rank, 1L << 40 | rank);
    cluster.sync();
    int value = in.get(i);
    for (int step = 0; step < 2; step++) {
      int to = (cluster.blockRank() + step) % cluster.size();
      PtxClusterReductions.redAsyncAddU32(tile, rank, value, full, 0, to);
      PtxClusterReductions.redAsyncMaxS32(tile, 64 + rank, value, full, 0, to);
      PtxClusterReductions.redAsyncXorB32(tile, 128 + rank, value, full, 0, to);
      PtxClusterReductions.redAsyncIncU32(tile, 192 + rank, 5, full, 0, to);
      PtxClusterReductions.redAsyncAddU64(wide, rank, value * 0x100000001L, full, 0, to);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the numbers of both blocks are there
    }
    for (int k = 0; k < 4; k++) {
      out.set(512 * k + i, tile.get(64 * k + rank));
    }
    out.set(2048 + i, (int) wide.get(rank) + 3 * (int) (wide.get(rank) >>> 32));
    cluster.sync();
  }

  @Kernel
  static void bulkJoins(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(256);
    SharedInts mine = block.sharedInts(64);
    SharedInts bounds = block.sharedInts(64);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(full, 0, 2 * 4 * 256);
    }
    for (int k = 0; k < 4; k++) {
      tile.set(64 * k + rank, k == 3 ? 1 : 1000 * k + rank);
    }
    mine.set(rank, in.get(i));
    bounds.set(rank, 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    cluster.sync();
    if (rank == 0) {
      for (int step = 0; step < 2; step++) {
        int to = (cluster.blockRank() + step) % cluster.size();
        PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(tile, 0, mine, 0, 256, full, 0, to);
        PtxClusterReductions.cpReduceAsyncBulkToBlockMinS32(tile, 256, mine, 0, 256, full, 0, to);
        PtxClusterReductions.cpReduceAsyncBulkToBlockOrB32(tile, 512, mine, 0, 256, full, 0, to);
        PtxClusterReductions.cpReduceAsyncBulkToBlockDecU32(tile, 768, bounds, 0, 256, full, 0, to);
      }
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the numbers of both blocks are there
    }
    for (int k = 0; k < 4; k++) {
      out.set(512 * k + i, tile.get(64 * k + rank));
    }
    cluster.sync();
  }

  @Kernel
  static void arrivalsInEachWay(ThreadBlock block, GlobalInts in, GlobalInts out) {
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
}
