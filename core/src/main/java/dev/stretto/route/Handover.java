package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * In which order a stream's operations reach the driver: that of the calls, always. Normally an
 * operation goes straight there. Where it cannot go yet (a staged copy before it is still being
 * fed, a callback is running, an event that it waits for is not recorded, the driver's launch queue
 * is full) it is deferred, and so is all that follows; no call waits.
 */
final class Handover {
  /**
   * For how long who watches hands operations over in one go: somebody's completion may be waiting
   * for the next look, and somebody else for the lock, who is parked if it takes much longer.
   */
  private static final long HAND_OVER_NANOS = 10_000;

  private static final int COPIES_OF_A_MARK = 64;

  private record Deferred(long sequence, boolean marked, long stamp, Operation operation) {}

  private final ArrayDeque<Deferred> deferred = new ArrayDeque<>();
  private final DeviceState device;
  private final DriverDevice driver;
  private final String title;
  private final boolean deferrable;
  private final Completion completion;
  private final Failures failures;
  private final LaunchBacklog backlog;
  private Set<Resource> granted = Set.of();
  private boolean held;
  private String heldBy = "";
  private boolean staging;
  private boolean draining;
  private boolean full;

  /** Until when operations are handed over, of {@link System#nanoTime()}; 0 for to the last. */
  private long handOverUntil;

  private boolean closed;
  private long resumeNanos;

  /**
   * Of a new stream.
   *
   * @param title what the stream is called in messages, with its device
   * @param backlog how much the driver takes of each of the device's streams
   */
  Handover(
      String title,
      boolean deferrable,
      Completion completion,
      Failures failures,
      LaunchBacklog backlog) {
    this.device = completion.device();
    this.driver = device.driver();
    this.title = title;
    this.deferrable = deferrable;
    this.completion = completion;
    this.failures = failures;
    this.backlog = backlog;
  }

  void requireOpen() {
    device.requireUsable();
    if (closed) {
      throw new ClosedException("the stream is closed: nothing more can be enqueued on " + title);
    }
  }

  /** Whether operations can be enqueued. */
  boolean accepts() {
    return !closed && !device.isClosed() && device.isUsable();
  }

  /** Whether an operation is held back that will still be handed over. */
  boolean isPending(long sequence) {
    return completion.submitted() < sequence;
  }

  long begin(@Nullable Resource to, @Nullable Resource from) {
    device.lock.assertHeld();
    requireOpen();
    long sequence = completion.issued() + 1;
    if (to != null) {
      noteUse(to, sequence);
    }
    if (from != null) {
      noteUse(from, sequence);
    }
    completion.issue(sequence);
    return sequence;
  }

  void noteUse(Resource resource, long sequence) {
    if (!resource.use(completion, sequence) && !granted.contains(resource)) {
      throw new ClosedException(resource.describe() + " is closed");
    }
  }

  /**
   * Enqueues operations of which none may be refused once the first is enqueued: what they use is
   * noted for all of them before, so that closing it meanwhile comes too late.
   *
   * @param used all that they use
   * @param most how many operations they are at most
   * @param body enqueues them; does not take the lock of another driver
   * @return what that returns
   * @throws ClosedException if anything that they use is closed; then the body is not run
   */
  <T> T together(List<? extends Resource> used, int most, Supplier<T> body) {
    synchronized (device.lock) {
      requireOpen();
      long last = completion.issued() + most;
      for (Resource resource : used) {
        noteUse(resource, last);
      }
      granted = new HashSet<>(used);
      try {
        return body.get();
      } finally {
        granted = Set.of();
      }
    }
  }

  /** {@return how many operations may be in flight before more are held back} */
  int backlog() {
    return backlog.most();
  }

  boolean isDirect() {
    return !held && deferred.isEmpty() && hasRoom();
  }

  /** Whether the driver takes more of this stream now; if not, the watch goes on when it does. */
  private boolean hasRoom() {
    if (isBelow(backlog.most()) || !deferrable) {
      return true;
    }
    try {
      completion.harvest();
      if (isBelow(backlog.most())) {
        return true;
      }
      completion.ensureMarked(completion.submitted()); // or nobody would see when there is room
    } catch (RuntimeException e) {
      if (!device.isUsable()) {
        throw e;
      }
      completion.markLater();
    }
    full = true;
    completion.watch();
    return false;
  }

  /** {@return whether the driver has taken as many operations of this stream as it takes} */
  boolean isFull() {
    synchronized (device.lock) {
      return deferrable ? full && !held : !isBelow(backlog.most());
    }
  }

  /**
   * Whether no more operations than this are in the driver's hands, or on their way there: a number
   * may be taken for more than the operation that it is of.
   */
  private boolean isBelow(int operations) {
    long done = completion.completed();
    return done >= completion.submitted()
        || completion.issued() - deferred.size() - done <= operations;
  }

  /** Takes numbers for what the operation that follows needs of the driver's queue besides. */
  void count(int others) {
    boolean direct = isDirect();
    long issued = completion.issued();
    completion.issue(issued + others);
    if (!direct) {
      for (int i = 1; i <= others; i++) {
        defer(issued + i, false, () -> {});
      }
    }
  }

  void submitOrDefer(long sequence, boolean marked, Operation operation) {
    if (!isDirect()) {
      defer(sequence, marked, operation);
      return;
    }
    boolean accepted = false;
    try {
      markCopies();
      operation.submit();
      accepted = true;
    } catch (DriverException e) {
      throw device.raised(e);
    } finally {
      held &= accepted;
      if (!held && isPending(sequence)) {
        handedOver(sequence, marked);
      }
    }
  }

  void defer(long sequence, boolean marked, Operation operation) {
    deferred.add(new Deferred(sequence, marked, driver.clock().now(), operation));
  }

  void handedOver(long sequence, boolean marked) {
    device.lock.assertHeld();
    completion.handedOver(sequence);
    // The default stream of a thread can be marked by that thread alone: now or never.
    boolean now = marked || !deferrable || sequence - completion.marked() >= backlog.mostUnmarked();
    if (now && device.isUsable()) {
      completion.markNow(sequence);
    }
  }

  /** The same where there is no caller to tell of a mark that failed. */
  void handedOverLater(long sequence, boolean marked) {
    try {
      handedOver(sequence, marked);
    } catch (RuntimeException e) {
      failures.add(sequence, e);
    }
  }

  /**
   * Marks the small copies that have no mark yet, before an operation of another kind follows: who
   * awaits one of them may wait for some small copies more, but never for a kernel, a large copy or
   * an event.
   */
  void markCopies() {
    if (completion.isLoose()) {
      completion.markNow(completion.submitted());
    }
  }

  /**
   * Takes a number for an operation that holds the stream back from now on, until {@link #resume}.
   * Nothing is held back already.
   *
   * @param by what that operation is
   * @param used what it uses on this stream
   */
  long reserve(String by, Resource used) {
    long sequence = begin(used, null);
    hold(by);
    return sequence;
  }

  /**
   * Holds back everything after the operation that is being submitted, until {@link #resume}.
   *
   * @param by what that operation is, for the report of a deadlock
   */
  void hold(String by) {
    device.lock.assertHeld();
    held = true;
    heldBy = by;
    staging = false;
  }

  /** The same for an operation that ends by itself, without any code of the program's. */
  void holdWhileStaging(String by) {
    hold(by);
    staging = true;
  }

  /** Whether what holds the stream back ends by itself. */
  boolean isHeldByStaging() {
    return held && staging;
  }

  boolean isHeld() {
    return held;
  }

  /** {@return what holds the stream back, in a clause} */
  String describeHold() {
    return "%s is held back by %s, with %d operation%s behind it"
        .formatted(title, heldBy, deferred.size(), deferred.size() == 1 ? "" : "s");
  }

  /** Lets the queue go on after the operation that held it. */
  void resume(long sequence, boolean marked) {
    synchronized (device.lock) {
      held = false;
      resumeNanos = driver.clock().now();
      handedOverLater(sequence, marked);
      drainDeferred();
    }
  }

  /**
   * Hands over what was deferred, as far as that goes. Where it was called by itself, the outer
   * call goes on.
   */
  private void drainDeferred() {
    device.lock.assertHeld();
    if (draining) {
      return;
    }
    draining = true;
    long stamp = driver.clock().now();
    long promoted;
    try {
      do {
        while (canHandOver()) {
          Deferred next = deferred.remove();
          driver.clock().set(Math.max(next.stamp, resumeNanos));
          submitDeferred(next);
        }
        driver.clock().set(stamp);
        promoted = completion.submitted();
        // May let other streams go on, and those this one: not in a deeper call, but in the next
        // round. That round is due even if nothing is deferred any more: somebody may wait for the
        // very operation that the others let go.
        completion.promoteEarlyWaiters();
      } while (completion.submitted() > promoted || canHandOver());
    } finally {
      driver.clock().set(stamp);
      draining = false;
    }
  }

  private boolean canHandOver() {
    if (held || deferred.isEmpty() || isTimeUp()) {
      return false;
    }
    try {
      return !device.isUsable() || hasRoom();
    } catch (RuntimeException e) {
      if (device.isUsable()) {
        throw e;
      }
      Loss.kept(e);
      return false; // it was lost this very moment, and all that was deferred was given up
    }
  }

  private boolean isTimeUp() {
    return handOverUntil != 0 && System.nanoTime() - handOverUntil >= 0;
  }

  private void submitDeferred(Deferred next) {
    try {
      if (device.isUsable()) {
        markCopies();
        next.operation.submit();
      }
    } catch (RuntimeException e) {
      held = false;
      failures.add(next.sequence, e);
    }
    if (!held && isPending(next.sequence)) {
      handedOverLater(next.sequence, next.marked);
    }
  }

  /** Enqueues an operation that may hold the queue. */
  long enqueue(
      @Nullable Resource to, @Nullable Resource from, boolean marked, Operation operation) {
    synchronized (device.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, marked, operation);
      return sequence;
    }
  }

  /** Enqueues an operation that holds the queue and needs to know its own number. */
  long enqueueHolding(@Nullable Resource to, @Nullable Resource from, LongConsumer operation) {
    synchronized (device.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, true, () -> operation.accept(sequence));
      return sequence;
    }
  }

  /**
   * Asks the driver how far the stream is, and goes on where the driver was full.
   *
   * @param due gets what waited for that
   * @return whether the stream has to be watched further
   */
  boolean advance(List<Runnable> due) {
    boolean waitedFor = completion.advance(due);
    if (!full) {
      return waitedFor;
    }
    if (!isDueToGoOn()) {
      boolean _ = completion.isSurelyMarked(completion.submitted()); // or nobody would see when
    } else if (driver.clock().isModelled()) {
      // Whoever looks does so only when there is something to see, and nobody measures how soon.
      full = false;
      drainDeferred();
    }
    return true; // for what is handed over, too, somebody may wait
  }

  /** {@return whether it is time to hand over what was held back since the driver was full} */
  boolean isDueToGoOn() {
    return full && isBelow(backlog.most() / 2);
  }

  /** {@return whether the device may soon be done with all that it has of this stream} */
  boolean isHurried() {
    return full && isBelow(backlog.most() / 4);
  }

  /** Hands over as much as others can wait for; the rest when it is this stream's turn again. */
  void handOverSome() {
    long now = System.nanoTime();
    handOverUntil = now + HAND_OVER_NANOS | 1; // not 0
    full = false;
    try {
      drainDeferred();
    } finally {
      full |= !held && !deferred.isEmpty();
      handOverUntil = 0;
    }
  }

  /** Gives up everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    completion.abandon(due);
    deferred.clear();
  }

  /** Gives a small copy, and those before it, a mark if the copy that follows needs its own. */
  void beforeCopy(boolean small) {
    if (!small || !completion.hasUnmarkedCopies()) {
      markCopies();
    }
  }

  /** A copy is with the driver, or was refused by it. */
  void copied(long sequence, boolean small) {
    handedOver(sequence, !small || completion.countCopy() == COPIES_OF_A_MARK);
  }

  /**
   * Nothing more is accepted.
   *
   * @return false if that was so before
   */
  boolean close() {
    device.lock.assertHeld();
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** {@return whether the stream was closed} */
  boolean isClosed() {
    device.lock.assertHeld();
    return closed;
  }
}
