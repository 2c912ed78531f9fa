package dev.stretto.twin;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PipelinePrimitives;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/barriers.cuh}. */
final class BarrierKernels {
  private BarrierKernels() {}

  // --- arriving and waiting
  // ------------------------------------------------------------------------------------------

  @Kernel
  static void rounds(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    for (int round = 0; round < 8; round++) {
      values.set(rank, in.get(128 * round + rank));
      barrier.arriveAndWait();
      out.set(128 * round + rank, values.get((rank + 1) % 128));
      barrier.arriveAndWait();
    }
  }

  @Kernel
  static void later(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Barrier stored = block.barrier();
    Barrier read = block.barrier();
    int rank = block.threadRank();
    for (int round = 0; round < 8; round++) {
      values.set(rank, in.get(128 * round + rank));
      long phase = stored.arrive();
      int own = in.get(rank) * round;
      stored.waitFor(phase);
      out.set(128 * round + rank, own + values.get(127 - rank));
      read.arriveAndWait();
    }
  }

  /** Lane 0 arrives for its whole warp. */
  @Kernel
  static void several(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    values.set(rank, in.get(rank));
    block.warp().sync();
    if (rank % 32 == 0) {
      long _ = barrier.arrive(32);
    }
    barrier.waitForParity(0);
    out.set(rank, values.get((rank + 40) % 128));
  }

  /** One thread arrives, and the others only wait. */
  @Kernel
  static void ofOne(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts value = block.sharedInts(1);
    Barrier barrier = block.barrier(1);
    int rank = block.threadRank();
    if (rank == 5) {
      value.set(0, in.get(77));
      long _ = barrier.arrive();
    }
    barrier.waitForParity(0);
    out.set(rank, value.get(0) + rank);
  }

  /** Eight threads leave after each round; each round counts those that are left. */
  @Kernel
  static void drop(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts left = block.sharedInts(8);
    int rank = block.threadRank();
    if (rank < 8) {
      left.set(rank, in.get(0));
    }
    Barrier barrier = block.barrier();
    for (int round = 0; round < 8; round++) {
      int _ = Atomics.add(left, round, 1);
      if (rank / 8 == round) {
        barrier.arriveAndDrop();
        return;
      }
      barrier.arriveAndWait();
      out.set(64 * round + rank, left.get(round));
    }
  }

  /** The phase before the first one counts as ended; then they alternate. */
  @Kernel
  static void parity(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    barrier.waitForParity(1);
    for (int round = 0; round < 6; round++) {
      values.set((rank + round) % 64, in.get(64 * round + rank));
      long _ = barrier.arrive();
      barrier.waitForParity(round % 2);
      out.set(64 * round + rank, values.get(rank));
      block.sync();
    }
  }

  /** A phase that lacks an arrival has not ended, however often it is asked. */
  @Kernel
  static void asked(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Barrier barrier = block.barrier(2);
    if (block.threadRank() == 0) {
      long phase = barrier.arrive();
      for (int i = 0; i < 100; i++) {
        out.set(0, out.get(0) + (barrier.hasEnded(phase) ? 1 : 0));
      }
      long _ = barrier.arrive();
      out.set(1, barrier.hasEnded(phase) ? 1 : 2);
      out.set(2, barrier.hasEnded(phase) ? 1 : 2);
    }
  }

  /** The word of a barrier is made another barrier of, three times. */
  @Kernel
  static void again(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(1);
    SharedInts values = block.sharedInts(64);
    int rank = block.threadRank();
    for (int round = 0; round < 3; round++) {
      int arrivals = block.size() / (round + 1);
      if (rank == 0) {
        PtxBarriers.mbarrierInit(words, 0, arrivals);
      }
      block.sync();
      Barrier barrier = block.barrierAt(words, 0);
      if (rank < arrivals) {
        values.set(rank, in.get(100 * round + rank));
        long _ = barrier.arrive();
      }
      barrier.waitForParity(0);
      out.set(64 * round + rank, values.get(rank % arrivals));
      block.sync();
      if (rank == 0) {
        barrier.invalidate();
      }
      block.sync();
    }
  }

  /** Four barriers in a row, one for each round. */
  @Kernel
  static void indexed(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedLongs words = block.sharedLongs(4);
    SharedInts values = block.sharedInts(4 * 64);
    int rank = block.threadRank();
    if (rank < 4) {
      PtxBarriers.mbarrierInit(words, rank, block.size());
    }
    block.sync();
    for (int round = 0; round < 12; round++) {
      int slot = round % 4;
      values.set(64 * slot + rank, in.get(64 * round + rank));
      block.barrierAt(words, slot).arriveAndWait();
      out.set(64 * round + rank, values.get(64 * slot + 63 - rank));
    }
  }

  // --- copies
  // --------------------------------------------------------------------------------------------------------

  @Kernel
  static void copy(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int count) {
    SharedInts values = block.sharedInts(count);
    Barrier barrier = block.barrier();
    for (int round = 0; round < 3; round++) {
      block.memcpyAsync(values, 0, in, (long) count * round, count, barrier);
      barrier.arriveAndWait();
      for (int i = block.threadRank(); i < count; i += block.size()) {
        out.set(count * round + i, values.get(count - 1 - i));
      }
      barrier.arriveAndWait();
    }
  }

  /** Bytes, from places that are a multiple of nothing. */
  @Kernel
  static void copyBytes(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes values = block.sharedBytes(1024);
    Barrier barrier = block.barrier();
    for (int round = 0; round < 4; round++) {
      block.memcpyAsync(values, round, in, 3 * round + 1, 501 + round, barrier);
      barrier.arriveAndWait();
      for (int i = block.threadRank(); i < 501 + round; i += block.size()) {
        out.set(600 * round + i, values.get(round + i));
      }
      barrier.arriveAndWait();
    }
  }

  /** Two copies on one phase. */
  @Kernel
  static void two(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts left = block.sharedInts(256);
    SharedInts right = block.sharedInts(256);
    Barrier barrier = block.barrier();
    block.memcpyAsync(left, 0, in, 0, 256, barrier);
    block.memcpyAsync(right, 0, in, 1000, 256, barrier);
    barrier.arriveAndWait();
    for (int i = block.threadRank(); i < 256; i += block.size()) {
      out.set(i, left.get(i) - right.get(255 - i));
    }
  }

  /** One thread copies, for the whole block. */
  @Kernel
  static void byOne(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(256);
    Barrier barrier = block.barrier();
    if (block.threadRank() == 7) {
      ThisThread.memcpyAsync(values, 0, in, 16, 256, 16, barrier);
    }
    barrier.arriveAndWait();
    for (int i = block.threadRank(); i < 256; i += block.size()) {
      out.set(i, values.get(i));
    }
  }

  /** Each thread's copy completes on two barriers; half of the threads wait for either. */
  @Kernel
  static void onBoth(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Barrier first = block.barrier();
    Barrier second = block.barrier();
    int rank = block.threadRank();
    PipelinePrimitives.memcpyAsync(values, rank, in, rank, 4);
    PipelinePrimitives.arriveOn(first);
    PipelinePrimitives.arriveOn(second);
    long _ = first.arrive();
    long _ = second.arrive();
    if (rank < 64) {
      first.waitForParity(0);
    } else {
      second.waitForParity(0);
    }
    out.set(rank, values.get(127 - rank));
  }

  /** A thread waits for its own copy first, and the block on the barrier. */
  @Kernel
  static void onBarrierAndGroup(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(128);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    PipelinePrimitives.memcpyAsync(values, rank, in, 3 * rank, 4);
    PipelinePrimitives.arriveOn(barrier);
    PipelinePrimitives.commit();
    PipelinePrimitives.waitPrior(0);
    int own = values.get(rank);
    barrier.arriveAndWait();
    out.set(rank, own - values.get(127 - rank));
  }

  // --- bulk copies
  // ---------------------------------------------------------------------------------------------------

  @Kernel
  static void bulkIn(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int count) {
    SharedInts values = block.sharedInts(count);
    Barrier barrier = block.barrier();
    int rank = block.threadRank();
    for (int round = 0; round < 2; round++) {
      if (rank == 0) {
        barrier.expectBytes(4 * count);
        PtxBulkCopies.cpAsyncBulkToShared(
            values, 0, in, 16 * round, 4 * count, barrier.words(), barrier.index());
      }
      long _ = barrier.arrive();
      barrier.waitForParity(round);
      for (int i = rank; i < count; i += block.size()) {
        out.set(i, out.get(i) + values.get(i) * (i + 1));
      }
      block.sync();
    }
  }

  /** Several on one phase, whose bytes one thread expects beforehand. */
  @Kernel
  static void bulkSeveral(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(8 * 64);
    Barrier barrier = block.barrier(1);
    int rank = block.threadRank();
    if (rank == 0) {
      long _ = barrier.arriveExpecting(8 * 64 * 4);
    }
    block.sync();
    if (rank < 8) {
      PtxBulkCopies.cpAsyncBulkToShared(
          values, 256 * rank, in, 2000 * rank, 256, barrier.words(), barrier.index());
    }
    barrier.waitForParity(0);
    for (int i = rank; i < 512; i += block.size()) {
      out.set(i, values.get(i));
    }
  }

  /** Bytes are expected, and a thread says that they came. */
  @Kernel
  static void bytesByHand(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts value = block.sharedInts(1);
    Barrier barrier = block.barrier(1);
    SharedLongs words = barrier.words();
    int index = barrier.index();
    if (block.threadRank() == 0) {
      long _ = barrier.arriveExpecting(40);
      out.set(0, PtxBarriers.mbarrierTestWaitParity(words, index, 0) ? 1 : 2);
      value.set(0, in.get(9));
      Atomics.fence(Scope.BLOCK);
      PtxBarriers.mbarrierCompleteTx(words, index, 16);
      out.set(1, PtxBarriers.mbarrierTestWaitParity(words, index, 0) ? 1 : 2);
      PtxBarriers.mbarrierCompleteTx(words, index, 24);
      out.set(2, PtxBarriers.mbarrierTestWaitParity(words, index, 0) ? 1 : 2);
      out.set(3, value.get(0));
    }
  }

  /** Stored in place, and copied out in bulk, again and again from the same shared memory. */
  @Kernel
  static void bulkOut(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(256);
    int rank = block.threadRank();
    for (int round = 0; round < 4; round++) {
      for (int i = rank; i < 256; i += block.size()) {
        values.set(i, 3 * in.get(256 * round + i));
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 1024L * round, values, 0, 1024);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
    }
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  /** One arrival is missing until all have waited for a time in vain. */
  @Kernel
  static void inVain(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    Barrier barrier = block.barrier(block.size() + 1);
    int rank = block.threadRank();
    for (int round = 0; round < 4; round++) {
      int parity = round % 2;
      values.set(rank, in.get(64 * round + rank));
      long _ = barrier.arrive();
      int seen = barrier.waitForParity(parity, 1000 + in.get(rank) % 1000) ? 1 : 0;
      seen += barrier.waitForParity(parity, 0) ? 2 : 0;
      seen += barrier.waitForParity(1 - parity, 1000) ? 4 : 0;
      block.sync();
      if (rank == 0) {
        long _ = barrier.arrive();
      }
      while (!barrier.waitForParity(parity, 1_000_000)) {
        // a device may be slow
      }
      seen += barrier.hasParityEnded(parity) ? 8 : 0;
      out.set(64 * round + rank, 100 * values.get((rank + 1) % 64) + seen);
      block.sync();
    }
  }

  /** Arrivals that make nothing known, and bytes; a barrier of the block orders what is written. */
  @Kernel
  static void relaxedArrivals(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    int rank = block.threadRank();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size());
    }
    block.sync();
    values.set(rank, in.get(rank));
    long phase;
    if (rank == 0) {
      phase = PtxBarriers.mbarrierArriveExpectTxRelaxed(words, 0, 64);
    } else if (rank == 1) {
      phase = PtxBarriers.mbarrierArriveRelaxed(words, 0, 1);
    } else {
      phase = PtxBarriers.mbarrierArriveRelaxed(words, 0);
    }
    int seen = PtxBarriers.mbarrierTryWait(words, 0, phase, 1000) ? 1 : 0;
    seen += PtxBarriers.mbarrierTryWaitParity(words, 0, 0, 1000) ? 2 : 0;
    block.sync();
    if (rank == 0) {
      PtxBarriers.mbarrierCompleteTx(words, 0, 64);
    }
    while (!PtxBarriers.mbarrierTryWait(words, 0, phase, 1000)) {
      // until all bytes are there
    }
    if (rank < 8) {
      long _ = PtxBarriers.mbarrierArriveDropRelaxed(words, 0);
    } else {
      long _ = PtxBarriers.mbarrierArrive(words, 0);
      while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 1, 1000)) {
        // until all have arrived
      }
      long _ = PtxBarriers.mbarrierArriveRelaxed(words, 0);
      while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0, 1000)) {
        // until those have arrived that are left
      }
      seen += 4;
    }
    out.set(rank, 100 * values.get((rank + 1) % 64) + seen);
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
    values.set(rank, in.get(rank));
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
    out.set(rank, 100 * values.get((rank + 1) % 64) + seen);
  }
}
