package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels whose blocks wait for other blocks of the same launch: for ones that may not have begun,
 * and for ones that have.
 */
final class WaitingBlocks {
  private WaitingBlocks() {}

  // --- right in cooperative launches only

  /** Each block but the last one waits for the next one. */
  @Kernel
  static void waitForTheNext(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    int me = block.blockIndexX();
    if (me + 1 < block.gridSizeX()) {
      while (Atomics.loadAcquire(flags, me + 1, Scope.DEVICE) == 0) {
        Ptx.nanosleep(100);
      }
    }
    Atomics.add(out, 0, 1);
    block.sync();
    Atomics.storeRelease(flags, me, 1, Scope.DEVICE);
  }

  /** Each block but the first one waits for the one before. */
  @Kernel
  static void waitForTheOneBefore(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    int me = block.blockIndexX();
    if (me > 0) {
      while (Atomics.loadAcquire(flags, me - 1, Scope.DEVICE) == 0) {}
    }
    Atomics.add(out, 0, 1);
    block.sync();
    Atomics.storeRelease(flags, me, 1, Scope.DEVICE);
  }

  private static int look(GlobalInts flags) {
    return Atomics.compareAndExchange(flags, 0, -1, -1);
  }

  /** A barrier of the whole grid by hand, at which one thread of each block looks. */
  @Kernel
  static void barrierByHand(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    if (block.threadIndexX() == 0) {
      Atomics.fence(Scope.DEVICE);
      Atomics.add(flags, 0, 1);
      do {
        Atomics.fence(Scope.DEVICE);
      } while (look(flags) < block.gridSizeX());
    }
    block.sync();
    Atomics.add(out, 0, 1);
  }

  /** The same, with barriers of the block between two looks. */
  @Kernel
  static void barrierByAllThreads(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    SharedInts seen = block.sharedInts(1);
    block.sync();
    if (block.threadIndexX() == 0) {
      Atomics.add(flags, 0, 1);
    }
    boolean waits = true;
    while (waits) {
      if (block.threadIndexX() == 0) {
        seen.set(0, Atomics.add(flags, 0, 0));
      }
      block.sync();
      waits = seen.get(0) < block.gridSizeX();
      block.sync();
    }
    Atomics.add(out, 0, 1);
  }

  // --- right in any launch

  /** Blocks number themselves as they begin, and wait for lower numbers only. */
  @Kernel
  static void lookBack(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    SharedInts ticket = block.sharedInts(1);
    if (block.threadIndexX() == 0) {
      int mine = Atomics.add(flags, 0, 1);
      ticket.set(0, mine);
      if (mine > 0) {
        while (Atomics.loadAcquire(flags, mine, Scope.DEVICE) == 0) {}
      }
    }
    block.sync();
    Atomics.add(out, 0, 1);
    block.sync();
    if (block.threadIndexX() == 0) {
      Atomics.storeRelease(flags, ticket.get(0) + 1, 1, Scope.DEVICE);
    }
  }

  /** The last block to come has all sums. */
  @Kernel
  static void lastBlockDone(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    Atomics.add(flags, 1, 1);
    Atomics.fence(Scope.DEVICE);
    block.sync();
    if (block.threadIndexX() == 0 && Atomics.add(flags, 0, 1) == block.gridSizeX() - 1) {
      Atomics.fence(Scope.DEVICE);
      Atomics.add(out, 0, Atomics.add(flags, 1, 0));
    }
  }

  /** Blocks take a lock in turns. */
  @Kernel
  static void lock(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    for (int i = 0; i < block.blockSizeX(); i++) {
      if (block.threadIndexX() == i) {
        while (Atomics.compareAndExchange(flags, 0, 0, 1) != 0) {}
        Atomics.fence(Scope.DEVICE);
        Atomics.exchange(out, 0, Atomics.add(out, 0, 0) + 1);
        Atomics.fence(Scope.DEVICE);
        Atomics.exchange(flags, 0, 0);
      }
      block.sync();
    }
  }

  /** Blocks take a lock in the order in which they came. */
  @Kernel
  static void lockWithTickets(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    if (block.threadIndexX() == 0) {
      int mine = Atomics.add(flags, 0, 1);
      while (Atomics.loadAcquire(flags, 1, Scope.DEVICE) != mine) {}
      Atomics.exchange(out, 0, Atomics.add(out, 0, 0) + block.blockSizeX());
      Atomics.fence(Scope.DEVICE);
      Atomics.add(flags, 1, 1);
    }
  }

  /** Who comes first prepares something for all others. */
  @Kernel
  static void firstPrepares(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    if (block.threadIndexX() == 0) {
      if (Atomics.compareAndExchange(flags, 0, 0, 1) == 0) {
        Atomics.add(flags, 2, 1);
        Atomics.storeRelease(flags, 1, 1, Scope.DEVICE);
      }
      while (Atomics.loadAcquire(flags, 1, Scope.DEVICE) == 0) {}
    }
    block.sync();
    Atomics.add(out, 0, Atomics.add(flags, 2, 0));
  }

  /** Threads search, until one of them has found something. */
  @Kernel
  static void search(ThreadBlock block, GlobalInts flags, GlobalInts out) {
    int last = block.gridSizeX() * block.blockSizeX() - 1;
    int wanted = block.blockIndexX() == block.gridSizeX() - 1 ? 3 : last + 90;
    for (int i = 0; i < 100; i++) {
      if (Atomics.loadAcquire(flags, 0, Scope.DEVICE) != 0) {
        break;
      }
      if ((int) block.globalIndexX() + i == wanted) {
        Atomics.storeRelease(flags, 0, 1, Scope.DEVICE);
      }
    }
    Atomics.add(out, 0, 1);
  }
}
