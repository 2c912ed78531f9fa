package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** Kernels whose bulk copies say how the level-2 cache should treat what they move. */
final class HintedCopies {
  /** The number of elements of a block's tile, 4 rows of 16. */
  static final int TILE = 64;

  private HintedCopies() {}

  private static void twice(ThreadBlock block, SharedInts tile) {
    tile.set(block.threadRank(), 2 * tile.get(block.threadRank()));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
  }

  @Kernel
  static void ranges(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier full = block.barrier(1);
    long first = 4L * TILE * block.blockIndexX();
    long once = PtxCopies.createPolicyEvictFirst();
    if (block.threadRank() == 0) {
      full.arriveExpecting(4 * TILE);
      PtxBulkCopies.cpAsyncBulkToSharedCacheHint(
          tile, 0, in, first, 4 * TILE, full.words(), full.index(), once);
    }
    full.waitForParity(0);
    twice(block, tile);
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobalCacheHint(out, first, tile, 0, 4 * TILE, once);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void boxes(ThreadBlock block, TensorMap from, TensorMap to) {
    SharedInts tile = block.sharedInts(TILE);
    Barrier full = block.barrier(1);
    long again = PtxCopies.createPolicyEvictLast();
    int y = 4 * block.blockIndexX();
    if (block.threadRank() == 0) {
      full.arriveExpecting(4 * TILE);
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(
          tile, 0, from, 0, y, full.words(), full.index(), again);
    }
    full.waitForParity(0);
    twice(block, tile);
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(to, 0, y, tile, 0, again);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(Reduction.ADD, to, 0, y, tile, 0, again);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  /** Block 0 of a cluster of two brings a range and a box to both. */
  @Kernel
  static void toBoth(ThreadBlock block, TensorMap from, GlobalInts in, GlobalInts out) {
    SharedInts range = block.sharedInts(TILE);
    SharedInts box = block.sharedInts(TILE);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    int rank = block.threadRank();
    if (rank == 0) {
      full.arriveExpecting(8 * TILE);
    }
    block.cluster().sync();
    if (rank == 0 && block.cluster().blockRank() == 0) {
      long once = PtxCopies.createPolicyEvictFirst();
      PtxBulkCopies.cpAsyncBulkToSharedMulticastCacheHint(
          range, 0, in, 0, 4 * TILE, words, full.index(), 3, once);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(
          box, 0, from, 0, 4, words, full.index(), 3, once);
    }
    full.waitForParity(0);
    out.set(block.blockIndexX() * TILE + rank, range.get(rank) + 3 * box.get(rank));
    block.cluster().sync();
  }
}
