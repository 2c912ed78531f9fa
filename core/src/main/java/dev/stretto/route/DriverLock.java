package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lock that guards the queues of all devices of one driver, so that their streams can wait for
 * each other.
 *
 * <p>The order of locks, in which a thread may take one while it holds another:
 *
 * <ol>
 *   <li>locks of the program, and monitors of what the program uses: a graph, a launch, a
 *       collective, an arena, a scope, a flow, a timeline, a diagnosis;
 *   <li>this lock; of two drivers, never both at once;
 *   <li>monitors of the route's own lists ({@link Resource}, {@link Pinned}, {@link PinnedRanges},
 *       {@link PinnedLeases}, {@link FaultRecords}, {@link Loss}, {@link ToHost}, {@link
 *       Transfer}'s, {@link Peers}'): they are held for a few lines, and none of those takes any
 *       lock of a lower number;
 *   <li>locks of a driver.
 * </ol>
 *
 * <p>The program's code (callbacks, observers, loggers, executors, what is to run when memory is
 * released) is called with none of 2 to 4 held, and observers with none of 1 either ({@link
 * Reports}). Where assertions are on, {@link #assertHeld} and {@link #assertNoneHeld} see to it.
 *
 * <p>For a seeded driver it also knows who is in the middle of a step, and what is under way that
 * no step brings about: a wait ends as a deadlock only if there is nothing of the kind.
 */
public final class DriverLock {
  private final Map<Thread, Integer> stepping = new ConcurrentHashMap<>();
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final AtomicLong news = new AtomicLong();
  private final ArrayDeque<Runnable> handOvers = new ArrayDeque<>();
  private boolean handingOver;
  private final List<LongPredicate> strangers = new CopyOnWriteArrayList<>();
  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

  /** All locks. */
  private static final Set<DriverLock> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  DriverLock() {
    ALL.add(this);
  }

  /** Sees to it that the calling thread has this lock. */
  void assertHeld() {
    assert Thread.holdsLock(this) : "what is read or changed here is guarded by the driver's lock";
  }

  /**
   * Sees to it that the calling thread has no driver's lock.
   *
   * @param what it is about to do
   */
  public static void assertNoneHeld(String what) {
    assert !isAnyHeld() : "the thread holds a driver's lock while " + what;
  }

  /** {@return whether the calling thread has any driver's lock} */
  static boolean isAnyHeld() {
    synchronized (ALL) {
      return ALL.stream().anyMatch(Thread::holdsLock);
    }
  }

  /**
   * Runs what lets another stream go on, after everything of the kind that is being run: one stream
   * lets the next go on and that one the first, thousands of times, which must not be thousands of
   * calls deep. Called by whoever holds the lock.
   */
  void handOver(Runnable action) {
    handOvers.add(action);
    if (handingOver) {
      return;
    }
    handingOver = true;
    try {
      for (Runnable next = handOvers.poll(); next != null; next = handOvers.poll()) {
        next.run();
      }
    } finally {
      handingOver = false;
    }
  }

  /**
   * The calling thread begins to step the driver. A step may be a task, and a task may be anything:
   * so nobody steps with the lock held, in the middle of a change of what it guards.
   */
  void beginStep() {
    assert !Thread.holdsLock(this) : "a step may run code of the program's, so none is taken here";
    stepping.merge(Thread.currentThread(), 1, Integer::sum);
  }

  /** The calling thread has stepped the driver. */
  void endStep() {
    stepping.computeIfPresent(
        Thread.currentThread(), (thread, steps) -> steps == 1 ? null : steps - 1);
    news.incrementAndGet();
  }

  /** Something begins on which streams of this driver wait and that steps do not bring about. */
  void beginElsewhere() {
    elsewhere.incrementAndGet();
  }

  /** That is over, and what came of it has been handed over. */
  void endElsewhere() {
    news.incrementAndGet();
    elsewhere.decrementAndGet();
  }

  /**
   * A stream of this driver begins to wait for one of another driver.
   *
   * @param step lets something happen there, if that driver is a seeded one; else null
   */
  void awaitStranger(@Nullable LongPredicate step) {
    if (step != null) {
      strangers.add(step);
    }
    beginElsewhere();
    if (step != null) {
      parked.forEach(LockSupport::unpark); // one of them has to step it
    }
  }

  /** The calling thread may be parked until something of the driver's is done. */
  void parks() {
    parked.add(Thread.currentThread());
  }

  /** It is not any more. */
  void wakes() {
    parked.remove(Thread.currentThread());
  }

  /** Whether streams of this driver wait for a seeded device of another one. */
  boolean awaitsSeededStranger() {
    return !strangers.isEmpty();
  }

  /** That wait is over. */
  void strangerArrived(@Nullable LongPredicate step) {
    endElsewhere();
    if (step != null) {
      strangers.remove(step);
    }
  }

  /** Lets seeded devices of other drivers advance for which streams of this one wait. */
  boolean stepStrangers(long deadline) {
    boolean any = false;
    for (LongPredicate stranger : strangers) {
      any |= stranger.test(deadline);
    }
    return any;
  }

  /** How many steps and other things are over; if it has changed, there may be more to do. */
  long news() {
    return news.get();
  }

  /** Whether something is under way that the calling thread does not do itself. */
  boolean isBusyElsewhere() {
    return elsewhere.get() > 0 || isSteppedElsewhere();
  }

  /** Whether another thread is in the middle of a step. */
  boolean isSteppedElsewhere() {
    int own = stepping.containsKey(Thread.currentThread()) ? 1 : 0;
    return stepping.size() > own;
  }
}
