package dev.stretto.twin;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;
import dev.stretto.memory.TensorMap;

/** The kernels of {@code semantics/tiles.cuh}. */
final class TileKernels {
  private static final int BOX = 8 * 6;

  private TileKernels() {}

  @Kernel
  static void readBox(ThreadBlock block, TensorMap map, GlobalInts out, int x, int y) {
    SharedInts box = block.sharedInts(BOX);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(4 * BOX);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          box, 0, map, x, y, barrier.words(), barrier.index());
    }
    barrier.waitForParity(0);
    for (int i = block.threadRank(); i < BOX; i += block.size()) {
      out.set(i, box.get(i));
    }
  }

  private static void fill(ThreadBlock block, SharedInts box) {
    for (int i = block.threadRank(); i < BOX; i += block.size()) {
      box.set(i, 100_000 + i);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
  }

  private static void finish() {
    PtxBulkCopies.cpAsyncBulkCommitGroup();
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  @Kernel
  static void writeBox(ThreadBlock block, TensorMap map, int x, int y) {
    SharedInts box = block.sharedInts(BOX);
    fill(block, box);
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, y, box, 0);
      finish();
    }
  }

  @Kernel
  static void addBox(ThreadBlock block, TensorMap map, int x, int y) {
    SharedInts box = block.sharedInts(BOX);
    fill(block, box);
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(PtxTensorCopies.Reduction.ADD, map, x, y, box, 0);
      finish();
    }
  }

  /** Which block of how many, and what the next block stored before all met. */
  @Kernel
  static void ranks(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Cluster cluster = block.cluster();
    int ranks = cluster.size();
    int own = cluster.blockRank();
    int at = block.blockIndexX();
    if (block.threadRank() == 0) {
      out.set(at, 1000 * ranks + 10 * own + in.get(at));
    }
    cluster.sync();
    if (block.threadRank() == 0) {
      out.set(100 + at, out.get(at - own + (own + 1) % ranks));
    }
  }

  /** All blocks arrive at block 0's barrier; behind it their stores are seen. */
  @Kernel
  static void arrivals(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Cluster cluster = block.cluster();
    int ranks = cluster.size();
    int at = block.blockIndexX();
    Barrier barrier = block.barrier(ranks, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      out.set(at, in.get(at) + 5);
      barrier.arriveAt(0);
    }
    if (cluster.blockRank() == 0) {
      barrier.waitForParity(0);
      for (int i = block.threadRank(); i < ranks; i += block.size()) {
        out.set(100 + at + i, out.get(at + i));
      }
    }
    cluster.sync();
  }

  /** A copy for all blocks of a cluster, each of which waits at its own barrier. */
  @Kernel
  static void multicast(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Cluster cluster = block.cluster();
    int at = block.blockIndexX();
    Barrier barrier = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(512);
    }
    cluster.sync();
    if (block.threadRank() == 0 && cluster.blockRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(
          values, 0, in, 16 * at, 512, barrier.words(), barrier.index(), (1 << cluster.size()) - 1);
    }
    barrier.waitForParity(0);
    for (int i = block.threadRank(); i < 128; i += block.size()) {
      out.set(128 * at + i, values.get(127 - i));
    }
    cluster.sync();
  }

  @Kernel(maxThreads = 64)
  static void bounded(ThreadBlock block, GlobalInts in, GlobalInts out) {
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void asserting(ThreadBlock block, GlobalInts in, GlobalInts out) {
    assert in.get(block.threadRank()) != 0;
  }

  @Kernel
  static void misaligned(ThreadBlock block, GlobalInts in, GlobalInts out) {
    out.set4(1 + in.get(0), new Int4(1, 2, 3, 4));
  }

  @Kernel
  static void outsideShared(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(32);
    int rank = block.threadRank();
    values.set(rank, rank);
    block.sync();
    out.set(rank, values.get(rank + (1 << 20) + in.get(0)));
  }

  /** What an address of nowhere is in a bulk copy. */
  @Kernel
  static void bulkOutside(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(32);
    Barrier barrier = block.barrier(1);
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(128);
      PtxBulkCopies.cpAsyncBulkToShared(
          values, 0, in, 4L << 44, 128, barrier.words(), barrier.index());
      barrier.waitForParity(0);
      out.set(0, values.get(0));
    }
  }
}
