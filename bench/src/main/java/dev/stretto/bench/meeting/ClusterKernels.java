package dev.stretto.bench.meeting;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/** The kernels of {@code bench/cpp/clusters.cu}. */
final class ClusterKernels {
  private ClusterKernels() {}

  @Kernel
  static void histogram(ThreadBlock block, GlobalInts in, int n, GlobalInts out, int perBlock) {
    SharedInts bins = block.dynamicShared().asInts();
    Cluster cluster = block.cluster();
    for (int i = block.threadRank(); i < perBlock; i += block.size()) {
      bins.set(i, 0);
    }
    cluster.sync();
    int step = block.gridSizeX() * block.blockSizeX();
    for (int i = (int) block.globalIndexX(); i < n; i += step) {
      Int4 four = in.get4(4L * i);
      int _ = Atomics.add(cluster.shared(bins, four.x() / perBlock), four.x() % perBlock, 1);
      int _ = Atomics.add(cluster.shared(bins, four.y() / perBlock), four.y() % perBlock, 1);
      int _ = Atomics.add(cluster.shared(bins, four.z() / perBlock), four.z() % perBlock, 1);
      int _ = Atomics.add(cluster.shared(bins, four.w() / perBlock), four.w() % perBlock, 1);
    }
    cluster.sync();
    for (int i = block.threadRank(); i < perBlock; i += block.size()) {
      int _ = Atomics.add(out, cluster.blockRank() * perBlock + i, bins.get(i));
    }
  }

  @Kernel
  static void ring(ThreadBlock block, GlobalInts out, int hops, int bytes) {
    SharedInts data = block.dynamicShared().asInts();
    SharedLongs full = block.sharedLongs(2);
    Cluster cluster = block.cluster();
    int next = (cluster.blockRank() + 1) % cluster.size();
    int words = bytes / 4;
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxBarriers.mbarrierInit(full, 1, 1);
      PtxClusters.fenceMbarrierInit();
    }
    for (int i = block.threadRank(); i < words; i += block.size()) {
      data.set(i, block.blockIndexX() + i);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    cluster.sync();
    for (int hop = 0; hop < hops; hop++) {
      int from = hop & 1;
      int to = 1 - from;
      if (block.threadRank() == 0) {
        PtxBarriers.mbarrierArriveExpectTx(full, to, bytes);
        PtxClusters.cpAsyncBulkToBlock(data, to * bytes, data, from * bytes, bytes, full, to, next);
      }
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, to, hop >> 1 & 1)) {
        // until what the block before has sent is there
      }
      cluster.sync();
    }
    if (block.threadRank() == 0) {
      out.set(block.blockIndexX(), data.get((hops & 1) * words));
    }
  }

  @Kernel
  static void reads(ThreadBlock block, GlobalFloats out, int count) {
    SharedFloats data = block.sharedFloats(4096);
    Cluster cluster = block.cluster();
    for (int i = block.threadRank(); i < 1024; i += block.size()) {
      data.set4(4 * i, new Float4(i, 1, 2, 3));
    }
    cluster.sync();
    SharedFloats other = cluster.shared(data, (cluster.blockRank() + 1) % cluster.size());
    float sum = 0;
    for (int i = 0; i < count; i++) {
      Float4 four = other.get4(4 * (block.threadRank() + i & 1023));
      sum += four.x() + four.y() + four.z() + four.w();
    }
    cluster.sync();
    out.set(block.globalIndexX(), sum);
  }
}
