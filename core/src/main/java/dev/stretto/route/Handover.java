package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands a stream's operations to the driver, always in the order of the calls. Normally an
 * operation goes to the driver at once. If it cannot go yet (a staged copy before it is still being
 * fed, a callback is running, an event that it waits for is not recorded, the driver's launch queue
 * is full), it is deferred, and so are all operations after it. No call waits.
 */
final class Handover {
  /**
   * How long the polling thread hands operations over in one go. Completions may be waiting for the
   * next poll, and threads that wait for the lock park if it takes much longer.
   */
  private static final long HAND_OVER_NANOS = 10_000;

  /**
   * How many operations that take no place in the driver's queue are assumed to take none: a driver
   * was given 12,000 allocations and frees without blocking.
   */
  private static final long MOST_UNCOUNTED = 8_000;

  /**
   * An operation that is held back.
   *
   * @param marked whether it has a mark of its own
   * @param smallBytes the bytes of a small copy, which may share a mark; 0 for anything else
   * @param stamp when it was called
   */
  private record Deferred(
      long sequence, boolean marked, long smallBytes, long stamp, Operation operation) {}

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

  /** Whether a thread calls the driver for this stream without the lock. */
  private boolean calling;

  private int awaitedCalls;

  private boolean full;

  /** Until when operations are handed over, by {@link System#nanoTime()}; 0 for no limit. */
  private long handOverUntil;

  private boolean closed;
  private long resumeNanos;

  /** The last operation that may change ordinary host memory in a way that is not known here. */
  private long opaque;

  private long opaqueBefore;

  /**
   * Creates the handover of a new stream.
   *
   * @param title the name of the stream and its device, for messages
   * @param backlog how many operations the driver takes from each of the device's streams
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
    opaqueBefore = opaque;
    opaque = sequence;
    return sequence;
  }

  /**
   * Notes that an operation, the last one that was begun, changes no ordinary host memory, or only
   * as an {@link Arrival} says. Nothing else is assumed to do so: a callback runs the program's
   * code, and a wait may wait for one.
   */
  void changesNoOtherMemory(long sequence) {
    if (opaque == sequence) {
      opaque = opaqueBefore;
    }
  }

  /**
   * Whether ordinary host memory already has the contents that the operation begun last will see,
   * but for arrivals: everything that may change it has been handed over, and so is over.
   */
  boolean isHostMemoryReady() {
    return opaque <= completion.submitted();
  }

  void noteUse(Resource resource, long sequence) {
    if (!resource.use(completion, sequence) && !granted.contains(resource)) {
      throw new ClosedException(resource.describe() + " is closed");
    }
  }

  /**
   * Enqueues operations that must all be accepted once the first one is enqueued. Their resources
   * are noted for all of them beforehand, so that closing a resource meanwhile has no effect on
   * them.
   *
   * @param used all resources that they use
   * @param most the most operations that they can be
   * @param body enqueues them; does not take the lock of another driver
   * @return the body's result
   * @throws ClosedException if any of the resources is closed; the body is not run then
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

  /** {@return how many operations are held back} */
  int heldBack() {
    device.lock.assertHeld();
    return deferred.size();
  }

  boolean isDirect() {
    return !held && deferred.isEmpty() && hasRoom();
  }

  /**
   * The same for an operation that takes no place in the driver's queue, as an allocation and a
   * free in the order of the stream.
   */
  boolean isDirectUncounted() {
    return !held && deferred.isEmpty() && (completion.uncounted() < MOST_UNCOUNTED || hasRoom());
  }

  /** Notes that such an operation was handed over. */
  void handedOverUncounted(long sequence) {
    completion.countNot();
    handedOver(sequence, false);
  }

  /**
   * Whether the driver takes more operations of this stream now; if not, the poller goes on later.
   */
  private boolean hasRoom() {
    if (isBelow(backlog.most()) || !deferrable) {
      return true;
    }
    try {
      completion.harvest();
      if (isBelow(backlog.most())) {
        return true;
      }
      completion.ensureMarked(
          completion.submitted()); // without a mark nobody would see when there is room
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

  /** {@return whether the driver has as many operations of this stream as it takes} */
  boolean isFull() {
    synchronized (device.lock) {
      return deferrable ? full && !held : !isBelow(backlog.most());
    }
  }

  /**
   * Whether at most this many operations are in the driver's hands or on their way there. An
   * operation may count for more than one.
   */
  private boolean isBelow(int operations) {
    long done = completion.completed();
    return done >= completion.submitted()
        || completion.issued()
                - deferred.size()
                - done
                - Math.min(completion.uncounted(), MOST_UNCOUNTED)
            <= operations;
  }

  /**
   * Takes extra numbers for an operation that follows and needs more room in the driver's queue.
   */
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
    submitOrDefer(sequence, marked, true, operation);
  }

  /** The same with or without a mark for the small copies before it that have none. */
  private void submitOrDefer(
      long sequence, boolean marked, boolean marksCopies, Operation operation) {
    if (!isDirect()) {
      defer(sequence, marked, operation);
      return;
    }
    boolean accepted = false;
    try {
      if (marksCopies) {
        markCopies();
      }
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

  /**
   * Lets the operation that was begun last go to the driver without the lock if several threads
   * enqueue. The calling thread then leaves the lock, calls the driver, and {@link #called} ends
   * this. Meanwhile the stream is held, so that the order stays that of the calls.
   */
  boolean callsWithoutLock() {
    if (!deferrable || driver.clock().isModelled() || !device.lock.crowd().isAny()) {
      return false;
    }
    holdWhileStaging("another thread's call of the driver");
    calling = true;
    return true;
  }

  /** Notes that the driver has taken or refused an operation of {@link #callsWithoutLock}. */
  void called(long sequence) {
    synchronized (device.lock) {
      endCall();
      try {
        handedOver(sequence, false);
      } finally {
        drainDeferred();
      }
    }
  }

  /** The same for a copy or a fill. */
  void calledToCopy(long sequence, boolean small, long bytes) {
    synchronized (device.lock) {
      endCall();
      try {
        copied(sequence, small, bytes);
      } finally {
        drainDeferred();
      }
    }
  }

  private void endCall() {
    calling = false;
    held = false;
    if (awaitedCalls > 0) {
      device.lock.notifyAll();
    }
  }

  /**
   * Waits until no other thread calls the driver for this stream without the lock; that takes some
   * microseconds. Called with the lock held once.
   */
  void awaitCall() {
    device.lock.assertHeld();
    boolean interrupted = false;
    awaitedCalls++;
    while (calling) {
      try {
        device.lock.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    awaitedCalls--;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void defer(long sequence, boolean marked, Operation operation) {
    deferred.add(new Deferred(sequence, marked, 0, driver.clock().now(), operation));
  }

  void handedOver(long sequence, boolean marked) {
    device.lock.assertHeld();
    completion.handedOver(sequence);
    // Only its own thread can mark a per-thread default stream, so it has to be marked now.
    boolean now = marked || !deferrable || sequence - completion.marked() >= backlog.mostUnmarked();
    if (now && device.isUsable()) {
      completion.markNow(sequence);
    }
  }

  /** The same if there is no caller to which a failed mark could be reported. */
  void handedOverLater(long sequence, boolean marked) {
    try {
      handedOver(sequence, marked);
    } catch (RuntimeException e) {
      failures.add(sequence, e);
    }
  }

  /** As {@link #handedOverUncounted}, if there is no caller. */
  void handedOverUncountedLater(long sequence) {
    completion.countNot();
    handedOverLater(sequence, false);
  }

  /**
   * Marks the small copies that have no mark yet, before an operation of another kind follows. A
   * thread that awaits a small copy may also wait for some later small copies, but never for a
   * kernel, a large copy or an event.
   */
  void markCopies() {
    if (completion.isLoose()) {
      completion.markNow(completion.submitted());
    }
  }

  /**
   * Takes a number for an operation that holds the stream from now on, until {@link #resume}.
   * Nothing may be held back already.
   *
   * @param by the operation, for the report of a deadlock
   * @param used the resource that it uses on this stream
   */
  long reserve(String by, Resource used) {
    long sequence = begin(used, null);
    hold(by);
    return sequence;
  }

  /**
   * Holds back everything after the operation that is being submitted, until {@link #resume}.
   *
   * @param by the operation, for the report of a deadlock
   */
  void hold(String by) {
    device.lock.assertHeld();
    held = true;
    heldBy = by;
    staging = false;
  }

  /** The same for an operation that ends by itself, without the program's code. */
  void holdWhileStaging(String by) {
    hold(by);
    staging = true;
  }

  /** Whether operations are held back because the driver has as many as it takes. */
  boolean isDriverFull() {
    return full;
  }

  /** Whether the operation that holds the stream ends by itself. */
  boolean isHeldByStaging() {
    return held && staging;
  }

  boolean isHeld() {
    return held;
  }

  /** {@return what holds the stream back, in a clause} */
  String describeHold() {
    return "%s is held back by %s, with %d operation%s after it"
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
   * The same after work of the host alone. If everything before it is known to be done, so is the
   * work, and no mark has to say so.
   */
  void resumeAfterHostWork(long sequence) {
    synchronized (device.lock) {
      boolean known =
          !driver.clock().isModelled() && device.isUsable() && completion.isKnownDone(sequence - 1);
      if (known) {
        completion.doneOnHost(sequence);
      }
      resume(sequence, !known);
    }
  }

  /**
   * Hands over deferred operations, as far as possible. A nested call leaves the work to the outer
   * one.
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
        // This may let other streams go on, and they may let this one go on: in the next round
        // rather than in a nested call. The round is due even if nothing is deferred any more,
        // because a thread may wait for the operation that the others let go.
        completion.promoteEarlyWaiters();
      } while (completion.submitted() > promoted || canHandOver());
    } finally {
      driver.clock().set(stamp);
      draining = false;
    }
  }

  /** Hands over what was just deferred, if nothing holds it back. */
  void goOn() {
    if (!held && !full) {
      drainDeferred();
    }
  }

  private boolean canHandOver() {
    if (held || deferred.isEmpty() || isTimeUp()) {
      return false;
    }
    try {
      return !device.isUsable() || (hasRoom() && isPrepared());
    } catch (RuntimeException e) {
      if (device.isUsable()) {
        throw e;
      }
      Loss.kept(e);
      return false; // the device was lost at this very moment, and everything deferred was
      // abandoned
    }
  }

  /** Whether the library has what the next operation needs; if not, the poller goes on later. */
  private boolean isPrepared() {
    if (!(deferred.element().operation instanceof Operation.Prepared next) || next.isReady()) {
      return true;
    }
    full = true;
    completion.watch();
    return false;
  }

  private boolean isTimeUp() {
    return handOverUntil != 0 && System.nanoTime() - handOverUntil >= 0;
  }

  private void submitDeferred(Deferred next) {
    try {
      if (device.isUsable()) {
        beforeCopy(next.smallBytes > 0);
        next.operation.submit();
      }
    } catch (RuntimeException e) {
      held = false;
      if (!next.operation.refused(e)) {
        failures.add(next.sequence, e);
      }
    } finally {
      drop(next);
    }
    if (!held && isPending(next.sequence)) {
      boolean due = next.smallBytes > 0 && completion.countCopy(next.smallBytes);
      handedOverLater(next.sequence, next.marked || due);
    }
  }

  /** Enqueues an operation that changes no ordinary host memory. */
  long enqueueOnDevice(
      @Nullable Resource to, @Nullable Resource from, boolean marked, Operation operation) {
    synchronized (device.lock) {
      long sequence = begin(to, from);
      changesNoOtherMemory(sequence);
      submitOrDefer(sequence, marked, operation);
      return sequence;
    }
  }

  /** Enqueues an operation that may hold the stream. */
  long enqueue(
      @Nullable Resource to, @Nullable Resource from, boolean marked, Operation operation) {
    synchronized (device.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, marked, operation);
      return sequence;
    }
  }

  /**
   * Enqueues the record of an event that is no mark, unless time is modelled, in which marks have
   * times. Copies before it need no mark because of it: who awaits them may await it too.
   */
  long stamp(Operation operation) {
    device.lock.assertHeld();
    long sequence = begin(null, null);
    changesNoOtherMemory(sequence);
    boolean isModelled = driver.clock().isModelled();
    submitOrDefer(sequence, isModelled, isModelled || completion.endsElsewhere(), operation);
    return sequence;
  }

  /**
   * Enqueues a staged copy, which holds the stream or goes to the driver at once.
   *
   * @param cost what it counts for as a small copy, if it goes at once; 0 if it cannot
   * @param refused ends the copy if it was held back and cannot be handed over
   */
  long enqueueStaged(
      Resource onDevice, long cost, LongConsumer copy, Consumer<RuntimeException> refused) {
    synchronized (device.lock) {
      long sequence = begin(onDevice, null);
      if (!isDirect()) {
        deferCopy(sequence, cost > 0, cost, staged(sequence, copy, refused));
        return sequence;
      }
      boolean accepted = false;
      try {
        beforeCopy(cost > 0);
        copy.accept(sequence);
        accepted = true;
      } catch (DriverException e) {
        throw device.raised(e);
      } finally {
        held &= accepted;
        if (!held && isPending(sequence)) {
          copied(sequence, cost > 0, cost);
        }
      }
      return sequence;
    }
  }

  private static Operation staged(
      long sequence, LongConsumer copy, Consumer<RuntimeException> refused) {
    return new Operation() {
      @Override
      public void submit() {
        copy.accept(sequence);
      }

      @Override
      public boolean refused(RuntimeException cause) {
        refused.accept(cause);
        return true;
      }
    };
  }

  /** Enqueues an operation that holds the stream and needs to know its own number. */
  long enqueueHolding(@Nullable Resource to, @Nullable Resource from, LongConsumer operation) {
    synchronized (device.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, true, () -> operation.accept(sequence));
      return sequence;
    }
  }

  /**
   * Asks the driver for the stream's progress, and goes on if the driver was full.
   *
   * @param due receives the actions that waited for it
   * @return whether the stream has to be polled further
   */
  boolean advance(List<Runnable> due) {
    boolean waitedFor = completion.advance(due);
    if (!full) {
      return waitedFor;
    }
    if (!isDueToGoOn()) {
      boolean _ =
          completion.isSurelyMarked(
              completion.submitted()); // without a mark nobody would see when it is done
    } else if (driver.clock().isModelled()) {
      // Polls come only when there is something to see, and nobody measures how soon.
      full = false;
      drainDeferred();
    }
    return true; // a thread may also wait for what is handed over now
  }

  /**
   * {@return whether it is time to hand over the operations held back because the driver was full}
   */
  boolean isDueToGoOn() {
    return full && isBelow(backlog.most() / 2);
  }

  /**
   * {@return whether the device may soon have finished all operations that it has of this stream}
   */
  boolean isHurried() {
    return full && isBelow(backlog.most() / 4);
  }

  /**
   * Hands over a part, so that others need not wait long; the rest when the stream's turn comes
   * again.
   */
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

  /** Abandons everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    completion.abandon(due);
    deferred.forEach(Handover::drop);
    deferred.clear();
  }

  private static void drop(Deferred operation) {
    if (operation.operation instanceof Operation.Prepared prepared) {
      prepared.dropped();
    }
  }

  /** Marks the unmarked small copies if the copy that follows needs a mark of its own. */
  void beforeCopy(boolean small) {
    if (!small || !completion.hasUnmarkedCopies()) {
      markCopies();
    }
  }

  /** Notes that the driver has taken or refused a copy. */
  void copied(long sequence, boolean small, long bytes) {
    handedOver(sequence, !small || completion.countCopy(bytes));
  }

  /** Holds a copy or a fill back. */
  void deferCopy(long sequence, boolean small, long bytes, Operation copy) {
    deferred.add(new Deferred(sequence, !small, small ? bytes : 0, driver.clock().now(), copy));
  }

  /** Enqueues a copy, after {@link #begin}. */
  void submitOrDeferCopy(long sequence, boolean small, long bytes, Operation copy) {
    if (!isDirect()) {
      deferCopy(sequence, small, bytes, copy);
      return;
    }
    try {
      beforeCopy(small);
      copy.submit();
    } catch (DriverException e) {
      throw device.raised(e);
    } finally {
      copied(sequence, small, bytes);
    }
  }

  /**
   * Refuses all further operations.
   *
   * @return false if they were refused before
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
