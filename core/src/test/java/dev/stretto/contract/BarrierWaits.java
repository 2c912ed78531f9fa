package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels whose threads wait at a barrier for a time. */
final class BarrierWaits {
  private BarrierWaits() {}

  /** All arrive, and each sees in time what the next one wrote. */
  @Kernel
  static void inTime(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    int sum = 0;
    for (int round = 0; round < 3; round++) {
      tile.set(rank, in.get(i) + round);
      long phase = barrier.arrive();
      while (!barrier.waitFor(phase, 1_000_000)) {
        // a device may be slow
      }
      sum += tile.get((rank + 1) % block.size());
      long next = barrier.arrive();
      while (!barrier.waitForParity(1, 1_000_000)) {
        // a device may be slow
      }
      sum += barrier.hasEnded(next) && barrier.hasParityEnded(1) ? 1 : 1000;
    }
    out.set(i, sum);
  }

  /** One arrival is missing until all have waited in vain. */
  @Kernel
  static void inVain(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    Barrier barrier = block.barrier(block.size() + 1);
    boolean before = barrier.hasParityEnded(1) && !barrier.hasParityEnded(0);
    long phase = barrier.arrive();
    boolean first = barrier.waitFor(phase, in.get(0) % 1000);
    boolean second = barrier.waitForParity(0, 2_000);
    boolean third = barrier.waitFor(phase, 0);
    block.sync();
    if (rank == 0) {
      long _ = barrier.arrive();
    }
    while (!barrier.waitFor(phase, 1_000_000)) {
      // a device may be slow
    }
    boolean ended = barrier.hasParityEnded(0) && barrier.waitForParity(0, 0);
    out.set(
        i,
        (before ? 1 : 0) + (first ? 0 : 2) + (second ? 0 : 4) + (third ? 0 : 8) + (ended ? 16 : 0));
  }

  /** A thread waits in vain while the others look for what it does next. */
  @Kernel
  static void whileOthersLook(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts flag = block.sharedInts(1);
    int rank = block.threadRank();
    Barrier never = block.barrier(2);
    Barrier later = block.barrier(1);
    if (rank == 0) {
      flag.set(0, 0);
    }
    block.sync();
    int got = 0;
    if (rank == 0) {
      got = never.waitForParity(0, 50_000) ? 1 : 0;
      Atomics.storeRelease(flag, 0, 7);
      got += never.waitForParity(0, 50_000) ? 1 : 0;
      long _ = later.arrive();
    } else if (rank < 32) {
      while (Atomics.loadAcquire(flag, 0) == 0) {
        // until the first thread has waited
      }
      got = flag.get(0);
    } else {
      while (!later.hasParityEnded(0)) {
        // until the first thread has waited again
      }
      got = flag.get(0);
    }
    out.set(block.globalIndexX(), got + in.get(0));
  }

  /** Threads wait in vain for different times, and count who goes on. */
  @Kernel
  static void oneAfterTheOther(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts count = block.sharedInts(1);
    int rank = block.threadRank();
    Barrier never = block.barrier(1);
    if (rank == 0) {
      count.set(0, in.get(0) & 0);
    }
    block.sync();
    boolean ended = never.waitForParity(0, 1000 * (block.size() - rank));
    int order = Atomics.add(count, 0, 1);
    out.set(block.globalIndexX(), ended ? -1 : order);
  }

  /** Nobody ever arrives. */
  @Kernel
  static void forEver(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(block.size() + 1);
    long phase = barrier.arrive();
    int times = 0;
    while (!barrier.waitFor(phase, 100)) {
      times++;
    }
    out.set(block.globalIndexX(), times + in.get(0));
  }

  /** A time that no device waits for. */
  @Kernel
  static void backwards(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier();
    long phase = barrier.arrive();
    out.set(block.globalIndexX(), barrier.waitFor(phase, -in.get(0)) ? 1 : 0);
  }

  /** The instructions that wait for a time, on a barrier whose bytes a thread counts itself. */
  @Kernel
  static void byInstructions(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size());
    }
    block.sync();
    long phase;
    if (rank == 0) {
      phase = PtxBarriers.mbarrierArriveExpectTxRelaxed(words, 0, 64);
    } else if (rank == 1) {
      phase = PtxBarriers.mbarrierArriveRelaxed(words, 0, 1);
    } else {
      phase = PtxBarriers.mbarrierArriveRelaxed(words, 0);
    }
    boolean early = PtxBarriers.mbarrierTryWait(words, 0, phase, 1000);
    early |= PtxBarriers.mbarrierTryWaitParity(words, 0, 0, 1000);
    block.sync();
    if (rank == 0) {
      PtxBarriers.mbarrierCompleteTx(words, 0, 64);
    }
    while (!PtxBarriers.mbarrierTryWait(words, 0, phase, 1000)) {
      // until all bytes are there
    }
    int left = block.size();
    if (rank < 8) {
      long _ = PtxBarriers.mbarrierArriveDropRelaxed(words, 0);
    } else {
      long _ = PtxBarriers.mbarrierArrive(words, 0);
    }
    if (rank >= 8) {
      while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 1, 1000)) {
        // until all have arrived
      }
      left = PtxBarriers.mbarrierPendingCount(PtxBarriers.mbarrierArriveRelaxed(words, 0));
      while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
        // until those have arrived that are left
      }
    }
    out.set(
        block.globalIndexX(), (early ? 1000 : 0) + (left > block.size() - 8 ? 1 : 0) + in.get(0));
  }

  /** A barrier at which threads of both blocks of a cluster arrive. */
  @Kernel
  static void ofCluster(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    int rank = block.threadRank();
    int i = (int) block.globalIndexX();
    int other = 1 - block.cluster().blockRank();
    Barrier barrier = block.barrier(block.size() + 1, Scope.CLUSTER);
    block.cluster().sync();
    tile.set(rank, in.get(i));
    long phase = barrier.arrive();
    boolean early = barrier.waitFor(phase, 1000) || barrier.waitForParity(0, 1000);
    early |= barrier.hasParityEnded(0);
    block.cluster().sync();
    if (rank == 0) {
      barrier.arriveAt(other);
    }
    while (!barrier.waitFor(phase, 1000)) {
      // until the other block has arrived
    }
    int got = block.cluster().shared(tile, other).get(rank);
    out.set(i, early || !barrier.hasParityEnded(0) ? -1 : got);
    block.cluster().sync();
  }

  /** Waits that learn nothing, each in its way, with a fence behind the last one. */
  @Kernel
  static void relaxedWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size() + 1);
    }
    block.sync();
    values.set(rank, in.get(block.globalIndexX()));
    long phase = PtxBarriers.mbarrierArrive(words, 0);
    int seen = PtxBarriers.mbarrierTestWaitRelaxed(words, 0, phase) ? 1 : 0;
    seen += PtxBarriers.mbarrierTestWaitParityRelaxed(words, 0, 0) ? 2 : 0;
    seen += PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase, 1000) ? 4 : 0;
    seen += PtxBarriers.mbarrierTryWaitParityRelaxed(words, 0, 0, 1000) ? 8 : 0;
    block.sync();
    if (rank == 0) {
      long _ = PtxBarriers.mbarrierArrive(words, 0);
    }
    while (!PtxBarriers.mbarrierTryWaitRelaxed(words, 0, phase)) {
      // until the last arrival
    }
    while (!PtxBarriers.mbarrierTryWaitParityRelaxed(words, 0, 0)) {
      // until the last arrival
    }
    seen += PtxBarriers.mbarrierTestWaitParityRelaxed(words, 0, 0) ? 16 : 0;
    Ptx.fenceAcqRel(Scope.BLOCK);
    out.set(block.globalIndexX(), 100 * values.get((rank + 1) % 64) + seen);
  }
}
