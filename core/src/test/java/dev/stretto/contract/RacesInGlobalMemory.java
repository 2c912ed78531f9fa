package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels in pairs: in one two accesses to global memory race, in the other they do not. */
final class RacesInGlobalMemory {
  private RacesInGlobalMemory() {}

  @Kernel
  @Launched(threads = 1024)
  @Breaks(CopyRule.MISSING_BARRIER)
  static void allAddToOneBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    out.set(0, out.get(0) + 1); // wrong
  }

  @Kernel
  static void allAddToOneGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Atomics.add(out, 0, 1);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readsAGlobalNeighbourBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(rank, in.get(rank)); // wrong
    out.set(64 + rank, out.get(rank ^ 1)); // wrong
  }

  @Kernel
  static void readsAGlobalNeighbourGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(rank, in.get(rank));
    block.sync();
    out.set(64 + rank, out.get(rank ^ 1));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void halfOfTheGlobalReadersAreKnownBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int sum = out.get(5); // wrong
    if (rank < 32) {
      Ptx.barSync(1, 32); // of those threads, of which the others know nothing
    }
    if (rank == 31) {
      out.set(5, 1); // wrong
    }
    out.set(64 + rank, sum);
  }

  @Kernel
  static void halfOfTheGlobalReadersAreKnownGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int sum = out.get(5);
    Ptx.barSync(1, 64);
    if (rank == 31) {
      out.set(5, 1);
    }
    out.set(64 + rank, sum);
  }

  @Kernel
  @Launched(threads = 96, compiled = true) // a method keeps four readers of those that are alike
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readersInTheMiddleAreKnownBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int sum = out.get(5); // wrong
    if (rank / 32 != 1) {
      Ptx.barSync(1, 64); // of the first and the last warp
    }
    if (rank == 0) {
      out.set(5, 1); // wrong
    }
    out.set(64 + rank, sum);
  }

  @Kernel
  @Launched(threads = 96)
  static void readersInTheMiddleAreKnownGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int sum = out.get(5);
    Ptx.barSync(1, 96);
    if (rank == 0) {
      out.set(5, 1);
    }
    out.set(64 + rank, sum);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void shiftsInPlaceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank < 63) {
      out.set(rank, out.get(rank + 1)); // wrong
    }
  }

  @Kernel
  static void shiftsInPlaceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int next = rank < 63 ? out.get(rank + 1) : 0;
    block.sync();
    out.set(rank, next);
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void twoWriteOneElementBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(rank / 2, in.get(rank)); // wrong
  }

  @Kernel
  static void twoWriteOneElementGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank % 2 == 0) {
      out.set(rank / 2, in.get(rank));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void globalBytesOfAWarpBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(rank, in.get(rank)); // wrong
    block.warp().sync();
    out.set(64 + rank, out.get(rank ^ 32)); // wrong
  }

  @Kernel
  static void globalBytesOfAWarpGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(rank, in.get(rank));
    block.warp().sync();
    out.set(64 + rank, out.get(rank ^ 16));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void countsAndReadsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    Atomics.add(out, 0, 1); // wrong
    out.set(1 + rank, out.get(0)); // wrong
  }

  @Kernel
  static void countsAndReadsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    Atomics.add(out, 0, 1);
    block.sync();
    out.set(1 + rank, out.get(0));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void clearsWhatIsCountedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 5) {
      out.set(0, 0); // wrong
    }
    Atomics.add(out, 0, 1); // wrong
  }

  @Kernel
  static void clearsWhatIsCountedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 5) {
      out.set(0, 0);
    }
    block.sync();
    Atomics.add(out, 0, 1);
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void blocksAddToOneBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      out.set(0, out.get(0) + 1); // wrong
    }
  }

  @Kernel
  static void blocksAddToOneGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      Atomics.add(out, 0, 1);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void blocksReadTheirNeighbourBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i)); // wrong
    block.sync();
    out.set(256 + i, out.get(255 - i)); // wrong
  }

  @Kernel
  static void blocksReadTheirNeighbourGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i));
    block.sync();
    out.set(256 + i, out.get(i ^ 63));
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void blocksWriteOneResultBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      out.set(7, block.blockIndexX()); // wrong
    }
  }

  @Kernel
  static void blocksWriteOneResultGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      out.set(block.blockIndexX(), 7);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void theLastBlockDoesNotFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      out.set(1 + block.blockIndexX(), in.get(block.blockIndexX())); // wrong
      if (Atomics.add(out, 0, 1) == 3) {
        int sum = 0;
        for (int i = 1; i <= 4; i++) {
          sum += out.get(i); // wrong
        }
        out.set(9, sum);
      }
    }
  }

  @Kernel
  static void theLastBlockDoesNotFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      out.set(1 + block.blockIndexX(), in.get(block.blockIndexX()));
      Atomics.fence(Scope.DEVICE);
      if (Atomics.add(out, 0, 1) == 3) {
        Atomics.fence(Scope.DEVICE);
        int sum = 0;
        for (int i = 1; i <= 4; i++) {
          sum += out.get(i);
        }
        out.set(9, sum);
      }
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void onlyTheReaderFencesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      out.set(1 + block.blockIndexX(), in.get(block.blockIndexX())); // wrong
      if (Atomics.add(out, 0, 1) == 3) {
        Atomics.fence(Scope.DEVICE);
        int sum = 0;
        for (int i = 1; i <= 4; i++) {
          sum += out.get(i); // wrong
        }
        out.set(9, sum);
      }
    }
  }

  @Kernel
  static void onlyTheReaderFencesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      Atomics.storeRelease(out, 20 + block.blockIndexX(), 1);
      Atomics.add(out, 0, 1);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void aFenceOfTheBlockOnlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      out.set(1 + block.blockIndexX(), in.get(block.blockIndexX())); // wrong
      Atomics.fence(Scope.BLOCK);
      if (Atomics.add(out, 0, 1) == 3) {
        Atomics.fence(Scope.BLOCK);
        int sum = 0;
        for (int i = 1; i <= 4; i++) {
          sum += out.get(i); // wrong
        }
        out.set(9, sum);
      }
    }
  }

  @Kernel
  static void aFenceOfTheBlockOnlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      out.set(1 + block.blockIndexX(), in.get(block.blockIndexX()));
      Ptx.fenceSc(Scope.DEVICE);
      if (Atomics.add(out, 0, 1) == 3) {
        Ptx.fenceAcqRel(Scope.DEVICE);
        int sum = 0;
        for (int i = 1; i <= 4; i++) {
          sum += out.get(i);
        }
        out.set(9, sum);
      }
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void atomicForTheBlockOnlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      Atomics.add(out, 0, 1, Scope.BLOCK); // wrong
    }
  }

  @Kernel
  static void atomicForTheBlockOnlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Atomics.add(out, block.blockIndexX(), 1, Scope.BLOCK);
  }

  @Kernel
  @Launched(cooperative = true, blocks = 4)
  @Breaks(CopyRule.RACE)
  static void looksBackAtAPlainFlagBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      int before = 0;
      if (block.blockIndexX() > 0) {
        before = out.get(block.blockIndexX() - 1); // wrong
      }
      out.set(block.blockIndexX(), 1 + before); // wrong
    }
  }

  @Kernel
  static void looksBackAtAPlainFlagGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      int before = 0;
      if (block.blockIndexX() > 0) {
        while (Atomics.loadAcquire(out, block.blockIndexX() - 1) == 0) {
          Ptx.nanosleep(20);
        }
        before = out.get(63 + block.blockIndexX());
      }
      out.set(64 + block.blockIndexX(), before + in.get(block.blockIndexX()));
      Atomics.storeRelease(out, block.blockIndexX(), 1);
    }
  }

  @Kernel
  @Launched(cooperative = true, blocks = 4)
  @Breaks(CopyRule.RACE)
  static void releasesBeforeItWritesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      if (block.blockIndexX() > 0) {
        while (Atomics.loadAcquire(out, block.blockIndexX() - 1) == 0) {
          Ptx.nanosleep(20);
        }
        out.set(128 + block.blockIndexX(), out.get(63 + block.blockIndexX())); // wrong
      }
      Atomics.storeRelease(out, block.blockIndexX(), 1);
      out.set(64 + block.blockIndexX(), in.get(block.blockIndexX())); // wrong
    }
  }

  @Kernel
  static void releasesBeforeItWritesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      if (block.blockIndexX() > 0) {
        while (Atomics.loadAcquire(out, block.blockIndexX() - 1) == 0) {
          Ptx.nanosleep(20);
        }
        out.set(128 + block.blockIndexX(), out.get(63 + block.blockIndexX()));
      }
      out.set(64 + block.blockIndexX(), in.get(block.blockIndexX()));
      Atomics.storeRelease(out, block.blockIndexX(), 1);
    }
  }

  @Kernel
  @Launched(cooperative = true, blocks = 2)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE})
  static void othersOfTheBlockDoNotMeetBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(64 + 64 * block.blockIndexX() + rank, in.get(rank)); // wrong
    if (rank == 0) {
      Atomics.storeRelease(out, block.blockIndexX(), 1);
    }
    if (block.blockIndexX() == 1) {
      if (rank == 0) {
        while (Atomics.loadAcquire(out, 0) == 0) {
          Ptx.nanosleep(20);
        }
      }
      block.sync();
      out.set(256 + rank, out.get(64 + rank)); // wrong
    }
  }

  @Kernel
  static void othersOfTheBlockDoNotMeetGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(64 + 64 * block.blockIndexX() + rank, in.get(rank));
    block.sync();
    if (rank == 0) {
      Atomics.storeRelease(out, block.blockIndexX(), 1);
    }
    if (block.blockIndexX() == 1) {
      if (rank == 0) {
        while (Atomics.loadAcquire(out, 0) == 0) {
          Ptx.nanosleep(20);
        }
      }
      block.sync();
      out.set(256 + rank, out.get(64 + rank));
    }
  }

  @Kernel
  @Launched(cooperative = true, blocks = 2)
  @Breaks(CopyRule.RACE)
  static void aGridBarrierWithoutFencesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(64 + block.globalIndexX(), rank); // wrong
    block.sync();
    if (rank == 0) {
      Atomics.add(out, 0, 1);
      while (Atomics.add(out, 0, 0) < 2) {
        Ptx.nanosleep(20);
      }
    }
    block.sync();
    out.set(256 + block.globalIndexX(), out.get(64 + (block.globalIndexX() ^ 64))); // wrong
  }

  @Kernel
  static void aGridBarrierWithoutFencesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set(64 + block.globalIndexX(), rank);
    block.sync();
    if (rank == 0) {
      Atomics.fence(Scope.DEVICE);
      Atomics.add(out, 0, 1);
      while (Atomics.add(out, 0, 0) < 2) {
        Ptx.nanosleep(20);
      }
      Atomics.fence(Scope.DEVICE);
    }
    block.sync();
    out.set(256 + block.globalIndexX(), out.get(64 + (block.globalIndexX() ^ 64)));
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void spinsForALockBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      while (Atomics.compareAndExchange(out, 0, 0, 1) != 0) {
        Ptx.nanosleep(20);
      }
      out.set(1, out.get(1) + 1); // wrong
      Atomics.exchange(out, 0, 0);
    }
  }

  @Kernel
  static void spinsForALockGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    if (rank == 0) {
      while (Atomics.compareAndExchange(out, 0, 0, 1) != 0) {
        Ptx.nanosleep(20);
      }
      Atomics.fence(Scope.DEVICE);
      out.set(1, out.get(1) + 1);
      Atomics.fence(Scope.DEVICE);
      Atomics.exchange(out, 0, 0);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks(CopyRule.RACE)
  static void stridesOverlapBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    for (int i = block.threadRank(); i < 65; i += 64) {
      out.set(64 * block.blockIndexX() + i, i + block.blockIndexX()); // wrong
    }
  }

  @Kernel
  static void stridesOverlapGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    for (int i = block.threadRank(); i < 64; i += 64) {
      out.set(64 * block.blockIndexX() + i, i);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE})
  static void aHaloInPlaceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    if (i > 0 && i < 255) {
      out.set(i, out.get(i - 1) + out.get(i + 1)); // wrong
    }
  }

  @Kernel
  static void aHaloInPlaceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    if (i > 0 && i < 255) {
      out.set(i, in.get(i - 1) + in.get(i + 1));
    }
  }

  @Kernel
  @Launched(blocks = 4)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE})
  static void aHistogramInGlobalMemoryBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    int bin = in.get(i) & 7;
    out.set(bin, out.get(bin) + 1); // wrong
  }

  @Kernel
  static void aHistogramInGlobalMemoryGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    int bin = in.get(i) & 7;
    Atomics.add(out, bin, 1);
  }

  @Kernel
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE})
  static void aTransposeInPlaceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int x = block.threadIndexX() % 8;
    int y = block.threadIndexX() / 8;
    out.set(8 * y + x, out.get(8 * x + y)); // wrong
  }

  @Kernel
  static void aTransposeInPlaceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int x = block.threadIndexX() % 8;
    int y = block.threadIndexX() / 8;
    out.set(8 * y + x, in.get(8 * x + y));
  }

  /** CUDA's guide makes atomic operations in this way: a value that is not the newest one fails. */
  @Kernel
  @Launched(blocks = 2)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE})
  static void guessesWithoutAnExchangeBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int old = out.get(0); // wrong
    out.set(1 + block.globalIndexX(), old);
    Atomics.compareAndExchange(out, 0, 5, old + 1); // wrong
  }

  @Kernel
  static void guessesWithoutAnExchangeGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int old = out.get(0);
    int assumed;
    do {
      assumed = old;
      old =
          Atomics.compareAndExchange(
              out, 0, assumed, Math.max(assumed, in.get(block.threadRank())));
    } while (old != assumed);
  }

  @Kernel
  @Launched(blocks = 2)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.RACE, CopyRule.UNORDERED_WRITES})
  static void addsWithoutAnExchangeBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = block.threadRank() & 3;
    out.set(i, out.get(i) + in.get(block.globalIndexX())); // wrong
  }

  @Kernel
  static void addsWithoutAnExchangeGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = block.threadRank() & 3;
    int old = out.get(i);
    while (true) {
      int seen = Atomics.compareAndExchange(out, i, old, old + in.get(block.globalIndexX()));
      if (seen == old) {
        break;
      }
      old = seen;
    }
  }

  @Kernel
  @Launched(cooperative = true, blocks = 4)
  @Breaks(CopyRule.RACE)
  static void looksBackWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      int number = block.blockIndexX();
      int sum = in.get(number);
      if (number > 0) {
        while (Atomics.loadAcquire(out, number - 1) == 0) {
          Ptx.nanosleep(20);
        }
        sum += out.get(63 + number); // wrong
      }
      out.set(64 + number, sum); // wrong
      Atomics.add(out, number, 1);
    }
  }

  @Kernel
  static void looksBackWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.threadRank() == 0) {
      int number = block.blockIndexX();
      int sum = in.get(number);
      if (number > 0) {
        while (Atomics.loadAcquire(out, number - 1) == 0) {
          Ptx.nanosleep(20);
        }
        sum += out.get(63 + number);
      }
      out.set(64 + number, sum);
      Atomics.fence(Scope.DEVICE);
      Atomics.add(out, number, 1);
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void vectorsInGlobalMemoryBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set4(4 * rank, in.get4(4 * rank)); // wrong
    out.set(256 + rank, out.get(3 * rank)); // wrong
  }

  @Kernel
  static void vectorsInGlobalMemoryGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    out.set4(4 * rank, in.get4(4 * rank));
    block.sync();
    out.set(256 + rank, out.get(3 * rank));
  }

  /** The grid meets, but not between the two accesses. */
  @Kernel
  @Launched(blocks = 4, cooperative = true)
  @Breaks(CopyRule.RACE)
  static void otherBlocksHaveMetBeforeBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    out.set(i, i);
    block.grid().sync();
    out.set(i, 2 * i); // wrong
    block.sync();
    out.set(256 + i, out.get((i + 64) % 256)); // wrong
  }

  @Kernel
  @Launched(blocks = 4, cooperative = true)
  static void otherBlocksHaveMetBeforeGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    out.set(i, i);
    block.grid().sync();
    out.set(i, 2 * i);
    block.grid().sync();
    out.set(256 + i, out.get((i + 64) % 256));
  }

  /** What follows an arrival is not known to those that wait. */
  @Kernel
  @Launched(blocks = 4, cooperative = true)
  @Breaks(CopyRule.RACE)
  static void writtenBehindTheArrivalBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    int arrival = block.grid().arrive();
    out.set(i, in.get(i)); // wrong
    block.grid().waitForAll(arrival);
    out.set(256 + i, out.get((i + 64) % 256)); // wrong
  }

  @Kernel
  @Launched(blocks = 4, cooperative = true)
  static void writtenBehindTheArrivalGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    out.set(i, in.get(i));
    int arrival = block.grid().arrive();
    int own = in.get(i + 1);
    block.grid().waitForAll(arrival);
    out.set(256 + i, own + out.get((i + 64) % 256));
  }

  /** Twice the same word: the next round overwrites what others still read. */
  @Kernel
  @Launched(blocks = 4, cooperative = true)
  @Breaks(CopyRule.RACE)
  static void nextRoundOverwritesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    for (int round = 0; round < 3; round++) {
      out.set(i, in.get(i) + round); // wrong
      block.grid().sync();
      out.set(256 + i, out.get((i + 64) % 256)); // wrong
    }
  }

  @Kernel
  @Launched(blocks = 4, cooperative = true)
  static void nextRoundOverwritesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    for (int round = 0; round < 3; round++) {
      out.set(i, in.get(i) + round);
      block.grid().sync();
      out.set(256 + i, out.get((i + 64) % 256));
      block.grid().sync();
    }
  }
}
