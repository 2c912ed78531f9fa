package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels whose blocks wait for each other, or for somebody else. */
final class WaitingKernels {
  private WaitingKernels() {}

  /** Counts how often it looks. */
  @Kernel
  static void counts(ThreadBlock block, GlobalInts flag, GlobalInts looks) {
    int count = 0;
    while (Atomics.add(flag, 0, 0) == 0) {
      looks.set(0, ++count);
    }
  }

  /**
   * In each of some rounds a block writes a number, and reads the number that its neighbour has
   * written in that round. {@code state} is the barrier's count; {@code numbers} has two for each
   * block.
   */
  @Kernel
  static void oneThreadOfEachBlockWaits(
      ThreadBlock block, GlobalInts state, GlobalInts numbers, GlobalInts wrong, int rounds) {
    int blocks = block.gridSizeX();
    int next = (block.blockIndexX() + 1) % blocks;
    for (int round = 1; round <= rounds; round++) {
      int at = (round % 2) * blocks;
      if (block.threadIndexX() == 0) {
        Atomics.exchange(numbers, at + block.blockIndexX(), round);
        Atomics.fence(Scope.DEVICE);
        Atomics.add(state, 0, 1);
        while (Atomics.add(state, 0, 0) < blocks * round) {}
        Atomics.fence(Scope.DEVICE);
      }
      block.sync();
      if (Atomics.add(numbers, at + next, 0) != round) {
        Atomics.add(wrong, 0, 1);
      }
      block.sync(); // before its first thread says that it may be written anew
    }
  }

  /** The same, with a sleep between two looks. */
  @Kernel
  static void oneThreadOfEachBlockSleeps(
      ThreadBlock block, GlobalInts state, GlobalInts numbers, GlobalInts wrong, int rounds) {
    int blocks = block.gridSizeX();
    int next = (block.blockIndexX() + 1) % blocks;
    for (int round = 1; round <= rounds; round++) {
      int at = (round % 2) * blocks;
      if (block.threadIndexX() == 0) {
        Atomics.storeRelease(numbers, at + block.blockIndexX(), round, Scope.DEVICE);
        Atomics.fence(Scope.DEVICE);
        Atomics.add(state, 0, 1);
        while (Atomics.loadAcquire(state, 0, Scope.DEVICE) < blocks * round) {
          Ptx.nanosleep(100);
        }
      }
      block.sync();
      if (Atomics.loadAcquire(numbers, at + next, Scope.DEVICE) != round) {
        Atomics.add(wrong, 0, 1);
      }
      block.sync();
    }
  }

  private static int look(GlobalInts state) {
    return Atomics.compareAndExchange(state, 0, -1, -1);
  }

  /** The same, with each thread for itself and a loop in which another method looks. */
  @Kernel
  static void eachThreadWaits(
      ThreadBlock block, GlobalInts state, GlobalInts numbers, GlobalInts wrong, int rounds) {
    int blocks = block.gridSizeX();
    int next = (block.blockIndexX() + 1) % blocks;
    for (int round = 1; round <= rounds; round++) {
      int at = (round % 2) * blocks;
      Atomics.exchange(numbers, at + block.blockIndexX(), round);
      Atomics.fence(Scope.DEVICE);
      Atomics.add(state, 0, 1);
      do {
        Atomics.fence(Scope.DEVICE);
      } while (look(state) < blocks * block.blockSizeX() * round);
      if (Atomics.add(numbers, at + next, 0) != round) {
        Atomics.add(wrong, 0, 1);
      }
    }
  }

  /** Blocks take a lock in turns, and count under it without atomic operations. */
  @Kernel
  static void takesALock(ThreadBlock block, GlobalInts lock, GlobalInts counted, int times) {
    if (block.threadIndexX() == 0) {
      for (int i = 0; i < times; i++) {
        while (Atomics.compareAndExchange(lock, 0, 0, 1) != 0) {}
        Atomics.fence(Scope.DEVICE);
        int now = Atomics.add(counted, 0, 0);
        Atomics.exchange(counted, 0, now + 1);
        Atomics.fence(Scope.DEVICE);
        Atomics.exchange(lock, 0, 0);
      }
    }
  }

  /** Each block but the last one waits as a whole for the next one: one thread looks for all. */
  @Kernel
  static void blocksWaitForTheNext(ThreadBlock block, GlobalInts flags) {
    SharedInts seen = block.sharedInts(1);
    int next = block.blockIndexX() + 1;
    boolean waits = next < block.gridSizeX();
    while (waits) {
      if (block.threadIndexX() == 0) {
        seen.set(0, Atomics.loadAcquire(flags, next, Scope.DEVICE));
      }
      block.sync();
      waits = seen.get(0) == 0;
      block.sync();
    }
    if (block.threadIndexX() == 0) {
      Atomics.storeRelease(flags, block.blockIndexX(), 1, Scope.DEVICE);
    }
  }

  /** The first block gets past many barriers before it does what the others wait for. */
  @Kernel
  static void oneBlockComputesLong(
      ThreadBlock block, GlobalInts flag, GlobalInts out, int barriers) {
    SharedInts sums = block.sharedInts(32);
    int me = block.threadIndexX();
    if (block.blockIndexX() == 0) {
      sums.set(me, me);
      block.sync();
      for (int i = 0; i < barriers; i++) {
        int next = sums.get((me + 1) % 32);
        block.sync();
        sums.set(me, next);
        block.sync();
      }
      if (me == 0) {
        out.set(0, sums.get(0));
        Atomics.storeRelease(flag, 0, 1, Scope.DEVICE);
      }
    } else {
      while (Atomics.loadAcquire(flag, 0, Scope.DEVICE) == 0) {}
      Atomics.add(out, 1, out.get(0));
    }
  }

  /** The lanes of a warp agree on whether one of them has seen a flag, again and again. */
  @Kernel
  static void lanesAskTheFirst(ThreadBlock block, GlobalInts flag, GlobalInts out) {
    int seen = 0;
    while (seen == 0) {
      if (block.threadIndexX() == 0) {
        seen = Atomics.loadAcquire(flag, 0, Scope.DEVICE);
      }
      seen = block.warp().shuffle(seen, 0);
    }
    Atomics.add(out, 0, seen);
  }

  /** Waits until a flag has a value, and says so. */
  @Kernel
  static void waitsFor(ThreadBlock block, GlobalInts flag, int value, GlobalInts out) {
    while (Atomics.loadAcquire(flag, 0, Scope.DEVICE) != value) {}
    Atomics.add(out, 0, 1);
  }

  /** Sets a flag. */
  @Kernel
  static void sets(ThreadBlock block, GlobalInts flag, int value) {
    if (block.threadIndexX() == 0) {
      Atomics.storeRelease(flag, 0, value, Scope.DEVICE);
    }
  }

  /** Two kernels that give each other the turn, each so often. */
  @Kernel
  static void takesTurns(ThreadBlock block, GlobalInts turn, int mine, int times) {
    for (int i = 0; i < times; i++) {
      while (Atomics.loadAcquire(turn, 0, Scope.DEVICE) != 2 * i + mine) {}
      Atomics.storeRelease(turn, 0, 2 * i + mine + 1, Scope.DEVICE);
    }
  }

  /** Each thread takes numbers, and writes down which thread had them. */
  @Kernel
  static void leavesATrace(ThreadBlock block, GlobalInts count, GlobalInts trace) {
    for (int i = 0; i < 2; i++) {
      int at = Atomics.add(count, 0, 1);
      trace.set(at, (int) block.globalIndexX());
    }
  }

  /** The same, with a barrier in it. */
  @Kernel
  static void leavesATraceAroundABarrier(ThreadBlock block, GlobalInts count, GlobalInts trace) {
    trace.set(Atomics.add(count, 0, 1), (int) block.globalIndexX());
    block.sync();
    trace.set(Atomics.add(count, 0, 1), (int) block.globalIndexX());
  }

  /** Whoever is last wins. */
  @Kernel
  static void overwrites(ThreadBlock block, GlobalInts out) {
    Atomics.exchange(out, 0, (int) block.globalIndexX());
  }

  /** Leaves zeros where there were other numbers than 1. */
  @Kernel
  static void dividesInPlace(ThreadBlock block, GlobalInts x) {
    long i = block.globalIndexX();
    x.set(i, 1 / x.get(i));
  }
}
