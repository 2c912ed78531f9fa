package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxIm2colCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.TensorColumns;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/**
 * Kernels in pairs, as {@link MisusedTensors}, that copy columns of pixels: launched alike, but
 * with a map of columns of 16 pixels with 4 channels in images of 8 by 4 pixels with 8 channels,
 * whose bounding box begins at 0 and ends one pixel before the last in both directions.
 */
final class MisusedColumns {
  /** The elements of a column. */
  private static final int COLUMN = 64;

  private MisusedColumns() {}

  private static void show(ThreadBlock block, SharedInts tile, GlobalInts out) {
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  private static void finish() {
    PtxBulkCopies.cpAsyncBulkCommitGroup();
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  // --- waits
  // ---------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsAColumnAtOnceBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 1, 0, 0, 1, 1, COLUMN, full);
    full.arrive();
    out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void readsAColumnAtOnceGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 1, 0, 0, 1, 1, COLUMN, full);
    full.arriveAndWait();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsAColumnBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    for (int i = 0; i < 2; i++) {
      TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, i, 0, COLUMN, full); // wrong
      full.arriveAndWait();
      out.set(i * COLUMN + block.threadRank(), tile.get(block.threadRank() ^ 63)); // wrong
    }
  }

  @Kernel
  static void refillsAColumnGood(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    for (int i = 0; i < 2; i++) {
      TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, i, 0, COLUMN, full);
      full.arriveAndWait();
      out.set(i * COLUMN + block.threadRank(), tile.get(block.threadRank() ^ 63));
      block.sync();
    }
  }

  @Kernel
  @Breaks(forEver = true)
  static void expectsMoreThanAColumnBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, 0, 0, 2 * COLUMN, full);
    full.arriveAndWait(); // wrong
    show(block, tile, out);
  }

  @Kernel
  static void expectsMoreThanAColumnGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, 0, 0, COLUMN, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsNoColumnBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          tile, 0, map, 0, 0, 0, 0, 0, 0, full.words(), full.index());
      full.arrive(); // wrong
    }
    full.waitForParity(0);
    out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void expectsNoColumnGood(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier(1);
    if (block.threadRank() == 0) {
      full.arriveExpecting(4 * COLUMN);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          tile, 0, map, 0, 0, 0, 0, 0, 0, full.words(), full.index());
    }
    full.waitForParity(0);
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  // --- places
  // --------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void beginsInsideAPieceOfAPixelBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 2, 0, 0, 0, 0, 0, COLUMN, full); // wrong
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  static void beginsInsideAPieceOfAPixelGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 4, 0, 0, 0, 0, 0, COLUMN, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void beginsOutsideOfTheBoxBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 7, 0, 0, 0, 0, COLUMN, full); // wrong
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  static void beginsOutsideOfTheBoxGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 6, 0, 0, 1, 1, COLUMN, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void movesAColumnBackwardsBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    int back = (int) (in.length() >> 40) - 1;
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, 0, back, COLUMN, full); // wrong
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  static void movesAColumnBackwardsGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier();
    int back = (int) (in.length() >> 40) + 1;
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, 0, 0, 0, 0, back, COLUMN, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void liesBetweenLinesOfBanksBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 4, map, 0, 0, 0, 0, 0, 0, COLUMN, full); // wrong
    full.arriveAndWait();
    show(block, tile.slice(4, COLUMN), out);
  }

  @Kernel
  static void liesBetweenLinesOfBanksGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * COLUMN);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 32, map, 0, 0, 0, 0, 0, 0, COLUMN, full);
    full.arriveAndWait();
    show(block, tile.slice(32, COLUMN), out);
  }

  // --- columns that are written
  // ----------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void writesAColumnWithoutFenceBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7); // wrong
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, 0, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void writesAColumnWithoutFenceGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, 0, tile, 0);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void joinsAColumnWithoutBarrierBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7); // wrong
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col( // wrong
          PtxTensorCopies.Reduction.ADD, map, 0, 1, 1, 0, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void joinsAColumnWithoutBarrierGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(
          PtxTensorCopies.Reduction.ADD, map, 0, 1, 1, 0, tile, 0);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void endsBeforeAColumnIsReadBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, 0, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
  }

  @Kernel
  static void endsBeforeAColumnIsReadGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, 0, tile, 0);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void writesAColumnBeforeTheFirstImageBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, -1, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void writesAColumnBeforeTheFirstImageGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, 1, 1, 0, tile, 0);
      finish();
    }
  }

  // --- clusters
  // ------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void fillsTheColumnThatAnotherBlockReadsBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    for (int round = 0; round < 2; round++) {
      if (block.threadRank() == 0) {
        full.arriveExpecting(4 * COLUMN);
      }
      if (round == 0) {
        cluster.sync();
      }
      if (block.threadRank() == 0 && cluster.blockRank() == 0) {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast( // wrong
            tile, 0, map, 0, 0, 0, 0, round, 0, full.words(), full.index(), 3);
      }
      full.waitForParity(round);
      out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
      block.sync();
    }
    cluster.sync();
  }

  @Kernel
  static void fillsTheColumnThatAnotherBlockReadsGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(COLUMN);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    for (int round = 0; round < 2; round++) {
      if (block.threadRank() == 0) {
        full.arriveExpecting(4 * COLUMN);
      }
      cluster.sync();
      if (block.threadRank() == 0 && cluster.blockRank() == 0) {
        PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
            tile, 0, map, 0, 0, 0, 0, round, 0, full.words(), full.index(), 3);
      }
      full.waitForParity(round);
      out.set(block.globalIndexX(), tile.get(block.threadRank()));
    }
    cluster.sync();
  }
}
