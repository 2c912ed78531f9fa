package dev.stretto.kernel.machine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a cluster on a virtual device, in a kernel whose threads wait for each other. This
 * class is all that barriers and the like know of a thread that waits for them. Exactly one
 * coroutine of a cluster runs at a time. It runs until it waits or returns, and then gives the turn
 * to another one. State that coroutines share therefore needs no lock.
 */
public abstract class Coroutine {
  /** Gives the coroutines of a cluster their turns. */
  interface Turns {
    /** The thread that has the turn. */
    Coroutine running();

    /** Called when a thread has got the turn. */
    void runs(Coroutine thread);

    /** Makes a thread wait until another one calls {@link #ready}. */
    void wait(Coroutine thread);

    /** Called when a waiting thread can go on. */
    void ready(Coroutine thread);

    /** Lets other threads run before a thread polls again. */
    void poll(Coroutine thread);

    /** Whether the threads have to end wherever they are. */
    boolean isOver();

    /** Whether to make checks that take a long time. */
    boolean looksCloser();
  }

  private static final ThreadLocal<@Nullable Coroutine> CURRENT = new ThreadLocal<>();

  private final Turns turns;
  private final int rank;
  private final int rankInBlock;
  private final Thread carrier;
  private volatile boolean hasTurn;
  private boolean started;
  private @Nullable Supplier<String> waitsFor;

  /**
   * Creates a thread.
   *
   * @param rank the thread's number among all threads of the cluster
   */
  Coroutine(Turns turns, int rank, int rankInBlock) {
    this.turns = turns;
    this.rank = rank;
    this.rankInBlock = rankInBlock;
    this.carrier =
        Thread.ofVirtual()
            .name("stretto-device-thread-" + rank)
            .inheritInheritableThreadLocals(false)
            .unstarted(this::begin);
  }

  /** The calling thread, or null if it is not a thread of a block. */
  static @Nullable Coroutine currentOrNull() {
    return CURRENT.get();
  }

  /** The calling thread, which has to be a thread of a block. */
  static Coroutine current(String what) {
    Coroutine thread = CURRENT.get();
    if (thread == null) {
      throw new IllegalStateException(what + " is for kernels, and needs the threads of a block");
    }
    return thread;
  }

  private void begin() {
    CURRENT.set(this);
    live();
  }

  /** Runs the thread from its first turn on. */
  abstract void live();

  /** The happens-before order of the cluster's threads. */
  abstract HappensBefore order();

  /** The detector of shared-memory accesses that are not ordered with a copy. */
  abstract SharedRaceDetector races();

  /** The shared memory of the thread's block. */
  abstract BlockMemory memory();

  /** The rounds of the thread's copies. */
  abstract CopyRounds copies();

  /** The thread's number among all threads of its cluster, which usually is a single block. */
  final int rank() {
    return rank;
  }

  final int rankInBlock() {
    return rankInBlock;
  }

  public final int lane() {
    return rankInBlock % 32;
  }

  final boolean looksCloser() {
    return turns.looksCloser();
  }

  /** Describes in a report why the thread waits; null if it can go on. */
  final @Nullable String waitsFor() {
    return waitsFor == null ? null : waitsFor.get();
  }

  final boolean isWaiting() {
    return waitsFor != null;
  }

  /** Waits until another thread calls {@link #goOn}. No thread does so before this one waits. */
  final void await(Supplier<String> what) {
    waitsFor = what;
    turns.wait(this);
  }

  /** Lets other threads run before this one polls again for something that has not happened yet. */
  final void poll(Supplier<String> what) {
    waitsFor = what;
    turns.poll(this);
    waitsFor = null;
  }

  /** Lets the thread go on. */
  final void goOn() {
    waitsFor = null;
    turns.ready(this);
  }

  /** Gives this thread the turn. The thread that has the turn calls this. */
  final void giveTurn() {
    hasTurn = true;
    if (started) {
      LockSupport.unpark(carrier);
    } else {
      started = true;
      carrier.start();
    }
  }

  /** Keeps the turn and parks for a while. */
  final void pause(long nanos) {
    if (!turns.isOver()) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Waits for the turn. */
  final void awaitTurn() {
    while (!hasTurn && !turns.isOver()) {
      LockSupport.park(this);
    }
    hasTurn = false;
    turns.runs(this);
  }

  /** Wakes the thread so that it sees that the cluster is over. */
  final void wake() {
    LockSupport.unpark(carrier);
  }

  /** Whether the thread has had a turn. */
  final boolean hasBegun() {
    return started;
  }

  /** Waits until the thread has ended; returns at once if it never began. */
  final void join() throws InterruptedException {
    if (started) {
      carrier.join();
    }
  }

  final StackTraceElement[] stack() {
    return carrier.getStackTrace();
  }

  @Override
  public final String toString() {
    return "thread " + rank;
  }
}
