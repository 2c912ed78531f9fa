package dev.stretto.contract;

import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusterReductions;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.function.IntBinaryOperator;

/** Kernels whose blocks change what other blocks of their cluster have, and what they give. */
final class ClusterReductions {
  /** The operations of 32 bits, and what each begins with. */
  private static final int OPERATIONS = 10;

  private static final int THREADS = 32;
  private static final int RESULTS = (OPERATIONS + 2) * THREADS;

  private ClusterReductions() {}

  /** Sets what the operations change: the numbers of this block. */
  private static void begin(
      ThreadBlock block, SharedInts tile, SharedLongs wide, SharedLongs full, int bytes) {
    int rank = block.threadRank();
    for (int k = 0; k < OPERATIONS; k++) {
      tile.set(THREADS * k + rank, k == 8 ? 4 : k == 9 ? 1 : 1000 * k - 3333 + rank);
    }
    wide.set(rank, 1L << 40 | rank);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(full, 0, bytes);
    }
  }

  private static void end(ThreadBlock block, SharedInts tile, SharedLongs wide, GlobalInts out) {
    int rank = block.threadRank();
    int first = block.blockIndexX() * RESULTS;
    for (int k = 0; k < OPERATIONS; k++) {
      out.set(first + THREADS * k + rank, tile.get(THREADS * k + rank));
    }
    out.set(first + THREADS * OPERATIONS + rank, (int) wide.get(rank));
    out.set(first + THREADS * (OPERATIONS + 1) + rank, (int) (wide.get(rank) >>> 32));
    block.cluster().sync();
  }

  /** Each thread joins its number to those of its own block and of the next one. */
  @Kernel
  static void eachThread(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(OPERATIONS * THREADS);
    SharedLongs wide = block.sharedLongs(THREADS);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    begin(block, tile, wide, full, 2 * THREADS * (4 * OPERATIONS + 8));
    cluster.sync();
    int value = in.get(block.globalIndexX());
    joinAll(tile, wide, block.threadRank(), value, full, cluster.blockRank());
    joinAll(
        tile, wide, block.threadRank(), value, full, (cluster.blockRank() + 1) % cluster.size());
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the numbers of both blocks are there
    }
    end(block, tile, wide, out);
  }

  private static void joinAll(
      SharedInts tile, SharedLongs wide, int rank, int value, SharedLongs full, int to) {
    PtxClusterReductions.redAsyncAddU32(tile, 0 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncMinS32(tile, 32 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncMinU32(tile, 64 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncMaxS32(tile, 96 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncMaxU32(tile, 128 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncAndB32(tile, 160 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncOrB32(tile, 192 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncXorB32(tile, 224 + rank, value, full, 0, to);
    PtxClusterReductions.redAsyncIncU32(tile, 256 + rank, 5, full, 0, to);
    PtxClusterReductions.redAsyncDecU32(tile, 288 + rank, 7, full, 0, to);
    PtxClusterReductions.redAsyncAddU64(wide, rank, value * 0x100000001L, full, 0, to);
  }

  /** The same by bulk copies that one thread begins. */
  @Kernel
  static void inBulk(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(OPERATIONS * THREADS);
    SharedLongs wide = block.sharedLongs(THREADS);
    SharedInts from = block.sharedInts(3 * THREADS);
    SharedLongs fromWide = block.sharedLongs(THREADS);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    begin(block, tile, wide, full, 2 * THREADS * (4 * OPERATIONS + 8));
    int value = in.get(block.globalIndexX());
    from.set(rank, value);
    from.set(THREADS + rank, 5);
    from.set(2 * THREADS + rank, 7);
    fromWide.set(rank, value * 0x100000001L);
    PtxBulkCopies.fenceProxyAsyncShared();
    cluster.sync();
    if (rank == 0) {
      int next = (cluster.blockRank() + 1) % cluster.size();
      sendAll(tile, wide, from, fromWide, full, cluster.blockRank());
      sendAll(tile, wide, from, fromWide, full, next);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the numbers of both blocks are there
    }
    end(block, tile, wide, out);
  }

  private static void sendAll(
      SharedInts tile,
      SharedLongs wide,
      SharedInts from,
      SharedLongs fromWide,
      SharedLongs full,
      int to) {
    PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(tile, 0, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockMinS32(tile, 128, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockMinU32(tile, 256, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockMaxS32(tile, 384, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockMaxU32(tile, 512, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockAndB32(tile, 640, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockOrB32(tile, 768, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockXorB32(tile, 896, from, 0, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockIncU32(tile, 1024, from, 128, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockDecU32(tile, 1152, from, 256, 128, full, 0, to);
    PtxClusterReductions.cpReduceAsyncBulkToBlockAddU64(wide, 0, fromWide, 0, 256, full, 0, to);
  }

  static int[] joined(int blocks, int cluster) {
    int[] in = ClusterMemory.numbers();
    int[] out = new int[blocks * RESULTS];
    IntBinaryOperator[] how = {
      Integer::sum,
      Math::min,
      (a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b,
      Math::max,
      (a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b,
      (a, b) -> a & b,
      (a, b) -> a | b,
      (a, b) -> a ^ b
    };
    for (int block = 0; block < blocks; block++) {
      int first = block / cluster * cluster;
      int before = first + (block - first + cluster - 1) % cluster;
      for (int i = 0; i < THREADS; i++) {
        int a = in[block * THREADS + i];
        int b = in[before * THREADS + i];
        for (int k = 0; k < how.length; k++) {
          int begin = 1000 * k - 3333 + i;
          out[block * RESULTS + THREADS * k + i] =
              how[k].applyAsInt(how[k].applyAsInt(begin, a), b);
        }
        out[block * RESULTS + THREADS * 8 + i] = 0; // 4, 5, 0
        out[block * RESULTS + THREADS * 9 + i] = 7; // 1, 0, 7
        long sum = (1L << 40 | i) + (a + b) * 0x100000001L;
        out[block * RESULTS + THREADS * OPERATIONS + i] = (int) sum;
        out[block * RESULTS + THREADS * (OPERATIONS + 1) + i] = (int) (sum >>> 32);
      }
    }
    return out;
  }

  /** A histogram over the cluster whose senders say how many bytes a block has to expect. */
  @Kernel
  static void binned(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts bins = block.sharedInts(16);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    if (rank < 16) {
      bins.set(rank, 0);
    }
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, block.size() * cluster.size());
      PtxClusters.fenceMbarrierInit();
    }
    cluster.sync();
    for (int i = 0; i < 2; i++) {
      int bin = in.get(2 * (int) block.globalIndexX() + i) % (16 * cluster.size());
      PtxClusters.mbarrierExpectTxAt(full, 0, 4, bin / 16);
      PtxClusterReductions.redAsyncAddU32(bins, bin % 16, 1, full, 0, bin / 16);
    }
    for (int to = 0; to < cluster.size(); to++) {
      PtxClusters.mbarrierArriveAt(full, 0, to);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until all blocks have counted
    }
    if (rank < 16) {
      out.set(16 * block.blockIndexX() + rank, bins.get(rank));
    }
    cluster.sync();
  }

  /** Begins to change an element that is not there. */
  @Kernel
  static void beyond(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts bins = block.sharedInts(16);
    SharedLongs full = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    PtxClusterReductions.redAsyncAddU32(bins, 16 + in.get(0), 1, full, 0, 0);
    block.cluster().sync();
    out.set(block.globalIndexX(), bins.get(0));
  }

  /** A bulk reduction that does not begin at a multiple of 16 bytes. */
  @Kernel
  static void askew(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts bins = block.sharedInts(16);
    SharedLongs full = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    PtxClusterReductions.cpReduceAsyncBulkToBlockAddU32(
        bins, 4 + (in.get(0) & 4), bins, 0, 16, full, 0, 0);
    block.cluster().sync();
    out.set(block.globalIndexX(), bins.get(0));
  }
}
