package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/** Kernels in pairs: in one two accesses to shared memory race, in the other they do not. */
final class RacesInSharedMemory {
  private RacesInSharedMemory() {}

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readsANeighbourBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank)); // wrong
    out.set(rank, tile.get(rank ^ 1)); // wrong
  }

  @Kernel
  static void readsANeighbourGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    out.set(rank, tile.get(rank ^ 1));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readsAnotherWarpBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank)); // wrong
    block.warp().sync();
    out.set(rank, tile.get(rank ^ 32)); // wrong
  }

  @Kernel
  static void readsAnotherWarpGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.warp().sync();
    out.set(rank, tile.get(rank ^ 16));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void halfOfTheReadersAreKnownBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = tile.get(5); // wrong
    if (rank < 32) {
      Ptx.barSync(1, 32); // of those threads, of which the others know nothing
    }
    if (rank == 31) {
      tile.set(5, 1); // wrong
    }
    out.set(rank, sum);
  }

  @Kernel
  static void halfOfTheReadersAreKnownGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = tile.get(5);
    Ptx.barSync(1, 64);
    if (rank == 31) {
      tile.set(5, 1);
    }
    out.set(rank, sum);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void overwritesWhatAllReadBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = 0;
    for (int i = 0; i < 64; i++) {
      sum += tile.get(i); // wrong
    }
    tile.set(rank, sum); // wrong
    out.set(rank, sum);
  }

  @Kernel
  static void overwritesWhatAllReadGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = 0;
    for (int i = 0; i < 64; i++) {
      sum += tile.get(i);
    }
    block.sync();
    tile.set(rank, sum);
    out.set(rank, sum);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void overwritesWhatOthersReadBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = tile.get(rank ^ 1); // wrong
    tile.set(rank, sum); // wrong
    block.sync();
    out.set(rank, tile.get(rank ^ 2));
  }

  @Kernel
  static void overwritesWhatOthersReadGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    int sum = tile.get(rank ^ 1);
    block.sync();
    tile.set(rank, sum);
    block.sync();
    out.set(rank, tile.get(rank ^ 2));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void oneBarrierInALoopBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      tile.set(rank, in.get(i * 64 + rank)); // wrong
      block.sync();
      out.set(i * 64 + rank, tile.get(63 - rank)); // wrong
    }
  }

  @Kernel
  static void oneBarrierInALoopGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      tile.set(rank, in.get(i * 64 + rank));
      block.sync();
      out.set(i * 64 + rank, tile.get(63 - rank));
      block.sync();
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aTreeWithoutBarriersBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    for (int half = 32; half > 0; half /= 2) {
      if (rank < half) {
        tile.set(rank, tile.get(rank) + tile.get(rank + half)); // wrong
      }
    }
    if (rank == 0) {
      out.set(0, tile.get(0));
    }
  }

  @Kernel
  static void aTreeWithoutBarriersGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    for (int half = 32; half > 0; half /= 2) {
      if (rank < half) {
        tile.set(rank, tile.get(rank) + tile.get(rank + half));
      }
      block.sync();
    }
    if (rank == 0) {
      out.set(0, tile.get(0));
    }
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void twoWriteOnePlaceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank / 2, in.get(rank)); // wrong
    block.sync();
    out.set(rank, tile.get(rank / 2));
  }

  @Kernel
  static void twoWriteOnePlaceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank % 2 == 0) {
      tile.set(rank / 2, in.get(rank));
    }
    block.sync();
    out.set(rank, tile.get(rank / 2));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void oneThreadIsReadAtOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(5, in.get(0)); // wrong
    }
    out.set(rank, tile.get(5)); // wrong
  }

  @Kernel
  static void oneThreadIsReadAtOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(5, in.get(0));
    }
    block.sync();
    out.set(rank, tile.get(5));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void twoRolesWithoutABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      tile.set(rank, in.get(rank)); // wrong
    } else {
      out.set(rank, tile.get(rank - 32)); // wrong
    }
  }

  @Kernel
  static void twoRolesWithoutABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      tile.set(rank, in.get(rank));
    }
    block.sync();
    if (rank >= 32) {
      out.set(rank, tile.get(rank - 32));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void rolesWithANamedBarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      tile.set(rank, in.get(rank)); // wrong
    } else {
      Ptx.barSync(1, 32);
      out.set(rank, tile.get(rank - 32)); // wrong
    }
  }

  @Kernel
  static void rolesWithANamedBarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      tile.set(rank, in.get(rank));
      Ptx.barArrive(1, 64);
    } else {
      Ptx.barSync(1, 64);
      out.set(rank, tile.get(rank - 32));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void arrivesBeforeItWritesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      Ptx.barArrive(1, 64);
      tile.set(rank, in.get(rank)); // wrong
    } else {
      Ptx.barSync(1, 64);
      out.set(rank, tile.get(rank - 32)); // wrong
    }
  }

  @Kernel
  static void arrivesBeforeItWritesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 32) {
      tile.set(rank, in.get(rank));
      Ptx.barArrive(2, 64);
    } else {
      Ptx.barSync(2, 64);
      out.set(rank, tile.get(rank - 32));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aShuffleIsNoBarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank)); // wrong
    int other = block.warp().shuffleXor(rank, 1);
    out.set(rank, tile.get(other)); // wrong
  }

  @Kernel
  static void aShuffleIsNoBarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    int other = block.warp().shuffleXor(rank, 1);
    block.warp().sync();
    out.set(rank, tile.get(other));
  }

  @Kernel
  @Launched(sharedBytes = 256)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void dynamicMemoryBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.dynamicShared().asInts();
    tile.set(rank, in.get(rank)); // wrong
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void dynamicMemoryGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.dynamicShared().asInts();
    tile.set(rank, in.get(rank));
    block.sync();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void bytesOfOneWordBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedBytes tile = block.sharedBytes(64);
    tile.set(rank, (byte) in.get(rank)); // wrong
    out.set(rank, tile.get(rank ^ 1)); // wrong
  }

  @Kernel
  static void bytesOfOneWordGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedBytes tile = block.sharedBytes(64);
    tile.set(rank, (byte) in.get(rank));
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void longsAtOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs tile = block.sharedLongs(64);
    tile.set(rank, in.get(rank)); // wrong
    out.set(rank, (int) tile.get(rank ^ 1)); // wrong
  }

  @Kernel
  static void longsAtOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs tile = block.sharedLongs(64);
    tile.set(rank, in.get(rank));
    block.sync();
    out.set(rank, (int) tile.get(rank ^ 1));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void vectorsOverlapBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 16) {
      tile.set4(4 * rank, new Int4(rank, 1, 2, 3)); // wrong
    }
    out.set(rank, tile.get(rank)); // wrong
  }

  @Kernel
  static void vectorsOverlapGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank < 16) {
      tile.set4(4 * rank, new Int4(rank, 1, 2, 3));
    }
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aScanWithOneArrayBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    for (int by = 1; by < 64; by *= 2) {
      if (rank >= by) {
        int sum = tile.get(rank) + tile.get(rank - by); // wrong
        tile.set(rank, sum); // wrong
      }
      block.sync();
    }
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void aScanWithOneArrayGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    for (int by = 1; by < 64; by *= 2) {
      int sum = rank >= by ? tile.get(rank) + tile.get(rank - by) : tile.get(rank);
      block.sync();
      tile.set(rank, sum);
      block.sync();
    }
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void someMeetSomeDoNotBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank)); // wrong
    if (rank < 32) {
      Ptx.barSync(3, 32);
      out.set(rank, tile.get(rank + 32)); // wrong
    }
  }

  @Kernel
  static void someMeetSomeDoNotGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    Ptx.barSync(3, 64);
    if (rank < 32) {
      out.set(rank, tile.get(rank + 32));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aBarrierObjectThatNobodyWaitsForBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier all = block.barrier();
    tile.set(rank, in.get(rank)); // wrong
    all.arrive();
    out.set(rank, tile.get(rank ^ 33)); // wrong
  }

  @Kernel
  static void aBarrierObjectThatNobodyWaitsForGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier all = block.barrier();
    tile.set(rank, in.get(rank));
    all.arriveAndWait();
    out.set(rank, tile.get(rank ^ 33));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void countsWithoutAtomicsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    block.sync();
    tile.set(in.get(rank) & 3, tile.get(in.get(rank) & 3) + 1); // wrong
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void countsWithoutAtomicsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    block.sync();
    Atomics.add(tile, in.get(rank) & 3, 1);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readsWhatOthersCountBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    block.sync();
    Atomics.add(tile, 0, 1); // wrong
    out.set(rank, tile.get(0)); // wrong
  }

  @Kernel
  static void readsWhatOthersCountGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    block.sync();
    Atomics.add(tile, 0, 1);
    block.sync();
    out.set(rank, tile.get(0));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void clearsWhatOthersCountBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0); // wrong
    Atomics.add(tile, 63 - rank, 1); // wrong
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void clearsWhatOthersCountGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, 0);
    block.sync();
    Atomics.add(tile, 63 - rank, 1);
    block.sync();
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aFlagThatIsNotReleasedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 32) {
      tile.set(0, in.get(0)); // wrong
      Atomics.exchange(tile, 1, 1);
    } else if (rank == 0) {
      while (Atomics.loadAcquire(tile, 1) == 0) {
        Ptx.nanosleep(20);
      }
      out.set(0, tile.get(0)); // wrong
    }
  }

  @Kernel
  static void aFlagThatIsNotReleasedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 32) {
      tile.set(0, in.get(0));
      Atomics.storeRelease(tile, 1, 1);
    } else if (rank == 0) {
      while (Atomics.loadAcquire(tile, 1) == 0) {
        Ptx.nanosleep(20);
      }
      out.set(0, tile.get(0));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aFlagThatIsNotAcquiredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 32) {
      tile.set(0, in.get(0)); // wrong
      Atomics.storeRelease(tile, 1, 1);
    } else if (rank == 0) {
      while (Atomics.add(tile, 1, 0) == 0) {
        Ptx.nanosleep(20);
      }
      out.set(0, tile.get(0)); // wrong
    }
  }

  @Kernel
  static void aFlagThatIsNotAcquiredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 32) {
      tile.set(0, in.get(0));
      Atomics.storeRelease(tile, 1, 1);
    } else if (rank == 0) {
      while (Atomics.add(tile, 1, 0) == 0) {
        Ptx.nanosleep(20);
      }
      Atomics.fence(Scope.BLOCK);
      out.set(0, tile.get(0));
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.UNORDERED_WRITES})
  static void aCopyOfWhatIsCountedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank); // wrong
    PtxCopies.cpAsyncCommitGroup();
    Atomics.add(tile, rank, 1); // wrong
    PtxCopies.cpAsyncWaitGroup(0);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  static void aCopyOfWhatIsCountedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    Atomics.add(tile, rank, 1);
    out.set(rank, tile.get(rank));
  }

  @Kernel
  @Launched(compiled = true)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.UNORDERED_WRITES})
  static void takesTheGreatestBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts most = block.sharedInts(1);
    if (block.threadRank() == 0) {
      most.set(0, 0);
    }
    block.sync();
    if (most.get(0) < in.get(block.threadRank())) { // wrong
      most.set(0, in.get(block.threadRank())); // wrong
    }
    block.sync();
    out.set(block.threadRank(), most.get(0));
  }

  @Kernel
  static void takesTheGreatestGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts most = block.sharedInts(1);
    if (block.threadRank() == 0) {
      most.set(0, 0);
    }
    block.sync();
    int old = most.get(0);
    while (old < in.get(block.threadRank())) {
      int seen = Atomics.compareAndExchange(most, 0, old, in.get(block.threadRank()));
      if (seen == old) {
        break;
      }
      old = seen;
    }
    block.sync();
    out.set(block.threadRank(), most.get(0));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void shortsOfOneWordBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedShorts tile = block.sharedShorts(64);
    tile.set(rank, (short) in.get(rank)); // wrong
    block.warp().sync();
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void shortsOfOneWordGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedShorts tile = block.sharedShorts(64);
    tile.set(rank, (short) in.get(rank));
    block.warp().sync();
    out.set(rank, tile.get(rank ^ 31));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void matricesWithoutABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedBytes tile = block.sharedBytes(1024);
    int[] four = new int[4];
    SharedInts words = tile.asInts();
    words.set(rank + 64, in.get(rank)); // wrong
    block.warp().sync();
    Ptx.ldmatrixX4(four, 0, tile, 16 * (rank % 32)); // wrong
    out.set(rank, four[3]);
  }

  @Kernel
  static void matricesWithoutABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedBytes tile = block.sharedBytes(1024);
    int[] four = new int[4];
    SharedInts words = tile.asInts();
    words.set(rank + 64, in.get(rank));
    block.sync();
    Ptx.ldmatrixX4(four, 0, tile, 16 * (rank % 32));
    out.set(rank, four[3]);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void storesMatricesWithoutABarrierBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(128);
    int[] one = {in.get(rank)};
    if (rank < 32) {
      Ptx.stmatrixX1(tile, 16 * (rank % 8), one, 0); // wrong
    }
    out.set(rank, tile.get(rank % 32)); // wrong
  }

  @Kernel
  static void storesMatricesWithoutABarrierGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(128);
    int[] one = {in.get(rank)};
    if (rank < 32) {
      Ptx.stmatrixX1(tile, 16 * (rank % 8), one, 0);
    }
    block.sync();
    out.set(rank, tile.get(rank % 32));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aPhaseThatEndedBeforeBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    barrier.arriveAndWait();
    tile.set(rank, in.get(rank)); // wrong
    barrier.waitForParity(0);
    out.set(rank, tile.get(63 - rank)); // wrong
  }

  @Kernel
  static void aPhaseThatEndedBeforeGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    barrier.arriveAndWait();
    tile.set(rank, in.get(rank));
    barrier.arriveAndWait();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void aRelaxedFlagInSharedMemoryBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(2);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 0) {
      tile.set(0, in.get(0)); // wrong
      Atomics.add(tile, 1, 1);
    } else if (rank == 32) {
      while (Atomics.add(tile, 1, 0) == 0) {
        Ptx.nanosleep(20);
      }
      out.set(0, tile.get(0)); // wrong
    }
  }

  @Kernel
  static void aRelaxedFlagInSharedMemoryGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(2);
    if (rank == 0) {
      tile.set(1, 0);
    }
    block.sync();
    if (rank == 0) {
      tile.set(0, in.get(0));
      Atomics.fence(Scope.BLOCK);
      Atomics.add(tile, 1, 1);
    } else if (rank == 32) {
      while (Atomics.add(tile, 1, 0) == 0) {
        Ptx.nanosleep(20);
      }
      Atomics.fence(Scope.BLOCK);
      out.set(0, tile.get(0));
    }
  }
}
