package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a stream: which operations have been called, handed to the driver and done, what
 * has arrived in host memory, and who waits for that. All state is guarded by the driver's lock.
 */
final class Completion {
  private static final int COPIES_OF_A_MARK = 64;

  /** Within a device, they take about as long as 64 copies of 64 KiB over the link. */
  static final long BYTES_OF_A_MARK = 64L << 20;

  private final DeviceState device;
  private final DriverDevice driver;
  private final long handle;
  private final boolean deferrable;
  private final Failures failures;
  private final ToHost toHost;

  /** Has the stream polled until nobody waits for anything on it. */
  private final Runnable watch;

  private final Marks marks;
  private final Arrivals arrivals;
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final PriorityQueue<Waiter> earlyWaiters = new PriorityQueue<>();
  private final Crossings crossings = new Crossings();
  private final Landings landings = new Landings();

  private long issued;
  private volatile long submitted;
  private volatile long completed;

  /** How many operations that the driver was given take no place in its queue. */
  private long uncounted;

  private long completedUncounted;

  /** Whether the thread that asks for the progress moves the bytes of small copies itself. */
  private boolean landing;

  private boolean unmarked;
  private int unmarkedCopies;
  private long unmarkedBytes;

  /** Whether a thread waits for the last operation although it has no mark. */
  private boolean asked;

  /** The stream on which the last operation ends, if it is a copy between devices. */
  private @Nullable Completion ending;

  private long endingSequence;
  private boolean destroyed;
  private long lastNanos;

  /**
   * Creates the progress of a new stream.
   *
   * @param handle the driver's handle
   * @param deferrable whether operations can be held back on it
   * @param watch has the stream polled until nobody waits for anything on it
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
    this.arrivals = new Arrivals(device);
  }

  /** {@return the device that the stream belongs to} */
  DeviceState device() {
    return device;
  }

  /** {@return the copies that are still to arrive in host memory} */
  Arrivals arrivals() {
    return arrivals;
  }

  // --- numbers
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return the number of the last operation that was called} */
  long issued() {
    return issued;
  }

  /** Notes the number of the operation that is called now; it may take several numbers. */
  void issue(long sequence) {
    issued = sequence;
  }

  /** {@return the number up to which operations have been handed to the driver} */
  long submitted() {
    return submitted;
  }

  /** {@return the number up to which operations are known to be done} */
  long completed() {
    return completed;
  }

  /**
   * Notes that operations have been handed to the driver. The number never decreases: after a loss
   * everything was abandoned, but an operation that held the stream may end only now.
   */
  void handedOver(long sequence) {
    submitted = Math.max(submitted, sequence);
  }

  /** Notes that the operation handed over next takes no place in the driver's queue. */
  void countNot() {
    uncounted++;
  }

  /** {@return how many operations in the driver's hands take no place in its queue} */
  long uncounted() {
    return uncounted - completedUncounted;
  }

  /** {@return whether an operation has been handed to the driver} */
  boolean isHandedOver(long sequence) {
    return submitted >= sequence;
  }

  /** {@return the number up to which a mark stands for operations} */
  long marked() {
    return marks.markedSequence();
  }

  /** {@return whether small copies have no mark yet} */
  boolean hasUnmarkedCopies() {
    return unmarkedCopies > 0;
  }

  /**
   * Counts a small copy that was handed over without a mark.
   *
   * @return whether there are so many now that a mark is due: a thread that awaits the first of
   *     them may wait for all of them
   */
  boolean countCopy(long bytes) {
    unmarkedBytes += bytes;
    return ++unmarkedCopies >= COPIES_OF_A_MARK || unmarkedBytes >= BYTES_OF_A_MARK;
  }

  // --- marks
  // ------------------------------------------------------------------------------------------------------------------

  long markNow(long sequence) {
    device.lock.assertHeld();
    join();
    unmarkedCopies = 0;
    unmarkedBytes = 0;
    asked = false;
    try {
      return marks.record(handle, sequence, uncounted);
    } catch (DriverException e) {
      throw device.raised(e);
    }
  }

  /** Notes that a mark could not be recorded; the next poll tries again. */
  void markLater() {
    unmarked = true;
  }

  /** {@return whether a mark could not be recorded and is missing} */
  boolean lacksMark() {
    return unmarked;
  }

  /**
   * {@return the driver's event of the mark that stands for an operation; there has to be such a
   * mark}
   */
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

  /** {@return whether a mark that stands for an operation is done and was not reused} */
  boolean remembers(long sequence) {
    return marks.remembers(sequence);
  }

  /** Whether something has to be enqueued before any further operation. */
  boolean isLoose() {
    return unmarkedCopies > 0 || asked || ending != null;
  }

  /** Whether the last operation ends on another stream, which nothing here waits for yet. */
  boolean endsElsewhere() {
    return ending != null;
  }

  /**
   * Notes that the last operation ends on another stream. This stream waits for that as soon as
   * anything else is enqueued or asked.
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
    ending = null; // not earlier: if the wait fails, the operation is not done
  }

  /** Makes the driver's stream wait for everything that another one was given up to a point. */
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
   * Asks whether the stream is idle, if its last operations have no mark: recording one costs as
   * much as a small copy. The next operation puts a mark before itself.
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
        done(submitted, uncounted);
        asked = false;
      } else {
        asked = true;
      }
    } catch (DriverException e) {
      throw device.raised(e);
    }
  }

  /**
   * Records a mark inside an operation: when it is done, everything before the operation is done.
   */
  long markWithin(long sequence) {
    return markNow(sequence - 1);
  }

  long markNanos(long mark) {
    return marks.nanos(mark);
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /** {@return how many operations are not known to be done, after asking the driver} */
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
   * {@return whether a point is known to have been reached, without asking the driver} It is not
   * reached if a copy that had to arrive in host memory before it was lost with its device.
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
   * {@return whether an operation is seen to be done, without recording a mark} {@link #isDone} may
   * record one, and that fills the driver's queue.
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
   * {@return whether an operation is done and everything that had to arrive in host memory by then
   * has arrived}
   */
  boolean isReached(long sequence) {
    if (submitted < sequence && device.isUsable()) {
      return false; // without taking the lock from threads that are submitting it
    }
    if (!askAndLand(sequence)) {
      return false;
    }
    synchronized (device.lock) {
      if (!arrivals.haveArrivedBefore(sequence)) {
        arrivals.hasten(failures);
        return false;
      }
      if (device.isLost() && arrivals.areLostBefore(sequence)) {
        device.requireNotLost();
      }
      return true;
    }
  }

  /**
   * {@return whether an operation is done} Moves the bytes of small copies that have reached their
   * buffers, unless the calling thread holds the lock: it would have to wake another one for that.
   */
  private boolean askAndLand(long sequence) {
    if (Thread.holdsLock(device.lock)) {
      return isDone(sequence);
    }
    try {
      return askWithoutWaking(sequence);
    } finally {
      landings.empty();
    }
  }

  private boolean askWithoutWaking(long sequence) {
    synchronized (device.lock) {
      landing = true;
      try {
        return isDone(sequence);
      } finally {
        landing = false;
      }
    }
  }

  /** {@return whether everything that had to arrive in host memory by a point has arrived} */
  boolean hasArrived(long sequence) {
    synchronized (device.lock) {
      return arrivals.haveArrivedBefore(sequence);
    }
  }

  /** {@return whether a point that was reached has been reached by the calling thread's time} */
  boolean hasPassed(long sequence) {
    synchronized (device.lock) {
      if (!driver.clock().isModelled() || destroyed || !device.isUsable()) {
        return true;
      }
      return arrivals.nanos(sequence) <= driver.clock().now()
          && (marks.markedSequence() < sequence
              || driver.clock().hasPassed(marks.event(marks.indexFor(sequence))));
    }
  }

  /**
   * {@return when a point was reached on a modelled device, as far as it is still known; 0 if time
   * is real}
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
        throw device.raised(e); // the device was lost at this very moment
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
   * Runs an action once a point is reached and everything that has to arrive in host memory by then
   * has arrived.
   *
   * @param action must not block
   * @return what {@link #forget} takes
   */
  Runnable whenReached(long sequence, Runnable action) {
    Countdown reached = new Countdown(2, action);
    whenArrived(sequence, reached);
    whenDone(sequence, reached);
    return reached;
  }

  private void whenArrived(long sequence, Runnable action) {
    synchronized (device.lock) {
      if (arrivals.whenArrivedBefore(sequence, action)) {
        return;
      }
    }
    action.run();
  }

  /**
   * Forgets an action that was given to {@link #whenReached}, because nobody waits for it any more.
   */
  void forget(Runnable reached) {
    synchronized (device.lock) {
      arrivals.forget(reached);
      waiters.removeIf(waiter -> waiter.action().equals(reached));
      earlyWaiters.removeIf(waiter -> waiter.action().equals(reached));
    }
  }

  /**
   * Runs {@code action} once an operation is done; at once if it already is or never will be. The
   * action must not block. Never throws an exception of the driver.
   */
  void whenDone(long point, Runnable action) {
    synchronized (device.lock) {
      // A number beyond the last one belonged to an operation that was refused.
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
      if (device.isUsable()) {
        failures.add(issued, e, Failures.Sort.WATCH); // the next attempt may succeed
      }
      return false;
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

  /** Runs {@code action} once a mark is done. */
  void whenMarkDone(long mark, Runnable action) {
    synchronized (device.lock) {
      if (device.isUsable()) {
        addWaiter(mark, action);
        return;
      }
    }
    action.run();
  }

  /**
   * Runs {@code action} once an operation that has just been handed over is done, without asking
   * the driver now.
   */
  void whenJustMarkedIsDone(long sequence, Runnable action) {
    synchronized (device.lock) {
      if (device.isUsable() && marks.markedSequence() >= sequence) {
        addWaiter(marks.indexFor(sequence), action);
        return;
      }
    }
    whenDone(sequence, action);
  }

  void whenHandedOver(long sequence, Runnable action) {
    // This waiter needs only the existence of a mark, not its completion: see promoteEarlyWaiters.
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
      device.later(waiter.action()); // the device was lost earlier, or while a mark was recorded
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
    done(marks.completedSequence(), marks.completedUncounted());
  }

  /** Notes that everything up to this number is done. */
  private void done(long sequence, long uncountedBefore) {
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
    completedUncounted = uncountedBefore;
    if (landings.doneUpTo(sequence) && !landing) {
      device.later(landings::empty);
    }
  }

  /** Notes that an operation that the driver does not know is done, as all before it are. */
  void doneOnHost(long sequence) {
    handedOver(sequence);
    done(sequence, uncounted);
  }

  /** {@return the small copies from the device that have not arrived in the program's memory} */
  Landings landings() {
    return landings;
  }

  /** Notes that an operation waits for a point of another device's stream. */
  void crosses(long sequence, Completion other, long point) {
    device.lock.assertHeld();
    crossings.add(sequence, other, point);
  }

  /**
   * Asks the driver for the stream's progress and collects the actions that waited for it.
   *
   * @return whether the stream has to be polled further
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

  /** Abandons everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    device.lock.assertHeld();
    tellAll(due);
    landings.clear();
    submitted = issued;
  }

  private void tellAll(List<Runnable> due) {
    waiters.forEach(waiter -> due.add(waiter.action()));
    earlyWaiters.forEach(waiter -> due.add(waiter.action()));
    waiters.clear();
    earlyWaiters.clear();
  }

  /** {@return whether operations that were called are not known to be done} */
  boolean isCutShort() {
    return device.isLost() && completed < issued;
  }

  /**
   * Frees the marks of a stream that has ended. All its operations are done. Who still waits for
   * one learns it now, because the poller may be stopped before its next round.
   */
  void destroy() {
    device.lock.assertHeld();
    destroyed = true;
    List<Runnable> due = new ArrayList<>(0);
    tellAll(due);
    due.forEach(device::later);
    if (device.isUsable()) {
      lastNanos = marks.lastNanos();
      marks.destroy();
    }
  }

  /** Has the stream polled until nobody waits for anything on it. */
  void watch() {
    watch.run();
  }

  /**
   * Notes that the program awaits a point of the stream, or knows that it is reached.
   *
   * @param point the point's number
   */
  void heard(long point) {
    toHost.awaited(point);
  }
}
