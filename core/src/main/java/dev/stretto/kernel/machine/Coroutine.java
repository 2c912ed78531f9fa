package dev.stretto.kernel.machine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a cluster on a virtual device whose threads wait for each other, as what it waits
 * for sees it. Of a cluster's coroutines exactly one runs at a time, until it waits or returns and
 * gives the turn to another one. What they share needs no lock therefore.
 */
public abstract class Coroutine {
  /** Gives the coroutines of a cluster their turns. */
  interface Turns {
    /** The thread that has the turn. */
    Coroutine running();

    /** A thread has got the turn. */
    void runs(Coroutine thread);

    /** A thread waits until another one calls {@link #ready}. */
    void wait(Coroutine thread);

    /** A thread that waits can go on. */
    void ready(Coroutine thread);

    /** A thread lets others go on before it asks again. */
    void poll(Coroutine thread);

    /** Whether the threads have to end where they are. */
    boolean isOver();

    /** Whether mistakes are looked for whose search takes its time. */
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
   * A thread.
   *
   * @param rank its number among all threads of the cluster
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

  /** The thread that calls, or null if that is none of a block. */
  static @Nullable Coroutine currentOrNull() {
    return CURRENT.get();
  }

  /** The thread that calls, which an instruction needs. */
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

  /** What it does from its first turn on. */
  abstract void live();

  /** What threads of its cluster know of each other. */
  abstract HappensBefore order();

  /** Looks for accesses to shared memory that are in no order with a copy. */
  abstract SharedRaceDetector races();

  /** The shared memory of its block. */
  abstract BlockMemory memory();

  /** In which round of its copies it is. */
  abstract CopyRounds copies();

  /** Its number among all threads of its cluster, which is mostly its block. */
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

  /** What it waits for, in the words of a report; null if it can go on. */
  final @Nullable String waitsFor() {
    return waitsFor == null ? null : waitsFor.get();
  }

  final boolean isWaiting() {
    return waitsFor != null;
  }

  /** Waits until somebody says that this thread can go on, which is not before it has said so. */
  final void await(Supplier<String> what) {
    waitsFor = what;
    turns.wait(this);
  }

  /** Lets others go on before it asks again for what has not happened yet. */
  final void poll(Supplier<String> what) {
    waitsFor = what;
    turns.poll(this);
    waitsFor = null;
  }

  /** It can go on. */
  final void goOn() {
    waitsFor = null;
    turns.ready(this);
  }

  /** Gets the turn, from the thread that has it. */
  final void giveTurn() {
    hasTurn = true;
    if (started) {
      LockSupport.unpark(carrier);
    } else {
      started = true;
      carrier.start();
    }
  }

  /** Keeps the turn, and does nothing for a while. */
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

  /** Wakes it up to see that the block is over. */
  final void wake() {
    LockSupport.unpark(carrier);
  }

  /** Whether it has had a turn. */
  final boolean hasBegun() {
    return started;
  }

  /** Waits until it has ended; nothing if it never began. */
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
