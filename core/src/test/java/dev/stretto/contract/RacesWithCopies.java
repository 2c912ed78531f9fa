package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs: in one an access races with an asynchronous copy or product, in the other it
 * does not.
 */
final class RacesWithCopies {
  private RacesWithCopies() {}

  @Kernel
  @Breaks(CopyRule.STORE_NOT_READ)
  static void aSecondStoreOfOneTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
    if (rank == 32) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 256, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    tile.set(rank, 1); // wrong
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void aSecondStoreOfOneTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    if (rank == 32) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 256, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    tile.set(rank, 1);
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void sendsWhatACopyBroughtWithoutAFenceBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void sendsWhatACopyBroughtWithoutAFenceGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_OVERWRITTEN)
  static void storesOverABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs words = block.sharedLongs(4);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64); // wrong
    }
    block.sync();
    if (rank == 5) {
      words.set(0, 7); // wrong
    }
    long state = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWait(words, 0, state)) {
      Ptx.nanosleep(20);
    }
    out.set(rank, in.get(rank));
  }

  @Kernel
  static void storesOverABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs words = block.sharedLongs(4);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
    }
    block.sync();
    if (rank == 5) {
      words.set(1, 7);
    }
    long state = PtxBarriers.mbarrierArrive(words, 0);
    while (!PtxBarriers.mbarrierTryWait(words, 0, state)) {
      Ptx.nanosleep(20);
    }
    out.set(rank, in.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.BARRIER_OVERWRITTEN)
  static void copiesOverABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs words = block.sharedLongs(4);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 1, 64); // wrong
    }
    block.sync();
    if (rank == 5) {
      PtxCopies.cpAsyncCa8(words, 8, in, 0); // wrong
      PtxCopies.cpAsyncWaitAll();
    }
    out.set(rank, in.get(rank));
  }

  @Kernel
  static void copiesOverABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs words = block.sharedLongs(4);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 1, 64);
    }
    block.sync();
    if (rank == 5) {
      PtxCopies.cpAsyncCa8(words, 16, in, 0);
      PtxCopies.cpAsyncWaitAll();
    }
    out.set(rank, in.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.READ_WAIT_ONLY)
  static void loadsWhatWasOnlyReadBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedInts back = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(back, 0, out, 0, 256, full.words(), full.index()); // wrong
      full.arrive();
    }
    full.waitForParity(0);
    out.set(64 + rank, back.get(rank));
  }

  @Kernel
  static void loadsWhatWasOnlyReadGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedInts back = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(back, 0, out, 0, 256, full.words(), full.index());
      full.arrive();
    }
    full.waitForParity(0);
    out.set(64 + rank, back.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.READ_WAIT_ONLY)
  static void readsWhatWasOnlySentBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      out.set(64, out.get(3)); // wrong
    }
  }

  @Kernel
  static void readsWhatWasOnlySentGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
      out.set(64, out.get(3));
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT, CopyRule.UNORDERED_WRITES})
  static void storesWhereABulkCopyWritesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    out.set(63 - rank, 5); // wrong
  }

  @Kernel
  static void storesWhereABulkCopyWritesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    out.set(63 - rank, 5);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void overwritesTheSourceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
    PtxCopies.cpAsyncCommitGroup();
    in.set(rank, 0); // wrong
    PtxCopies.cpAsyncWaitGroup(0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void overwritesTheSourceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    in.set(rank, 0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.MISSING_WAIT})
  static void overwritesAnothersSourceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    in.set(63 - rank, 0); // wrong
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void overwritesAnothersSourceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    in.set(63 - rank, 0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void overwritesTheSourceOfABulkCopyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, full.words(), full.index()); // wrong
      full.arrive();
    }
    if (rank == 0) {
      in.set(7, 1); // wrong
    }
    full.waitForParity(0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void overwritesTheSourceOfABulkCopyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, full.words(), full.index());
      full.arrive();
    }
    full.waitForParity(0);
    if (rank == 0) {
      in.set(7, 1);
    }
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void loadsWhatWasStoredWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    out.set(rank, in.get(rank)); // wrong
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, out, 0, 256, full.words(), full.index()); // wrong
      full.arrive();
    }
    full.waitForParity(0);
    out.set(64 + rank, tile.get(rank));
  }

  @Kernel
  static void loadsWhatWasStoredWithoutAFenceGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    out.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsync();
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, out, 0, 256, full.words(), full.index());
      full.arrive();
    }
    full.waitForParity(0);
    out.set(64 + rank, tile.get(rank));
  }

  @Kernel
  @Breaks({CopyRule.MISSING_PROXY_FENCE, CopyRule.MISSING_WAIT, CopyRule.MISSING_BARRIER})
  static void loadsWhatWasStoredWithoutABarrierBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    out.set(rank, in.get(rank)); // wrong
    PtxBulkCopies.fenceProxyAsync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, out, 0, 256, full.words(), full.index()); // wrong
      full.arrive();
    }
    full.waitForParity(0);
    block.sync();
    out.set(64 + rank, tile.get(rank));
  }

  @Kernel
  static void loadsWhatWasStoredWithoutABarrierGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    out.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsync();
    block.sync();
    if (rank == 0) {
      full.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, out, 0, 256, full.words(), full.index());
      full.arrive();
    }
    full.waitForParity(0);
    block.sync();
    out.set(64 + rank, tile.get(rank));
  }

  @Kernel
  @Breaks({CopyRule.UNORDERED_WRITES, CopyRule.MISSING_BARRIER})
  static void copiesWhereAnotherStoredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank >= 32) {
      tile.set(rank - 32, 1); // wrong
    }
    if (rank < 32) {
      PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
      PtxCopies.cpAsyncWaitAll();
      out.set(rank, tile.get(rank));
    }
  }

  @Kernel
  static void copiesWhereAnotherStoredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank >= 32) {
      tile.set(rank - 32, 1);
    }
    block.sync();
    if (rank < 32) {
      PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
      PtxCopies.cpAsyncWaitAll();
      out.set(rank, tile.get(rank));
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.STORE_NOT_READ})
  static void sendsWhatOthersCountBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    Atomics.add(tile, in.get(rank) & 3, 1); // wrong
    PtxBulkCopies.fenceProxyAsyncShared();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256); // wrong
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void sendsWhatOthersCountGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    Atomics.add(tile, in.get(rank) & 3, 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  @Breaks({
    CopyRule.MISSING_BARRIER,
    CopyRule.MISSING_WAIT,
    CopyRule.UNORDERED_WRITES,
    CopyRule.EARLY_REFILL
  })
  static void countsWhereAnotherCopiesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    Atomics.add(tile, rank ^ 1, 1); // wrong
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void countsWhereAnotherCopiesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    Atomics.add(tile, rank ^ 1, 1);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  // --- memcpyAsync to global memory
  // -----------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsWhatIsUnderWayBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.sync();
    block.memcpyAsync(out, 0, tile, 0, 64, 16); // wrong
    block.sync();
    out.set(64 + block.threadRank(), out.get(63 - block.threadRank())); // wrong
  }

  @Kernel
  static void readsWhatIsUnderWayGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.sync();
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
    block.waitAll();
    out.set(64 + block.threadRank(), out.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsOwnStoreBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.sync();
    Warp warp = block.warp();
    if (warp.index() == 0) {
      warp.memcpyAsync(out, 0, tile, 0, 32); // wrong
      out.set(64 + warp.lane(), out.get(warp.lane())); // wrong
    }
  }

  @Kernel
  static void readsOwnStoreGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.sync();
    Warp warp = block.warp();
    if (warp.index() == 0) {
      warp.memcpyAsync(out, 0, tile, 0, 32);
      warp.waitAll();
      out.set(64 + warp.lane(), out.get(warp.lane()));
    }
  }
}
