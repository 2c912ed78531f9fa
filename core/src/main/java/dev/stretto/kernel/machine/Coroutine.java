package dev.stretto.kernel.machine;

import java.util.Objects;
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

  /** Says which coroutine a thread of the JVM runs at the moment. */
  static final class Seat {
    @Nullable Coroutine taken;
  }

  private static final CallPath NOWHERE = CallPath.of(new StackTraceElement[0]);

  private static final ThreadLocal<Seat> SEAT = ThreadLocal.withInitial(Seat::new);

  private final Turns turns;
  private final int rank;
  private final int rankInBlock;
  private final @Nullable Carrier carrier;
  private @Nullable Supplier<String> waitsFor;
  private @Nullable Object unfinished;
  private @Nullable Object takenUp;
  private boolean leftOff;
  private CallPath place = NOWHERE;

  /**
   * Creates a thread.
   *
   * @param rank the thread's number among all threads of the cluster
   * @param carried whether it has a thread of the JVM. Otherwise its code is left off where it has
   *     to wait: see {@link #leavesOff}.
   */
  Coroutine(Turns turns, int rank, int rankInBlock, boolean carried) {
    this.turns = turns;
    this.rank = rank;
    this.rankInBlock = rankInBlock;
    this.carrier = carried ? new Carrier("stretto-device-thread-" + rank, this::begin) : null;
  }

  /** The seat of the calling thread. */
  static Seat seat() {
    return SEAT.get();
  }

  /** The calling thread, or null if it is not a thread of a block. */
  static @Nullable Coroutine currentOrNull() {
    return SEAT.get().taken;
  }

  /** The calling thread, which has to be a thread of a block. */
  static Coroutine current(String what) {
    Coroutine thread = SEAT.get().taken;
    if (thread == null) {
      throw new IllegalStateException(what + " is for kernels, and needs the threads of a block");
    }
    return thread;
  }

  private void begin() {
    SEAT.get().taken = this;
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

  /** The thread's modelled time. */
  abstract ThreadTime time();

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

  /**
   * Waits until another thread calls {@link #goOn}. No thread does so before this one waits. Only a
   * thread that is carried can do it.
   */
  final void await(Supplier<String> what) {
    if (carrier == null) {
      throw new AssertionError("a thread without a carrier waits for " + what.get());
    }
    waitsFor = what;
    turns.wait(this);
  }

  /**
   * Waits until another thread calls {@link #goOn}, if the thread is carried. If it is not, this
   * returns true at once, and the caller has to return as well, with any result. When the thread
   * can go on, the same method is called again, and {@link #takesUp} then gives what was left.
   *
   * @param unfinished what the method needs to go on
   */
  final boolean leavesOff(Object unfinished, Supplier<String> what) {
    waitsFor = what;
    turns.wait(this);
    return leavesOff(unfinished);
  }

  /** The same, but the thread goes on as soon as others have run, as if it asked again. */
  final boolean leavesOffForOthers(Object unfinished, Supplier<String> what) {
    waitsFor = what;
    turns.poll(this);
    if (carrier != null) {
      waitsFor = null;
    }
    return leavesOff(unfinished);
  }

  private boolean leavesOff(Object toTakeUp) {
    if (carrier != null) {
      return false;
    }
    unfinished = toTakeUp;
    leftOff = true;
    return true;
  }

  /**
   * What the thread has left off and now takes up again, or null if it calls for the first time.
   */
  final <T> @Nullable T takesUp(Class<T> kind) {
    Object left = takenUp;
    if (!kind.isInstance(left)) {
      return null;
    }
    takenUp = null;
    return kind.cast(left);
  }

  /** {@return whether the thread takes a call up again in which it has left off} */
  public final boolean isTakingUp() {
    return takenUp != null;
  }

  /**
   * Prepares for a call in which the thread may leave off.
   *
   * @param again whether it left off in this call before
   */
  final void calls(boolean again) {
    leftOff = false;
    takenUp = again ? unfinished : null;
    unfinished = null;
    waitsFor = null;
  }

  /** {@return whether the thread has left off in the last call, so that it gets no result} */
  public final boolean hasLeftOff() {
    return leftOff;
  }

  /** Lets the thread go on. */
  final void goOn() {
    waitsFor = null;
    turns.ready(this);
  }

  private Carrier carrier() {
    return Objects.requireNonNull(carrier, "the thread that carries a coroutine");
  }

  /** Gives this thread the turn. The thread that has the turn calls this. */
  final void giveTurn() {
    carrier().giveTurn();
  }

  /** Keeps the turn and parks for a while. */
  final void pause(long nanos) {
    if (!turns.isOver()) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Waits for the turn. */
  final void awaitTurn() {
    carrier().awaitTurn(turns::isOver);
    turns.runs(this);
  }

  /** Wakes the thread so that it sees that the cluster is over. */
  final void wake() {
    carrier().wake();
  }

  /** Whether the thread has had a turn. */
  final boolean hasBegun() {
    return carrier == null || carrier.hasBegun();
  }

  /** Waits until the thread has ended; returns at once if it never began. */
  final void join() throws InterruptedException {
    carrier().join();
  }

  /** Whether the thread has a thread of the JVM. */
  final boolean isCarried() {
    return carrier != null;
  }

  /** Notes where a thread without a carrier is. */
  final void isAt(CallPath now) {
    place = now;
  }

  /** Where a thread without a carrier is. */
  final CallPath place() {
    return place;
  }

  final StackTraceElement[] stack() {
    return carrier == null ? place.stepped() : carrier.stack();
  }

  @Override
  public final String toString() {
    return "thread " + rank;
  }
}
