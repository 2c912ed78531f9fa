package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedBfloats;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedHalfs;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalInts;

/** Kernels whose blocks use each other's shared memory, and what they have to give. */
final class ClusterMemory {
  private static final int IN = 2048;

  private ClusterMemory() {}

  static int[] numbers() {
    int[] numbers = new int[IN];
    for (int i = 0; i < IN; i++) {
      numbers[i] = 31 * i + 7;
    }
    return numbers;
  }

  /** Runs a kernel on those numbers. */
  static int[] run(
      Device device, Grid grid, int n, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(IN);
        GlobalInts out = device.allocateInts(n)) {
      int[] got = new int[n];
      stream.copy(numbers(), in);
      stream.launch(grid, kernel, in, out);
      stream.copy(out, got).await();
      return got;
    }
  }

  @Kernel
  static void rotated(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    int sum = 0;
    cluster.sync();
    for (int round = 0; round < 3; round++) {
      tile.set(rank, in.get(i) + round);
      cluster.sync();
      for (int k = 0; k < cluster.size(); k++) {
        int from = (cluster.blockRank() + k) % cluster.size();
        sum = 3 * sum + cluster.shared(tile, from).get(block.size() - 1 - rank);
      }
      cluster.sync();
    }
    out.set(i, sum);
  }

  static int[] rotated(int n, int threads, int cluster) {
    int[] in = numbers();
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      int block = i / threads;
      int first = block / cluster * cluster;
      for (int round = 0; round < 3; round++) {
        for (int k = 0; k < cluster; k++) {
          int from = first + (block - first + k) % cluster;
          out[i] = 3 * out[i] + in[from * threads + threads - 1 - i % threads] + round;
        }
      }
    }
    return out;
  }

  @Kernel
  static void histogram(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts bins = block.sharedInts(16);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    if (rank < 16) {
      bins.set(rank, 0);
    }
    cluster.sync();
    for (int i = 0; i < 2; i++) {
      int bin = in.get(2 * (int) block.globalIndexX() + i) % (16 * cluster.size());
      int _ = Atomics.add(cluster.shared(bins, bin / 16), bin % 16, 1);
    }
    cluster.sync();
    if (rank < 16) {
      out.set(16 * block.blockIndexX() + rank, bins.get(rank));
    }
  }

  static int[] histogram(int blocks, int threads, int cluster) {
    int[] in = numbers();
    int[] out = new int[16 * blocks];
    for (int i = 0; i < 2 * blocks * threads; i++) {
      int first = i / 2 / threads / cluster * cluster;
      out[16 * first + in[i] % (16 * cluster)]++;
    }
    return out;
  }

  @Kernel
  static void types(ThreadBlock block, GlobalDoubles out) {
    SharedBytes bytes = block.sharedBytes(32);
    SharedShorts shorts = block.sharedShorts(32);
    SharedInts ints = block.sharedInts(32);
    SharedLongs longs = block.sharedLongs(32);
    SharedFloats floats = block.sharedFloats(64);
    SharedDoubles doubles = block.sharedDoubles(32);
    SharedHalfs halfs = block.sharedHalfs(32);
    SharedBfloats bfloats = block.sharedBfloats(32);
    Cluster cluster = block.cluster();
    cluster.sync();
    if (cluster.blockRank() == 1 && block.threadRank() == 0) {
      cluster.shared(bytes, 0).set(3, (byte) -7);
      cluster.shared(shorts, 0).set(4, (short) 300);
      cluster.shared(ints, 0).slice(2, 8).set(3, 70_000);
      cluster.shared(longs, 0).set(6, 1L << 40);
      cluster.shared(floats, 0).set(7, 1.5f);
      cluster.shared(doubles, 0).set(8, 2.25);
      cluster.shared(halfs, 0).set(9, 0.5f);
      cluster.shared(bfloats, 0).set(10, -3f);
      cluster.shared(floats, 0).set4(32, new Float4(1, 2, 3, 4));
    }
    cluster.sync();
    if (cluster.blockRank() == 1 && block.threadRank() == 1) {
      out.set(0, cluster.shared(bytes, 0).get(3));
      out.set(1, cluster.shared(shorts, 0).get(4));
      out.set(2, cluster.shared(ints, 0).get(5));
      out.set(3, (double) cluster.shared(longs, 0).get(6));
      out.set(4, cluster.shared(floats, 0).get(7));
      out.set(5, cluster.shared(doubles, 0).get(8));
      out.set(6, cluster.shared(halfs, 0).get(9));
      out.set(7, cluster.shared(bfloats, 0).get(10));
      Float4 four = cluster.shared(floats, 0).get4(32);
      out.set(8, four.x());
      out.set(9, four.y());
      out.set(10, four.z());
      out.set(11, four.w());
    }
    cluster.sync();
  }

  @Kernel
  static void chosen(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Cluster cluster = block.cluster();
    int i = (int) block.globalIndexX();
    tile.set(block.threadRank(), in.get(i));
    cluster.sync();
    SharedInts from = in.get(i) % 3 == 0 ? tile : cluster.shared(tile, 1 - cluster.blockRank());
    out.set(i, from.get(block.threadRank() ^ 1));
    cluster.sync();
  }

  @Kernel
  static void released(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(32);
    SharedInts flags = block.sharedInts(32);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    int other = 1 - cluster.blockRank();
    flags.set(rank, 0);
    cluster.sync();
    cluster.shared(tile, other).set(rank, 2 * in.get(i));
    Atomics.storeRelease(cluster.shared(flags, other), rank, 1);
    while (Atomics.loadAcquire(flags, rank) == 0) {
      // until the other block has written
    }
    out.set(i, tile.get(rank));
    cluster.sync();
  }

  @Kernel
  static void ring(ThreadBlock block, GlobalInts in, GlobalInts out) {
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
    for (int round = 0; round < 3; round++) {
      int from = round % 2;
      int to = 1 - from;
      if (rank == 0) {
        PtxBarriers.mbarrierArriveExpectTx(full, to, 256);
        PtxClusters.cpAsyncBulkToBlock(tiles, 256 * to, tiles, 256 * from, 256, full, to, next);
      }
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, to, round / 2 & 1)) {
        // until the block before has sent its tile
      }
      cluster.sync();
    }
    out.set(i, tiles.get(64 + rank));
  }

  static int[] ring(int n, int threads, int cluster) {
    int[] in = numbers();
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      int block = i / threads;
      int first = block / cluster * cluster;
      int from = first + Math.floorMod(block - first - 3, cluster);
      out[i] = in[from * threads + i % threads];
    }
    return out;
  }

  @Kernel
  static void stores(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts four = block.sharedInts(256);
    SharedLongs wide = block.sharedLongs(64);
    SharedFloats real = block.sharedFloats(64);
    SharedDoubles large = block.sharedDoubles(64);
    SharedFloats reals = block.sharedFloats(256);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int other = 1 - cluster.blockRank();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
      PtxBarriers.mbarrierArriveExpectTx(full, 0, 64 * 56);
    }
    cluster.sync();
    int value = in.get(i);
    PtxClusters.stAsync4(four, 4 * rank, value, value + 1, value + 2, value + 3, full, 0, other);
    PtxClusters.stAsync(wide, rank, (long) value << 32, full, 0, other);
    PtxClusters.stAsync(real, rank, (float) value, full, 0, other);
    PtxClusters.stAsync(large, rank, (double) value, full, 0, other);
    PtxClusters.stAsync4(reals, 4 * rank, value, value, value, 0f, full, 0, other);
    PtxClusters.stAsync(block.sharedInts(64), rank, value, full, 0, other);
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until all elements of the other block are there
    }
    int sum = 0;
    for (int k = 0; k < 4; k++) {
      sum += four.get(4 * rank + k) + (int) reals.get(4 * rank + k);
    }
    sum += (int) (wide.get(rank) >>> 32) + (int) real.get(rank) + (int) large.get(rank);
    out.set(i, sum);
    cluster.sync();
  }

  /** The other block says how many bytes a barrier has to expect, and sends them. */
  @Kernel
  static void expects(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(32);
    SharedInts mine = block.sharedInts(32);
    SharedLongs full = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    mine.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    cluster.sync();
    if (rank == 0) {
      int other = 1 - cluster.blockRank();
      PtxClusters.mbarrierExpectTxAt(full, 0, 128, other);
      PtxClusters.cpAsyncBulkToBlock(tile, 0, mine, 0, 128, full, 0, other);
      PtxClusters.mbarrierArriveAt(full, 0, other);
    }
    while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(full, 0, 0)) {
      // until the other block's tile is there
    }
    out.set(block.globalIndexX(), tile.get(rank));
    cluster.sync();
  }

  @Kernel
  static void copiesToAnother(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Cluster cluster = block.cluster();
    cluster.sync();
    SharedInts other = cluster.shared(tile, 1 - cluster.blockRank());
    block.memcpyAsync(other, 0, in, 0, 64, 16);
    block.waitAll();
    cluster.sync();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  @Kernel
  static void third(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.cluster().sync();
    out.set(block.threadRank(), block.cluster().shared(tile, 2).get(0));
    block.cluster().sync();
  }

  @Kernel
  static void ofAnotherTwice(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Cluster cluster = block.cluster();
    cluster.sync();
    SharedInts other = cluster.shared(tile, 1 - cluster.blockRank());
    cluster.shared(other, cluster.blockRank()).set(block.threadRank(), in.get(0));
    cluster.sync();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  @Kernel
  static void beyond(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs full = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(full, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    PtxClusters.stAsync(tile, in.get(0) << 27, 1, full, 0, 0);
    block.cluster().sync();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }
}
