package dev.stretto.twin;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxIm2colCopies;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** The kernels of {@code semantics/columns.cuh}. */
final class ColumnTwinKernels {
  private static final int BOX = 1024;

  private ColumnTwinKernels() {}

  /**
   * Brings a column.
   *
   * @param at the channel, the places along width, height and depth, the image, the offsets
   */
  @Kernel
  static void read(
      ThreadBlock block,
      TensorMap map,
      GlobalInts out,
      GlobalInts at,
      @Const int dimensions,
      int ints,
      int bytes) {
    SharedInts box = block.sharedInts(BOX);
    Barrier barrier = block.barrier(1);
    for (int i = block.threadRank(); i < ints; i += block.size()) {
      box.set(i, 0);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(bytes);
      if (dimensions == 3) {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
            box,
            0,
            map,
            at.get(0),
            at.get(1),
            at.get(4),
            at.get(5),
            barrier.words(),
            barrier.index());
      } else if (dimensions == 4) {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
            box,
            0,
            map,
            at.get(0),
            at.get(1),
            at.get(2),
            at.get(4),
            at.get(5),
            at.get(6),
            barrier.words(),
            barrier.index());
      } else {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
            box,
            0,
            map,
            at.get(0),
            at.get(1),
            at.get(2),
            at.get(3),
            at.get(4),
            at.get(5),
            at.get(6),
            at.get(7),
            barrier.words(),
            barrier.index());
      }
    }
    barrier.waitForParity(0);
    for (int i = block.threadRank(); i < ints; i += block.size()) {
      out.set(i, box.get(i));
    }
  }

  /** Writes a column or adds it. */
  @Kernel
  static void write(
      ThreadBlock block,
      TensorMap map,
      @Const int dimensions,
      @Const boolean adds,
      int ints,
      int c,
      int w,
      int h,
      int n) {
    SharedInts box = block.sharedInts(BOX);
    for (int i = block.threadRank(); i < ints; i += block.size()) {
      box.set(i, 100_000 + i);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      if (dimensions == 3 && adds) {
        PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.ADD, map, c, w, n, box, 0);
      } else if (dimensions == 3) {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, c, w, n, box, 0);
      } else if (adds) {
        PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.ADD, map, c, w, h, n, box, 0);
      } else {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, c, w, h, n, box, 0);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  /** A column for all blocks of a cluster, each of which waits at its own barrier. */
  @Kernel
  static void multicast(ThreadBlock block, TensorMap map, GlobalInts out) {
    SharedInts box = block.sharedInts(96);
    Cluster cluster = block.cluster();
    Barrier barrier = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(4 * 96);
    }
    cluster.sync();
    if (block.threadRank() == 0 && cluster.blockRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
          box,
          0,
          map,
          0,
          -1,
          0,
          0,
          1,
          2,
          barrier.words(),
          barrier.index(),
          (1 << cluster.size()) - 1);
    }
    barrier.waitForParity(0);
    for (int i = block.threadRank(); i < 96; i += block.size()) {
      out.set(96 * block.blockIndexX() + i, box.get(95 - i));
    }
    cluster.sync();
  }
}
