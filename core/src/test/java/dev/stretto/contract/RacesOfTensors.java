package dev.stretto.contract;

import static dev.stretto.kernel.PtxTensorCopies.Reduction.ADD;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/**
 * Kernels in pairs: in one an access to global memory races with a copy of a box of a tensor, in
 * the other it does not. The map's boxes have 16 by 4 elements of a matrix of 16 by 16, which is
 * the second array.
 */
final class RacesOfTensors {
  private RacesOfTensors() {}

  private static void fill(ThreadBlock block, SharedInts tile, GlobalInts in) {
    tile.set(block.threadRank(), in.get(block.globalIndexX()));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
  }

  @Kernel
  @Breaks({CopyRule.READ_WAIT_ONLY, CopyRule.MISSING_BARRIER})
  static void readsABoxThatIsStoredBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    out.set(256 + rank, out.get(64 + rank)); // wrong
  }

  @Kernel
  static void readsABoxThatIsStoredGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    out.set(256 + rank, out.get(64 + rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT})
  static void readsABoxWithoutABarrierBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    out.set(256 + rank, out.get(64 + rank)); // wrong
  }

  @Kernel
  static void readsABoxWithoutABarrierGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    out.set(256 + rank, out.get(64 + rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT, CopyRule.READ_WAIT_ONLY})
  static void writesWhereABoxIsStoredBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    if (rank == 0) {
      out.set(100, 7); // wrong
    }
  }

  @Kernel
  static void writesWhereABoxIsStoredGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    if (rank == 0) {
      out.set(128, 7);
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT, CopyRule.READ_WAIT_ONLY})
  static void countsWhereABoxIsStoredBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    Atomics.add(out, 64, 1); // wrong
  }

  @Kernel
  static void countsWhereABoxIsStoredGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    Atomics.add(out, 64, 1);
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.UNORDERED_WRITES})
  static void storesABoxOverWhatOthersWriteBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    out.set(64 + rank, rank); // wrong
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void storesABoxOverWhatOthersWriteGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    out.set(64 + rank, rank);
    block.sync();
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void loadsABoxWithoutAFenceBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    out.set(64 + rank, in.get(rank)); // wrong
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place); // wrong
      full.arrive();
    }
    full.waitForParity(0);
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  static void loadsABoxWithoutAFenceGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    out.set(64 + rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsync();
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place);
      full.arrive();
    }
    full.waitForParity(0);
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_PROXY_FENCE, CopyRule.MISSING_WAIT})
  static void loadsABoxWithoutABarrierBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    out.set(64 + rank, in.get(rank)); // wrong
    PtxBulkCopies.fenceProxyAsync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place); // wrong
      full.arrive();
    }
    full.waitForParity(0);
    block.sync();
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  static void loadsABoxWithoutABarrierGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    out.set(64 + rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsync();
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place);
      full.arrive();
    }
    full.waitForParity(0);
    block.sync();
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void overwritesABoxThatIsLoadedBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place); // wrong
      full.arrive();
    }
    if (rank == 0) {
      out.set(70, 1); // wrong
    }
    full.waitForParity(0);
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  static void overwritesABoxThatIsLoadedGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place);
      full.arrive();
    }
    full.waitForParity(0);
    if (rank == 0) {
      out.set(70, 1);
    }
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.MISSING_BARRIER})
  static void overwritesABoxThatAnotherThreadLoadsBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place); // wrong
      full.arrive();
    }
    if (rank == 33) {
      out.set(127, 1); // wrong
    }
    full.waitForParity(0);
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  static void overwritesABoxThatAnotherThreadLoadsGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      full.expectBytes(256);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, 0, 4, words, place);
      full.arrive();
    }
    if (rank == 33) {
      out.set(128, 1);
    }
    full.waitForParity(0);
    out.set(256 + rank, tile.get(63 - rank));
  }

  @Kernel
  @Launched(blocks = 2)
  @Breaks(CopyRule.RACE)
  static void blocksStoreOneBoxBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void blocksStoreOneBoxGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    int y = 4 * block.blockIndexX();
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, y, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Launched(blocks = 2)
  @Breaks(CopyRule.RACE)
  static void aBlockReadsWhatAnotherStoresBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0 && block.blockIndexX() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    if (block.blockIndexX() == 1) {
      out.set(256 + rank, out.get(64 + rank)); // wrong
    }
  }

  @Kernel
  static void aBlockReadsWhatAnotherStoresGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0 && block.blockIndexX() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    if (block.blockIndexX() == 1) {
      out.set(256 + rank, out.get(128 + rank));
    }
  }

  @Kernel
  @Breaks({CopyRule.READ_WAIT_ONLY, CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT})
  static void readsABoxThatIsAddedToBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(ADD, map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    out.set(256 + rank, out.get(64 + rank)); // wrong
  }

  @Kernel
  static void readsABoxThatIsAddedToGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(ADD, map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    out.set(256 + rank, out.get(64 + rank));
  }

  @Kernel
  @Launched(blocks = 2)
  @Breaks({CopyRule.RACE, CopyRule.MISSING_BARRIER})
  static void blocksAddToOneBoxAndReadBad(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(ADD, map, 0, 4, tile, 0); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    if (block.blockIndexX() == 1) {
      out.set(256 + rank, out.get(64 + rank)); // wrong
    }
  }

  @Kernel
  static void blocksAddToOneBoxAndReadGood(
      ThreadBlock block, TensorMap map, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    fill(block, tile, in);
    if (rank == 0) {
      PtxTensorCopies.cpReduceAsyncBulkTensor(ADD, map, 0, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    if (block.blockIndexX() == 1) {
      out.set(256 + rank, out.get(128 + rank));
    }
  }
}
