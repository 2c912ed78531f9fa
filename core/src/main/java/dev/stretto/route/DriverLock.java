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
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lock that guards the queues of all devices of one driver. They share it because their streams
 * can wait for each other.
 *
 * <p>The order of locks. A thread that holds a lock may take only locks further down:
 *
 * <ol>
 *   <li>locks of the program, and monitors of objects that the program uses: a graph, a launch, a
 *       collective, an arena, a scope, a flow, a timeline, a diagnosis;
 *   <li>this lock; never the locks of two drivers at once;
 *   <li>monitors of the route's own lists ({@link Resource}, {@link Pinned}, {@link PinnedRanges},
 *       {@link PinnedLeases}, {@link FaultRecords}, {@link Loss}, {@link ToHost}, {@link
 *       Transfer}'s, {@link Peers}'): they are held for a few lines, which take no lock with a
 *       lower number;
 *   <li>locks of a driver.
 * </ol>
 *
 * <p>The program's code (callbacks, observers, loggers, executors, actions on the release of
 * memory) is called with no lock of 2 to 4 held, and observers with none of 1 either ({@link
 * Reports}). If assertions are enabled, {@link #assertHeld} and {@link #assertNoneHeld} check this.
 *
 * <p>For a seeded driver, the lock also knows which thread is in the middle of a step, and which
 * work is in progress that no step brings about. A wait ends as a deadlock only if there is
 * neither.
 */
public final class DriverLock {
  private final Map<Thread, Integer> stepping = new ConcurrentHashMap<>();
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final Set<BooleanSupplier> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicLong news = new AtomicLong();
  private final ArrayDeque<Runnable> handOvers = new ArrayDeque<>();
  private boolean handingOver;
  private final List<LongPredicate> strangers = new CopyOnWriteArrayList<>();
  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();
  private final Crowd crowd = new Crowd();

  /** All locks. */
  private static final Set<DriverLock> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  DriverLock() {
    ALL.add(this);
  }

  /** {@return whether several threads enqueue; guarded by this lock} */
  Crowd crowd() {
    return crowd;
  }

  /** Asserts that the calling thread holds this lock. */
  void assertHeld() {
    assert Thread.holdsLock(this) : "the driver's lock guards what is read or changed here";
  }

  /**
   * Asserts that the calling thread holds no driver's lock.
   *
   * @param what the thread is about to do, as a clause
   */
  public static void assertNoneHeld(String what) {
    assert !isAnyHeld() : "the thread holds a driver's lock while " + what;
  }

  /** {@return whether the calling thread holds any driver's lock} */
  static boolean isAnyHeld() {
    synchronized (ALL) {
      return ALL.stream().anyMatch(Thread::holdsLock);
    }
  }

  /**
   * Runs an action that lets another stream go on, after the actions of this kind that are already
   * running. Two streams may let each other go on thousands of times, and that must not become
   * thousands of nested calls. Called with the lock held.
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
   * Notes that the calling thread begins to step the driver. A step may run a task, and a task may
   * be any code. So no thread steps with the lock held, in the middle of a change.
   */
  void beginStep() {
    assert !Thread.holdsLock(this)
        : "a step may run the program's code, so it must not run with the lock held";
    stepping.merge(Thread.currentThread(), 1, Integer::sum);
  }

  /** Notes that the calling thread has stepped the driver. */
  void endStep() {
    stepping.computeIfPresent(
        Thread.currentThread(), (thread, steps) -> steps == 1 ? null : steps - 1);
    news.incrementAndGet();
  }

  /** Notes the begin of work on which streams of this driver wait and that no step brings about. */
  void beginElsewhere() {
    elsewhere.incrementAndGet();
    news.incrementAndGet(); // for who looks at one count before this and at another after it
  }

  /** Notes the end of such work; its consequences have been handed over. */
  void endElsewhere() {
    news.incrementAndGet();
    elsewhere.decrementAndGet();
  }

  /**
   * Notes that such work begins to wait for work of this driver.
   *
   * @param isOver whether what it waits for has happened
   */
  void waitsElsewhere(BooleanSupplier isOver) {
    waiting.add(isOver);
    endElsewhere();
  }

  /** Notes that its wait is over. */
  void waitedElsewhere(BooleanSupplier isOver) {
    beginElsewhere();
    waiting.remove(isOver);
  }

  /**
   * Notes that a stream of this driver begins to wait for a stream of another driver.
   *
   * @param step steps the other driver if it is a seeded one; else null
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

  /** Notes that the calling thread is about to park until work of the driver is done. */
  void parks() {
    parked.add(Thread.currentThread());
  }

  /** Notes that the calling thread no longer parks. */
  void wakes() {
    parked.remove(Thread.currentThread());
  }

  /** Whether streams of this driver wait for a seeded device of another one. */
  boolean awaitsSeededStranger() {
    return !strangers.isEmpty();
  }

  /** Notes that a wait for another driver is over. */
  void strangerArrived(@Nullable LongPredicate step) {
    endElsewhere();
    if (step != null) {
      strangers.remove(step);
    }
  }

  /** Steps seeded devices of other drivers for which streams of this driver wait. */
  boolean stepStrangers(long deadline) {
    boolean any = false;
    for (LongPredicate stranger : strangers) {
      any |= stranger.test(deadline);
    }
    return any;
  }

  /** {@return a count of finished steps and other work} If it changes, there may be more to do. */
  long news() {
    return news.get();
  }

  /** Whether work is in progress that other threads do. */
  boolean isBusyElsewhere() {
    return elsewhere.get() > 0 || isSteppedElsewhere() || isAnyAboutToGoOn();
  }

  /** Whether work elsewhere has what it waits for, and its thread has not noticed that yet. */
  private boolean isAnyAboutToGoOn() {
    for (BooleanSupplier isOver : waiting) {
      if (isOver.getAsBoolean()) {
        return true;
      }
    }
    return false;
  }

  /** Whether another thread is in the middle of a step. */
  boolean isSteppedElsewhere() {
    int own = stepping.containsKey(Thread.currentThread()) ? 1 : 0;
    return stepping.size() > own;
  }
}
