package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream is: which operations have been called, handed to the driver and done, what has
 * arrived in host memory, and who is to be told. All state is guarded by the driver's lock.
 */
final class Completion {
  private final DeviceState device;
  private final DriverDevice driver;
  private final long handle;
  private final boolean deferrable;
  private final Failures failures;
  private final ToHost toHost;

  /** Has the stream looked at until nobody waits for anything on it. */
  private final Runnable watch;

  private final Marks marks;
  private final Arrivals arrivals;
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final PriorityQueue<Waiter> earlyWaiters = new PriorityQueue<>();
  private final Crossings crossings = new Crossings();

  private long issued;
  private long submitted;
  private volatile long completed;
  private boolean unmarked;
  private int unmarkedCopies;

  /** Whether somebody waits for the last operation, which has no mark. */
  private boolean asked;

  /**
   * The stream on which the last operation ends, of a copy between devices, and its number there.
   */
  private @Nullable Completion ending;

  private long endingSequence;
  private boolean destroyed;
  private long lastNanos;

  /**
   * Of a new stream.
   *
   * @param handle the driver's
   * @param deferrable whether operations can be held back on it
   * @param watch has the stream looked at until nobody waits for anything on it
   */
  Completion(
      DeviceState device,
      long handle,
      boolean deferrable,
      Failures failures,
      ToHost toHost,
      Runnable watch) {
    this.device = device;
    this.driver = device.driver();
    this.handle = handle;
    this.deferrable = deferrable;
    this.failures = failures;
    this.toHost = toHost;
    this.watch = watch;
    this.marks = new Marks(driver);
    this.arrivals = new Arrivals(driver.clock().isModelled());
  }

  /** {@return the device that the stream belongs to} */
  DeviceState device() {
    return device;
  }

  /** {@return what is still to arrive in host memory} */
  Arrivals arrivals() {
    return arrivals;
  }

  // --- numbers
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return the number of the last operation that was called} */
  long issued() {
    return issued;
  }

  /** The operation that is called now has the next number, or the last of some. */
  void issue(long sequence) {
    issued = sequence;
  }

  /** {@return up to which number operations are with the driver} */
  long submitted() {
    return submitted;
  }

  /** {@return up to which number operations are known to be done} */
  long completed() {
    return completed;
  }

  /**
   * Operations are with the driver. Never decreases: after a loss all was given up, while what held
   * the stream may end only now.
   */
  void handedOver(long sequence) {
    submitted = Math.max(submitted, sequence);
  }

  /** {@return whether an operation is with the driver} */
  boolean isHandedOver(long sequence) {
    return submitted >= sequence;
  }

  /** {@return up to which number a mark stands for operations} */
  long marked() {
    return marks.markedSequence();
  }

  /** {@return whether small copies have no mark yet} */
  boolean hasUnmarkedCopies() {
    return unmarkedCopies > 0;
  }

  /** {@return how many small copies have no mark yet, with the one that follows} */
  int countCopy() {
    return ++unmarkedCopies;
  }

  // --- marks
  // ------------------------------------------------------------------------------------------------------------------

  long markNow(long sequence) {
    device.lock.assertHeld();
    join();
    unmarkedCopies = 0;
    asked = false;
    try {
      return marks.record(handle, sequence);
    } catch (DriverException e) {
      throw device.raised(e);
    }
  }

  /** What was handed over could not be marked: it is tried again at the next look. */
  void markLater() {
    unmarked = true;
  }

  /** {@return whether a mark is missing that could not be recorded} */
  boolean lacksMark() {
    return unmarked;
  }

  /** {@return the driver's event of the mark that stands for an operation; there has to be one} */
  long eventOf(long sequence) {
    return marks.event(marks.indexFor(sequence));
  }

  /** {@return whether a mark is known to be done} */
  boolean isMarkDone(long mark) {
    return mark < marks.completedMarks();
  }

  /** {@return the driver's event of a mark} */
  long eventOfMark(long mark) {
    return marks.event(mark);
  }

  /** {@return whether a mark that is done stands for an operation and was not reused} */
  boolean remembers(long sequence) {
    return marks.remembers(sequence);
  }

  /** Whether something is to be enqueued before any further operation. */
  boolean isLoose() {
    return unmarkedCopies > 0 || asked || ending != null;
  }

  /**
   * The last operation ends on another stream; this one waits for that as soon as anything else is
   * enqueued or asked.
   */
  void endsOn(Completion other, long sequence) {
    ending = other;
    endingSequence = sequence;
  }

  private void join() {
    Completion other = ending;
    if (other == null) {
      return;
    }
    waitOnTheDevice(other, endingSequence);
    ending = null; // not before: what could not be made to wait is not done
  }

  /** Has the driver's stream wait for what another stream's has been given up to a point. */
  void waitOnTheDevice(Completion other, long sequence) {
    if (!other.isKnownDone(sequence) && other.device.isUsable()) {
      other.ensureMarked(sequence);
      try {
        driver.waitEvent(handle, other.eventOf(sequence));
      } catch (DriverException e) {
        throw device.raised(e, other.device);
      }
    }
  }

  /**
   * Asks whether the stream is idle, where its last operations have no mark: recording one would
   * take as long again as a small copy. Whatever is enqueued next puts a mark before itself.
   */
  private void askIfIdle() {
    Completion other = ending;
    if (other != null) {
      if (other.device.isUsable() && !other.isDone(endingSequence)) {
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
      throw device.raised(e);
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
  long unfinished() {
    synchronized (device.lock) {
      if (device.isUsable() && !destroyed && isSurelyDone(issued)) {
        return 0;
      }
      return issued - Math.min(issued, completed);
    }
  }

  /** {@return the number of the last operation that was called} */
  long lastIssued() {
    synchronized (device.lock) {
      return issued;
    }
  }

  /** {@return whether an operation is known to be done, without asking the driver} */
  boolean isKnownDone(long sequence) {
    return completed >= sequence;
  }

  /**
   * {@return whether a point is known to have been reached, without asking the driver: what was to
   * arrive in host memory by then has not been lost with the device}
   */
  boolean isKnownReached(long sequence) {
    synchronized (device.lock) {
      return completed >= sequence && !arrivals.areLostBefore(sequence);
    }
  }

  /** {@return whether an operation is done} */
  boolean isDone(long sequence) {
    if (completed >= sequence) {
      return true;
    }
    synchronized (device.lock) {
      device.requireNotLost();
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
  boolean isSeenDone(long sequence) {
    if (completed >= sequence) {
      return true;
    }
    synchronized (device.lock) {
      if (!device.isUsable()) {
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
  boolean isReached(long sequence) {
    synchronized (device.lock) {
      if (!isDone(sequence) || !arrivals.haveArrivedBefore(sequence)) {
        return false;
      }
      if (device.isLost() && arrivals.areLostBefore(sequence)) {
        device.requireNotLost();
      }
      return true;
    }
  }

  /** {@return whether all that was to arrive in host memory by a point is there} */
  boolean hasArrived(long sequence) {
    synchronized (device.lock) {
      return arrivals.haveArrivedBefore(sequence);
    }
  }

  /**
   * {@return on a modelled device when a point was reached, as far as it is still known; 0 where
   * time is real}
   */
  long doneNanos(long sequence) {
    synchronized (device.lock) {
      long nanos = arrivals.nanos(sequence);
      if (destroyed || !device.isUsable()) {
        return Math.max(nanos, lastNanos);
      }
      try {
        return marks.markedSequence() < sequence
            ? nanos
            : Math.max(nanos, marks.nanos(marks.indexFor(sequence)));
      } catch (DriverException e) {
        throw device.raised(e); // it was lost this very moment
      }
    }
  }

  long arrivalNanos(long sequence) {
    synchronized (device.lock) {
      return arrivals.nanos(sequence);
    }
  }

  List<Arrival> arrivingBefore(long sequence) {
    synchronized (device.lock) {
      return arrivals.before(sequence);
    }
  }

  /**
   * Has an action run once a point is reached, what is to arrive in host memory by then included.
   *
   * @param action must not block
   * @return what {@link #forget} takes
   */
  Runnable whenReached(long sequence, Runnable action) {
    List<Arrival> arriving = arrivingBefore(sequence);
    Countdown reached = new Countdown(arriving.size() + 1, action);
    for (Arrival arrival : arriving) {
      arrival.whenSettled(reached);
    }
    whenDone(sequence, reached);
    return reached;
  }

  /** Forgets an action that was given to {@link #whenReached}, for nobody waits for it any more. */
  void forget(Runnable reached) {
    synchronized (device.lock) {
      arrivals.before(Long.MAX_VALUE).forEach(arrival -> arrival.forget(reached));
      waiters.removeIf(waiter -> waiter.action().equals(reached));
      earlyWaiters.removeIf(waiter -> waiter.action().equals(reached));
    }
  }

  /**
   * Has {@code action} run once an operation is done; at once if it is or never will be. The action
   * must not block. Never throws what the driver throws.
   */
  void whenDone(long point, Runnable action) {
    synchronized (device.lock) {
      // A number that is still to be given out belonged to an operation that was refused.
      long sequence = Math.min(point, issued);
      if (device.isUsable() && !isSurelyDone(sequence) && device.isUsable()) {
        if (submitted >= sequence && isSurelyMarked(sequence)) {
          addWaiter(marks.indexFor(sequence), action);
        } else if (device.isUsable()) {
          earlyWaiters.add(new Waiter(sequence, action));
        } else {
          device.later(action);
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
      watch();
      return false;
    }
  }

  /** Has {@code action} run once a mark is done. */
  void whenMarkDone(long mark, Runnable action) {
    synchronized (device.lock) {
      if (device.isUsable()) {
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

  void addWaiter(long mark, Runnable action) {
    device.lock.assertHeld();
    waiters.add(new Waiter(mark, action));
    watch.run();
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
      device.lock.handOver(waiter.action());
    } else if (device.isUsable() && isSurelyMarked(waiter.key())) {
      addWaiter(marks.indexFor(waiter.key()), waiter.action());
    } else if (device.isUsable()) {
      unmarkable.add(waiter);
    } else {
      device.later(waiter.action()); // lost before, or by being asked for a mark
    }
  }

  void ensureMarked(long sequence) {
    if (marks.markedSequence() < sequence) {
      markNow(submitted);
    }
  }

  void harvest() {
    device.lock.assertHeld();
    try {
      marks.harvest();
    } catch (DriverException e) {
      throw device.raised(e);
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
        failures.add(sequence, failure);
      }
    }
    completed = sequence;
  }

  /** The operation with this number waits for a point of another device's stream. */
  void crosses(long sequence, Completion other, long point) {
    device.lock.assertHeld();
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
    device.lock.assertHeld();
    waiters.forEach(waiter -> due.add(waiter.action()));
    earlyWaiters.forEach(waiter -> due.add(waiter.action()));
    waiters.clear();
    earlyWaiters.clear();
    submitted = issued;
  }

  /** {@return whether operations that were called are not known to be done} */
  boolean isCutShort() {
    return device.isLost() && completed < issued;
  }

  /** The stream is done for good: its marks are given back. */
  void destroy() {
    device.lock.assertHeld();
    destroyed = true;
    if (device.isUsable()) {
      lastNanos = marks.lastNanos();
      marks.destroy();
    }
  }

  /** Has somebody look at the stream until nobody waits for anything on it. */
  void watch() {
    watch.run();
  }

  /**
   * The program awaits a point of the stream, or has learnt that it is reached.
   *
   * @param point the point's number
   */
  void heard(long point) {
    toHost.awaited(point);
  }
}
