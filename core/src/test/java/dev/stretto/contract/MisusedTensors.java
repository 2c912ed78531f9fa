package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/**
 * Kernels in pairs, as {@link MisusedCopies}, that copy boxes of tensors or stand in clusters. All
 * are launched with a cluster of two blocks of 64 threads, a map of boxes of 16 by 4 in a matrix of
 * 16 by 16, that matrix, and an array of 256.
 */
final class MisusedTensors {
  /** The elements of a box. */
  private static final int BOX = 64;

  private MisusedTensors() {}

  private static void show(ThreadBlock block, SharedInts tile, GlobalInts out) {
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  // --- waits
  // ---------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsABoxAtOnceBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 4, BOX, full);
    full.arrive();
    out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void readsABoxAtOnceGood(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 4, BOX, full);
    full.arriveAndWait();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsABoxBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    for (int y = 0; y < 16; y += 4) {
      TensorTiles.memcpyAsync(block, tile, 0, map, 0, y, BOX, full); // wrong
      full.arriveAndWait();
      out.set(y * 16 + block.threadRank(), tile.get(block.threadRank() ^ 63)); // wrong
    }
  }

  @Kernel
  static void refillsABoxGood(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    for (int y = 0; y < 16; y += 4) {
      TensorTiles.memcpyAsync(block, tile, 0, map, 0, y, BOX, full);
      full.arriveAndWait();
      out.set(y * 16 + block.threadRank(), tile.get(block.threadRank() ^ 63));
      block.sync();
    }
  }

  @Kernel
  @Breaks(forEver = true)
  static void expectsMoreThanABoxBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 4, 2 * BOX, full);
    full.arriveAndWait(); // wrong
    show(block, tile, out);
  }

  @Kernel
  static void expectsMoreThanABoxGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 4, BOX, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.BYTE_COUNT)
  static void expectsLessThanABoxBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1);
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, full.words(), full.index());
      full.arrive(); // wrong
    }
    full.waitForParity(0);
    out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void expectsLessThanABoxGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1);
    if (block.threadRank() == 0) {
      full.arriveExpecting(4 * BOX);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, full.words(), full.index());
    }
    full.waitForParity(0);
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
  }

  // --- places
  // --------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void beginsInsideAPieceBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 2, 4, BOX, full); // wrong
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  static void beginsInsideAPieceGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, -4, 4, BOX, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  @Breaks(CopyRule.MISALIGNED)
  static void liesBetweenLinesBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 4, map, 0, 4, BOX, full); // wrong
    full.arriveAndWait();
    show(block, tile.slice(4, BOX), out);
  }

  @Kernel
  static void liesBetweenLinesGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(2 * BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 32, map, 0, 4, BOX, full);
    full.arriveAndWait();
    show(block, tile.slice(32, BOX), out);
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void writesABoxOutsideBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), block.threadRank());
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, -2, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void writesABoxOutsideGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), block.threadRank());
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 14, tile, 0);
      finish();
    }
  }

  /** Of sequences of rows: the last coordinate is where a sequence begins. */
  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void readsBehindTheArrayBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 2, 12, BOX, full); // wrong
    full.arriveAndWait();
    show(block, tile, out);
  }

  @Kernel
  static void readsBehindTheArrayGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, -1, 12, BOX, full);
    full.arriveAndWait();
    show(block, tile, out);
  }

  // --- boxes that are written
  // ----------------------------------------------------------------------------------------

  private static void finish() {
    PtxBulkCopies.cpAsyncBulkCommitGroup();
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void writesABoxWithoutFenceBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7); // wrong
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void writesABoxWithoutFenceGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void joinsABoxWithoutBarrierBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7); // wrong
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor( // wrong
          PtxTensorCopies.Reduction.ADD, map, 0, 4, tile, 0); // wrong
      finish();
    }
  }

  @Kernel
  static void joinsABoxWithoutBarrierGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(PtxTensorCopies.Reduction.ADD, map, 0, 4, tile, 0);
      finish();
    }
  }

  @Kernel
  @Breaks(CopyRule.EXIT_BEFORE_READ)
  static void endsBeforeABoxIsReadBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
  }

  @Kernel
  static void endsBeforeABoxIsReadGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    tile.set(block.threadRank(), 7);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      finish();
    }
  }

  // --- clusters
  // ------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.BARRIER_NOT_INITIALIZED)
  static void othersDoNotKnowBad(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1); // wrong
    }
    cluster.sync();
    if (block.threadRank() == 0) {
      PtxClusters.mbarrierArriveAt(words, 0, cluster.blockRank() ^ 1); // wrong
    }
    Barrier turn = block.barrierAt(words, 0, Scope.CLUSTER);
    turn.waitForParity(0);
    out.set(block.globalIndexX(), 1);
    cluster.sync();
  }

  @Kernel
  static void othersDoNotKnowGood(ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    Cluster cluster = block.cluster();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    cluster.sync();
    if (block.threadRank() == 0) {
      PtxClusters.mbarrierArriveAt(words, 0, cluster.blockRank() ^ 1);
    }
    Barrier turn = block.barrierAt(words, 0, Scope.CLUSTER);
    turn.waitForParity(0);
    out.set(block.globalIndexX(), 1);
    cluster.sync();
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void fillsWhatAnotherBlockReadsBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    for (int round = 0; round < 2; round++) {
      if (block.threadRank() == 0) {
        full.arriveExpecting(4 * BOX);
      }
      if (round == 0) {
        cluster.sync();
      }
      if (block.threadRank() == 0 && cluster.blockRank() == 0) {
        PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast( // wrong
            tile, 0, map, 0, 4 * round, full.words(), full.index(), 3);
      }
      full.waitForParity(round);
      out.set(block.globalIndexX(), tile.get(block.threadRank())); // wrong
      block.sync();
    }
    cluster.sync();
  }

  @Kernel
  static void fillsWhatAnotherBlockReadsGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    for (int round = 0; round < 2; round++) {
      if (block.threadRank() == 0) {
        full.arriveExpecting(4 * BOX);
      }
      cluster.sync();
      if (block.threadRank() == 0 && cluster.blockRank() == 0) {
        PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(
            tile, 0, map, 0, 4 * round, full.words(), full.index(), 3);
      }
      full.waitForParity(round);
      out.set(block.globalIndexX(), tile.get(block.threadRank()));
    }
    cluster.sync();
  }

  @Kernel
  @Breaks(forEver = true)
  static void oneBlockExpectsNothingBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    if (block.threadRank() == 0) {
      full.arriveExpecting(8 * BOX);
    }
    cluster.sync();
    if (block.threadRank() == 0 && cluster.blockRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(
          tile, 0, in, 0, 4 * BOX, full.words(), full.index(), 3);
    }
    full.waitForParity(0); // wrong
    show(block, tile, out);
    cluster.sync();
  }

  @Kernel
  static void oneBlockExpectsNothingGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(BOX);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    if (block.threadRank() == 0) {
      full.arriveExpecting(4 * BOX);
    }
    cluster.sync();
    if (block.threadRank() == 0 && cluster.blockRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(
          tile, 0, in, 0, 4 * BOX, full.words(), full.index(), 3);
    }
    full.waitForParity(0);
    show(block, tile, out);
    cluster.sync();
  }
}
