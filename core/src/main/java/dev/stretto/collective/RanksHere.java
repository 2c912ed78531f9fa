package dev.stretto.collective;

import dev.stretto.route.ProgramLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The ranks of one communicator that are in this process. There are several where it has several
 * GPUs, and then NCCL ties them together in two ways:
 *
 * <ul>
 *   <li>The last one to be destroyed gives back what all of them have, so none may give up its
 *       device's context before.
 *   <li>To give back memory waits for the kernels of the device, and keeps other threads from
 *       launching meanwhile. If such a kernel waits for another rank of this process, whose kernel
 *       is not launched yet, no one ever goes on. So ranks {@linkplain #end end} while no operation
 *       of such ranks is under way, and operations {@linkplain #awaitNoEnd wait} meanwhile.
 * </ul>
 */
final class RanksHere {
  /** Longer than giving back takes. Then it waits for something else, such as a graph's end. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After so long a wait for a quiet moment is told. */
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String STILL_KEPT =
      "NCCL keeps the memory of a closed communicator or window: for 5 s operations of ranks that"
          + " share this process have been under way without a pause, and giving it back could keep"
          + " one of them from being launched; await all of them at some time";

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Condition ENDED = LOCK.newCondition();

  /** By communicator; guarded by the lock. */
  private static final Map<String, RanksHere> ALL = new HashMap<>();

  /** When those that are under way began; guarded by the lock. */
  private static final List<Long> ENDS = new ArrayList<>();

  /** Whether there are any: looking at them costs more than an operation may. */
  private static volatile boolean isEnding;

  private final String communicator;

  /** Whether a rank has operations under way; guarded by the lock. */
  private final List<BooleanSupplier> ranks = new ArrayList<>();

  /** What gives up the contexts of those that have ended; guarded by the lock. */
  private final List<Runnable> contexts = new ArrayList<>();

  /** How many have not ended; guarded by the lock. */
  private int count;

  private volatile boolean areSeveral;

  private RanksHere(String communicator) {
    this.communicator = communicator;
  }

  /** Notes one more rank, before it joins. */
  static RanksHere enter(String communicator) {
    LOCK.lock();
    try {
      RanksHere here = ALL.computeIfAbsent(communicator, RanksHere::new);
      here.count++;
      here.areSeveral |= here.count > 1;
      return here;
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * Notes that a rank has joined.
   *
   * @param isUnderWay whether it has operations under way
   */
  void joined(BooleanSupplier isUnderWay) {
    LOCK.lock();
    try {
      ranks.add(isUnderWay);
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * Notes that a rank has ended.
   *
   * @param context gives up its device's context, once no other rank needs it
   */
  void leave(Runnable context) {
    List<Runnable> all = new ArrayList<>();
    LOCK.lock();
    try {
      contexts.add(context);
      count--;
      if (count == 0) {
        all.addAll(contexts);
        ALL.remove(communicator);
      }
    } finally {
      LOCK.unlock();
    }
    all.forEach(Runnable::run);
  }

  /**
   * Waits while ranks of this process give back memory. After an operation has been noted as one
   * that is under way, and before it is enqueued.
   */
  void awaitNoEnd() {
    if (areSeveral && isEnding) {
      awaitEnds();
    }
  }

  private static void awaitEnds() {
    boolean isInterrupted = false;
    LOCK.lock();
    try {
      for (long left = untilNoEnd(); left > 0; left = untilNoEnd()) {
        try {
          long _ = ENDED.awaitNanos(left);
        } catch (InterruptedException _) {
          isInterrupted = true;
        }
      }
    } finally {
      LOCK.unlock();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static long untilNoEnd() {
    long now = System.nanoTime();
    return ENDS.stream().mapToLong(begin -> begin + END_NANOS - now).max().orElse(0);
  }

  /**
   * Makes calls that give back memory at a moment when no operation of several ranks in this
   * process is under way.
   *
   * @param atMost so many nanoseconds are waited for that
   */
  static void end(Runnable calls, long atMost) {
    Long begin = begin(System.nanoTime(), atMost);
    try {
      calls.run();
    } finally {
      over(begin);
    }
  }

  private static Long begin(long first, long atMost) {
    boolean isTold = false;
    while (true) {
      Long begin = System.nanoTime();
      LOCK.lock();
      try {
        ENDS.add(begin); // first, so that an operation that is not seen below waits
        isEnding = true;
      } finally {
        LOCK.unlock();
      }
      if (isQuiet() || begin - first > atMost) {
        return begin;
      }
      over(begin);
      if (!isTold && begin - first > TOLD_NANOS) {
        ProgramLog.warn(STILL_KEPT, null);
        isTold = true;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static void over(Long begin) {
    LOCK.lock();
    try {
      boolean _ = ENDS.remove(begin);
      isEnding = !ENDS.isEmpty();
      ENDED.signalAll();
    } finally {
      LOCK.unlock();
    }
  }

  private static boolean isQuiet() {
    List<BooleanSupplier> all = new ArrayList<>();
    LOCK.lock();
    try {
      ALL.values().stream().filter(each -> each.areSeveral).forEach(each -> all.addAll(each.ranks));
    } finally {
      LOCK.unlock();
    }
    return all.stream().noneMatch(BooleanSupplier::getAsBoolean);
  }
}
