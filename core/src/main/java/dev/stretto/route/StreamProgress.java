package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream is: which operations have been called, handed to the driver and done, what has
 * arrived in host memory, what failed, and who is to be told. All state is guarded by the engine's
 * lock.
 */
abstract sealed class StreamProgress permits StreamOrder {
  final Engine engine;
  final DriverDevice driver;
  final long handle;
  final boolean deferrable;
  private final StreamName name;

  /** The only thread that can use the stream, of a thread's own default stream. */
  private final @Nullable Thread owner;

  final Marks marks;
  final Arrivals arrivals;
  final ToHost toHost;
  final RecentLaunches launches = new RecentLaunches();
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final PriorityQueue<Waiter> earlyWaiters = new PriorityQueue<>();
  private final Failures failures = new Failures();
  private final Crossings crossings = new Crossings();

  long issued;
  long submitted;
  volatile long completed;
  boolean unmarked;
  int unmarkedCopies;

  /** Whether somebody waits for the last operation, which has no mark. */
  private boolean asked;

  /**
   * The stream on which the last operation ends, of a copy between devices, and its number there.
   */
  private @Nullable StreamQueue ending;

  private long endingSequence;
  boolean destroyed;
  long lastNanos;
  private volatile boolean anyFailed;

  StreamProgress(Engine engine, long handle, boolean deferrable, StreamName name) {
    this.engine = engine;
    this.name = name;
    this.driver = engine.driver();
    this.handle = handle;
    this.deferrable = deferrable;
    this.owner = handle == DriverDevice.PER_THREAD_STREAM ? Thread.currentThread() : null;
    this.marks = new Marks(driver);
    this.toHost = new ToHost(self());
    if (!deferrable) {
      toHost.share();
    }
    this.arrivals = new Arrivals(driver.clock().isModelled());
  }

  /** This very stream. */
  abstract StreamQueue self();

  /** {@return the driver's handle} */
  public final long handle() {
    return handle;
  }

  /** {@return the engine of the device that this stream belongs to} */
  public final Engine engine() {
    return engine;
  }

  /** {@return the only thread that can use the stream; null if all can} */
  public final @Nullable Thread owner() {
    return owner;
  }

  /** {@return whether operations can be held back on this stream; not on CUDA's default streams} */
  public final boolean isDeferrable() {
    return deferrable;
  }

  /** {@return what the stream is called} */
  public final StreamName name() {
    return name;
  }

  /** {@return what the stream is called in messages that name its device besides} */
  public final String title() {
    return name.title();
  }

  /** {@return what the stream is called in messages, with its device} */
  public final String fullTitle() {
    return name.title() + " of " + engine.name();
  }

  /**
   * {@return what a stream is called that operations cannot be held back on, with its article}
   * Others enqueue there too, and would overtake what is held back.
   */
  final String describeForeign() {
    String sort =
        handle == DriverDevice.LEGACY_STREAM || handle == DriverDevice.PER_THREAD_STREAM
            ? "a default stream"
            : "an adopted stream";
    return sort + " (" + fullTitle() + ")";
  }

  // --- marks and failures
  // ---------------------------------------------------------------------------------------------------

  /** Keeps the failure of an operation that was handed over after its call had returned. */
  void fail(long sequence, RuntimeException cause) {
    fail(sequence, cause, Failures.Sort.OPERATION);
  }

  /** The same of anything that can fail. */
  void fail(long sequence, RuntimeException cause, Failures.Sort sort) {
    synchronized (engine.lock) {
      RuntimeException raised = cause instanceof DriverException e ? engine.raised(e) : cause;
      failures.add(sequence, raised, sort);
      anyFailed = true;
    }
  }

  /** What has failed up to a point, and no exception has brought to the program. */
  List<Failures.Failed> untold(long point) {
    if (!anyFailed) {
      return List.of();
    }
    synchronized (engine.lock) {
      return failures.untold(point);
    }
  }

  /**
   * A point that another stream has waited for comes behind what failed there, and so does what
   * comes behind the wait here.
   *
   * @param sequence the number of the wait
   */
  void inherit(List<Failures.Failed> others, long sequence) {
    if (!others.isEmpty()) {
      engine.lock.assertHeld();
      failures.inherit(others, sequence);
      anyFailed = true;
    }
  }

  /** The same, if this stream has waited for the copy that failed. */
  void inheritFrom(StreamProgress other, long point, Transfer transfer) {
    long sequence = arrivals.since(transfer);
    if (other != this && sequence < Long.MAX_VALUE) {
      inherit(other.untold(point), sequence);
    }
  }

  /** What failed and nobody has asked for. */
  List<Failures.Untold> untold() {
    return anyFailed ? failures.untold() : List.of();
  }

  /**
   * {@return the first failure since the last call, if any, with the others as suppressed ones; it
   * is told once}
   */
  public @Nullable RuntimeException takeFailure() {
    if (!anyFailed) {
      return null;
    }
    synchronized (engine.lock) {
      return failures.take();
    }
  }

  /** {@return why an operation failed; where it did not, {@link #failureBehind}} */
  public @Nullable RuntimeException failureUpTo(long sequence) {
    if (!anyFailed) {
      return null;
    }
    synchronized (engine.lock) {
      RuntimeException own = failures.of(sequence);
      return own == null ? failures.firstUntold(sequence) : own;
    }
  }

  /**
   * {@return the first failure up to a point that no exception has brought to the program, once, or
   * null: what comes after a copy that failed works with what the copy should have brought}
   */
  public @Nullable RuntimeException failureBehind(long point) {
    if (!anyFailed) {
      return null;
    }
    synchronized (engine.lock) {
      return failures.firstUntold(point);
    }
  }

  /**
   * The program is told of a failure by its operation itself.
   *
   * @param sequence its number
   * @param cause why it failed
   */
  public void tell(long sequence, RuntimeException cause) {
    Loss.shown(cause);
    if (anyFailed) {
      synchronized (engine.lock) {
        failures.tell(sequence, cause);
      }
    }
  }

  long markNow(long sequence) {
    engine.lock.assertHeld();
    join();
    unmarkedCopies = 0;
    asked = false;
    try {
      return marks.record(handle, sequence);
    } catch (DriverException e) {
      throw engine.raised(e);
    }
  }

  /** Whether something is to be enqueued before any further operation. */
  boolean isLoose() {
    return unmarkedCopies > 0 || asked || ending != null;
  }

  /**
   * The last operation ends on another stream; this one waits for that as soon as anything else is
   * enqueued or asked.
   */
  void endsOn(StreamQueue other, long sequence) {
    ending = other;
    endingSequence = sequence;
  }

  private void join() {
    StreamQueue other = ending;
    if (other == null) {
      return;
    }
    waitOnTheDevice(other, endingSequence);
    ending = null; // not before: what could not be made to wait is not done
  }

  /** Has the driver's stream wait for what another stream's has been given up to a point. */
  void waitOnTheDevice(StreamQueue other, long sequence) {
    if (!other.isKnownDone(sequence) && other.engine().isUsable()) {
      other.ensureMarked(sequence);
      try {
        driver.waitEvent(handle, other.marks.event(other.marks.indexFor(sequence)));
      } catch (DriverException e) {
        throw engine.raised(e, other.engine());
      }
    }
  }

  /**
   * Asks whether the stream is idle, where its last operations have no mark: recording one would
   * take as long again as a small copy. Whatever is enqueued next puts a mark before itself.
   */
  private void askIfIdle() {
    StreamQueue other = ending;
    if (other != null) {
      if (other.engine().isUsable() && !other.isDone(endingSequence)) {
        return;
      }
      ending = null;
    }
    try {
      if (driver.isIdle(handle)) {
        done(submitted);
        asked = false;
      } else {
        asked = true;
      }
    } catch (DriverException e) {
      throw engine.raised(e);
    }
  }

  /** A mark inside an operation: everything before the operation is done when it is. */
  long markWithin(long sequence) {
    return markNow(sequence - 1);
  }

  long markNanos(long mark) {
    return marks.nanos(mark);
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /** {@return how many operations are not known to be done; asks the driver} */
  public long unfinished() {
    synchronized (engine.lock) {
      if (engine.isUsable() && !destroyed && isSurelyDone(issued)) {
        return 0;
      }
      return issued - Math.min(issued, completed);
    }
  }

  /** {@return the number of the last operation that was called} */
  public long lastIssued() {
    synchronized (engine.lock) {
      return issued;
    }
  }

  /**
   * {@return the point that is reached when everything on the stream is done that was enqueued
   * before this call} Others in the process enqueue on default and adopted streams, so a mark is
   * recorded there. A thread's own default stream can be marked by that thread alone: for another
   * thread the point is the last operation that was enqueued through Stretto.
   */
  public long end() {
    synchronized (engine.lock) {
      return isSharedHere() ? self().mark() : issued;
    }
  }

  /** Whether others enqueue here, and the calling thread can ask the driver how far they are. */
  private boolean isSharedHere() {
    return !deferrable
        && (owner == null || owner.equals(Thread.currentThread()))
        && self().accepts();
  }

  /** {@return whether everything is done that was enqueued on the stream before this call} */
  public boolean isAllReached() {
    synchronized (engine.lock) {
      if (isSharedHere()) {
        try {
          if (!driver.isIdle(handle)) {
            return false;
          }
        } catch (DriverException e) {
          throw engine.raised(e);
        }
      }
      return isReached(issued);
    }
  }

  /** {@return whether an operation is known to be done, without asking the driver} */
  public boolean isKnownDone(long sequence) {
    return completed >= sequence;
  }

  /**
   * {@return whether a point is known to have been reached, without asking the driver: what was to
   * arrive in host memory by then has not been lost with the device}
   */
  public boolean isKnownReached(long sequence) {
    synchronized (engine.lock) {
      return completed >= sequence && !arrivals.areLostBefore(sequence);
    }
  }

  /** {@return whether an operation is done} */
  public boolean isDone(long sequence) {
    if (completed >= sequence) {
      return true;
    }
    synchronized (engine.lock) {
      engine.requireNotLost();
      if (submitted >= sequence) {
        if (marks.markedSequence() < sequence && deferrable && !driver.clock().isModelled()) {
          askIfIdle();
        } else {
          ensureMarked(sequence);
          harvest();
        }
      }
      return completed >= sequence;
    }
  }

  /**
   * {@return whether an operation is seen to be done by somebody who only looks} Nothing is marked
   * for that, which {@link #isDone} may do and which fills the driver's queue.
   */
  public boolean isSeenDone(long sequence) {
    if (completed >= sequence) {
      return true;
    }
    synchronized (engine.lock) {
      if (!engine.isUsable()) {
        return true;
      }
      harvest();
      return completed >= sequence
          || (submitted >= sequence && deferrable && ending == null && driver.isIdle(handle));
    }
  }

  /**
   * {@return whether an operation is done and all that was to arrive in host memory by then is
   * there}
   */
  public boolean isReached(long sequence) {
    synchronized (engine.lock) {
      if (!isDone(sequence) || !arrivals.haveArrivedBefore(sequence)) {
        return false;
      }
      if (engine.isLost() && arrivals.areLostBefore(sequence)) {
        engine.requireNotLost();
      }
      return true;
    }
  }

  /** {@return whether all that was to arrive in host memory by a point is there} */
  public boolean hasArrived(long sequence) {
    synchronized (engine.lock) {
      return arrivals.haveArrivedBefore(sequence);
    }
  }

  /**
   * {@return on a modelled device when a point was reached, as far as it is still known; 0 where
   * time is real}
   */
  public long doneNanos(long sequence) {
    synchronized (engine.lock) {
      long nanos = arrivals.nanos(sequence);
      if (destroyed || !engine.isUsable()) {
        return Math.max(nanos, lastNanos);
      }
      try {
        return marks.markedSequence() < sequence
            ? nanos
            : Math.max(nanos, marks.nanos(marks.indexFor(sequence)));
      } catch (DriverException e) {
        throw engine.raised(e); // it was lost this very moment
      }
    }
  }

  long arrivalNanos(long sequence) {
    synchronized (engine.lock) {
      return arrivals.nanos(sequence);
    }
  }

  List<Transfer> arrivingBefore(long sequence) {
    synchronized (engine.lock) {
      return arrivals.before(sequence);
    }
  }

  /**
   * Has an action run once a point is reached, what is to arrive in host memory by then included.
   *
   * @param action must not block
   * @return what {@link #forget} takes
   */
  public Runnable whenReached(long sequence, Runnable action) {
    List<Transfer> arriving = arrivingBefore(sequence);
    Countdown reached = new Countdown(arriving.size() + 1, action);
    for (Transfer transfer : arriving) {
      transfer.whenSettled(reached);
    }
    whenDone(sequence, reached);
    return reached;
  }

  /** Forgets an action that was given to {@link #whenReached}, for nobody waits for it any more. */
  public void forget(Runnable reached) {
    synchronized (engine.lock) {
      arrivals.before(Long.MAX_VALUE).forEach(transfer -> transfer.forget(reached));
      waiters.removeIf(waiter -> waiter.action().equals(reached));
      earlyWaiters.removeIf(waiter -> waiter.action().equals(reached));
    }
  }

  /**
   * Has {@code action} run once an operation is done; at once if it is or never will be. The action
   * must not block. Never throws what the driver throws.
   */
  public void whenDone(long point, Runnable action) {
    synchronized (engine.lock) {
      // A number that is still to be given out belonged to an operation that was refused.
      long sequence = Math.min(point, issued);
      if (engine.isUsable() && !isSurelyDone(sequence) && engine.isUsable()) {
        if (submitted >= sequence && isSurelyMarked(sequence)) {
          addWaiter(marks.indexFor(sequence), action);
        } else if (engine.isUsable()) {
          earlyWaiters.add(new Waiter(sequence, action));
        } else {
          engine.later(action);
        }
        return;
      }
    }
    action.run();
  }

  boolean isSurelyDone(long sequence) {
    try {
      return isDone(sequence);
    } catch (RuntimeException e) {
      Loss.kept(e);
      return false; // it is asked again, and tells whoever is there to be told
    }
  }

  boolean isSurelyMarked(long sequence) {
    try {
      ensureMarked(sequence);
      return true;
    } catch (RuntimeException e) {
      Loss.kept(e);
      unmarked = true;
      engine.watch(self());
      return false;
    }
  }

  /** Has {@code action} run once a mark is done. */
  void whenMarkDone(long mark, Runnable action) {
    synchronized (engine.lock) {
      if (engine.isUsable()) {
        addWaiter(mark, action);
        return;
      }
    }
    action.run();
  }

  void whenHandedOver(long sequence, Runnable action) {
    // A waiter by number that does not want the mark's completion, only its existence: see
    // promoteEarlyWaiters.
    earlyWaiters.add(new Waiter(sequence, new HandOver(action)));
  }

  private record HandOver(Runnable action) implements Runnable {
    @Override
    public void run() {
      action.run();
    }
  }

  boolean isHandedOver(long sequence) {
    return submitted >= sequence;
  }

  void addWaiter(long mark, Runnable action) {
    engine.lock.assertHeld();
    waiters.add(new Waiter(mark, action));
    engine.watch(self());
  }

  void promoteEarlyWaiters() {
    List<Waiter> unmarkable = new ArrayList<>(0);
    try {
      Waiter first;
      while ((first = earlyWaiters.peek()) != null && first.key() <= submitted) {
        earlyWaiters.remove();
        promote(first, unmarkable);
      }
    } finally {
      earlyWaiters.addAll(unmarkable);
    }
  }

  private void promote(Waiter waiter, List<Waiter> unmarkable) {
    if (waiter.action() instanceof HandOver) {
      engine.lock.handOver(waiter.action());
    } else if (engine.isUsable() && isSurelyMarked(waiter.key())) {
      addWaiter(marks.indexFor(waiter.key()), waiter.action());
    } else if (engine.isUsable()) {
      unmarkable.add(waiter);
    } else {
      engine.later(waiter.action()); // lost before, or by being asked for a mark
    }
  }

  void ensureMarked(long sequence) {
    if (marks.markedSequence() < sequence) {
      markNow(submitted);
    }
  }

  void harvest() {
    engine.lock.assertHeld();
    try {
      marks.harvest();
    } catch (DriverException e) {
      throw engine.raised(e);
    }
    done(marks.completedSequence());
  }

  /** Everything up to this number is done. */
  private void done(long sequence) {
    if (sequence <= completed) {
      return;
    }
    if (!crossings.isEmpty()) {
      RuntimeException failure = crossings.failureUpTo(sequence);
      if (failure != null) {
        fail(sequence, failure);
      }
    }
    completed = sequence;
  }

  /** The operation with this number waits for a point of another device's stream. */
  void crosses(long sequence, StreamQueue other, long point) {
    engine.lock.assertHeld();
    crossings.add(sequence, other, point);
  }

  /**
   * Asks the driver how far the stream is and collects what waited for that.
   *
   * @return whether the stream has to be watched further
   */
  boolean advance(List<Runnable> due) {
    harvest();
    Waiter first;
    while ((first = waiters.peek()) != null && first.key() < marks.completedMarks()) {
      waiters.remove();
      due.add(first.action());
    }
    if (unmarked) {
      unmarked = false;
      isSurelyMarked(submitted);
      promoteEarlyWaiters();
    }
    return unmarked || !waiters.isEmpty();
  }

  /** Gives up everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    engine.lock.assertHeld();
    waiters.forEach(waiter -> due.add(waiter.action()));
    earlyWaiters.forEach(waiter -> due.add(waiter.action()));
    waiters.clear();
    earlyWaiters.clear();
    submitted = issued;
  }
}
