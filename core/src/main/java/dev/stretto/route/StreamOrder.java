package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
abstract sealed class StreamOrder extends StreamProgress permits StreamQueue {
  /**
   * For how long who watches hands operations over in one go: somebody's completion may be waiting
   * for the next look, and somebody else for the lock, who is parked if it takes much longer.
   */
  private static final long HAND_OVER_NANOS = 10_000;

  private record Deferred(long sequence, boolean marked, long stamp, Operation operation) {}

  private final ArrayDeque<Deferred> deferred = new ArrayDeque<>();
  private final List<Runnable> afterDestruction = new ArrayList<>(1);
  private final Map<Engine, StreamQueue> companions = new HashMap<>(0);
  private Set<Resource> granted = Set.of();
  boolean held;
  private String heldBy = "";
  private boolean staging;
  private boolean draining;
  private boolean full;

  /** Until when operations are handed over, of {@link System#nanoTime()}; 0 for to the last. */
  private long handOverUntil;

  private boolean closed;
  private long resumeNanos;

  /** Where the program has opened the stream; null if Stretto has opened it for itself. */
  volatile @Nullable StackTraceElement openedBy;

  StreamOrder(Engine engine, long handle, boolean deferrable, StreamName name) {
    super(engine, handle, deferrable, name);
  }

  /**
   * The program has opened the stream, and is to hear of what fails on it.
   *
   * @param place where; of several, the first is kept
   */
  public void openedBy(StackTraceElement place) {
    if (openedBy == null) {
      openedBy = place;
      engine.opened(toHost);
    }
  }

  /** {@return where the program has opened the stream; null if Stretto has, for itself} */
  public @Nullable StackTraceElement openedBy() {
    return openedBy;
  }

  /** {@return whether the program has opened the stream} */
  public boolean isOfProgram() {
    return openedBy != null;
  }

  void requireOpen() {
    engine.requireUsable();
    if (closed) {
      throw new ClosedException(
          "the stream is closed: nothing more can be enqueued on " + fullTitle());
    }
  }

  /** Whether operations can be enqueued. */
  boolean accepts() {
    return !closed && !engine.isClosed() && engine.isUsable();
  }

  /** Whether an operation is held back that will still be handed over. */
  boolean isPending(long sequence) {
    return submitted < sequence;
  }

  long begin(@Nullable Resource to, @Nullable Resource from) {
    engine.lock.assertHeld();
    requireOpen();
    long sequence = issued + 1;
    if (to != null) {
      noteUse(to, sequence);
    }
    if (from != null) {
      noteUse(from, sequence);
    }
    issued = sequence;
    return sequence;
  }

  void noteUse(Resource resource, long sequence) {
    if (!resource.use(self(), sequence) && !granted.contains(resource)) {
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
  public <T> T together(List<? extends Resource> used, int most, Supplier<T> body) {
    synchronized (engine.lock) {
      requireOpen();
      long last = issued + most;
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

  boolean isDirect() {
    return !held && deferred.isEmpty() && hasRoom();
  }

  /** Whether the driver takes more of this stream now; if not, the watch goes on when it does. */
  private boolean hasRoom() {
    if (isBelow(engine.backlog()) || !deferrable) {
      return true;
    }
    try {
      harvest();
      if (isBelow(engine.backlog())) {
        return true;
      }
      ensureMarked(submitted); // or nobody would see when there is room again
    } catch (RuntimeException e) {
      if (!engine.isUsable()) {
        throw e;
      }
      unmarked = true;
    }
    full = true;
    engine.watch(self());
    return false;
  }

  /** {@return whether the driver has taken as many operations of this stream as it takes} */
  public boolean isFull() {
    synchronized (engine.lock) {
      return deferrable ? full && !held : !isBelow(engine.backlog());
    }
  }

  /**
   * Whether no more operations than this are in the driver's hands, or on their way there: a number
   * may be taken for more than the operation that it is of.
   */
  private boolean isBelow(int operations) {
    return completed >= submitted || issued - deferred.size() - completed <= operations;
  }

  /** Takes numbers for what the operation that follows needs of the driver's queue besides. */
  void count(int others) {
    if (isDirect()) {
      issued += others;
      return;
    }
    for (int i = 0; i < others; i++) {
      defer(++issued, false, () -> {});
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
      throw engine.raised(e);
    } finally {
      held &= accepted;
      if (!held && submitted < sequence) {
        handedOver(sequence, marked);
      }
    }
  }

  void defer(long sequence, boolean marked, Operation operation) {
    deferred.add(new Deferred(sequence, marked, driver.clock().now(), operation));
  }

  void handedOver(long sequence, boolean marked) {
    engine.lock.assertHeld();
    // Not back again: after a loss all was given up, while what held the stream may end only now.
    submitted = Math.max(submitted, sequence);
    // The default stream of a thread can be marked by that thread alone: now or never.
    boolean now =
        marked || !deferrable || sequence - marks.markedSequence() >= engine.unmarkedAtMost();
    if (now && engine.isUsable()) {
      markNow(sequence);
    }
  }

  /** The same where there is no caller to tell of a mark that failed. */
  void handedOverLater(long sequence, boolean marked) {
    try {
      handedOver(sequence, marked);
    } catch (RuntimeException e) {
      fail(sequence, e);
    }
  }

  /**
   * Marks the small copies that have no mark yet, before an operation of another kind follows: who
   * awaits one of them may wait for some small copies more, but never for a kernel, a large copy or
   * an event.
   */
  void markCopies() {
    if (isLoose()) {
      markNow(submitted);
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
    engine.lock.assertHeld();
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
        .formatted(fullTitle(), heldBy, deferred.size(), deferred.size() == 1 ? "" : "s");
  }

  /** Lets the queue go on after the operation that held it. */
  void resume(long sequence, boolean marked) {
    synchronized (engine.lock) {
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
    engine.lock.assertHeld();
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
        promoted = submitted;
        // May let other streams go on, and those this one: not in a deeper call, but in the next
        // round. That round is due even if nothing is deferred any more: somebody may wait for the
        // very operation that the others let go.
        promoteEarlyWaiters();
      } while (submitted > promoted || canHandOver());
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
      return !engine.isUsable() || hasRoom();
    } catch (RuntimeException e) {
      if (engine.isUsable()) {
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
      if (engine.isUsable()) {
        markCopies();
        next.operation.submit();
      }
    } catch (RuntimeException e) {
      held = false;
      fail(next.sequence, e);
    }
    if (!held && submitted < next.sequence) {
      handedOverLater(next.sequence, next.marked);
    }
  }

  /** Enqueues an operation that may hold the queue. */
  long enqueue(
      @Nullable Resource to, @Nullable Resource from, boolean marked, Operation operation) {
    synchronized (engine.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, marked, operation);
      return sequence;
    }
  }

  /** Enqueues an operation that holds the queue and needs to know its own number. */
  long enqueueHolding(@Nullable Resource to, @Nullable Resource from, LongConsumer operation) {
    synchronized (engine.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, true, () -> operation.accept(sequence));
      return sequence;
    }
  }

  @Override
  boolean advance(List<Runnable> due) {
    boolean waitedFor = super.advance(due);
    if (!full) {
      return waitedFor;
    }
    if (!isDueToGoOn()) {
      boolean _ = isSurelyMarked(submitted); // or nobody would see when to go on
    } else if (driver.clock().isModelled()) {
      // Whoever looks does so only when there is something to see, and nobody measures how soon.
      full = false;
      drainDeferred();
    }
    return true; // for what is handed over, too, somebody may wait
  }

  /** {@return whether it is time to hand over what was held back since the driver was full} */
  boolean isDueToGoOn() {
    return full && isBelow(engine.backlog() / 2);
  }

  /** {@return whether the device may soon be done with all that it has of this stream} */
  boolean isHurried() {
    return full && isBelow(engine.backlog() / 4);
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

  @Override
  void abandon(List<Runnable> due) {
    super.abandon(due);
    deferred.clear();
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Ends the stream: nothing more is accepted, and the driver's stream goes once its last operation
   * is done.
   */
  public boolean close() {
    long last;
    synchronized (engine.lock) {
      if (closed) {
        return false;
      }
      closed = true;
      last = issued;
    }
    whenDone(last, this::destroy);
    return true;
  }

  /** {@return whether the stream accepts operations} */
  public boolean isOpen() {
    synchronized (engine.lock) {
      return !closed;
    }
  }

  /** Has an action run once the stream is closed and its driver's stream is gone. */
  void whenDestroyed(Runnable action) {
    synchronized (engine.lock) {
      if (!destroyed) {
        afterDestruction.add(action);
        return;
      }
    }
    action.run();
  }

  void destroy() {
    List<Failures.Untold> untold;
    boolean cutShort;
    synchronized (engine.lock) {
      untold = untold();
      cutShort = engine.isLost() && completed < issued;
      engine.forget(self());
      if (engine.isUsable()) {
        lastNanos = marks.lastNanos();
        giveBack("an event of " + title(), marks::destroy);
      }
      if (engine.isUsable() && deferrable) {
        giveBack(title(), () -> driver.destroyStream(handle));
      }
      destroyed = true;
      engine.gone(toHost);
    }
    untold.forEach(this::report);
    if (cutShort && openedBy != null) {
      engine.loss().closes(describe());
    }
    companions.values().forEach(StreamQueue::close);
    afterDestruction.forEach(Runnable::run);
  }

  /**
   * Nobody awaited the stream or the operation, and nobody can any more who does not know of it.
   */
  private void report(Failures.Untold failure) {
    Loss loss = Loss.of(failure.cause());
    if (failure.sort() == Failures.Sort.CALLBACK) {
      ProgramLog.warn(
          "a callback of %s threw, and neither its event nor the stream was awaited"
              .formatted(describe()),
          failure.cause());
    } else if (openedBy != null && (loss == null || engine.isFirstToTell(loss))) {
      ProgramLog.warn(
          "operation %d of %s failed, and neither it nor the stream was awaited: %s"
              .formatted(failure.sequence(), describe(), failure.cause().getMessage()),
          failure.cause());
    }
  }

  /** {@return which stream this is, for messages} */
  public String describe() {
    StackTraceElement place = openedBy;
    String where = place == null ? "" : " (opened at " + place + ")";
    return fullTitle() + where;
  }

  /**
   * {@return a stream of another device's that takes part in small copies of this one's} Only of
   * this one's, whose order it has: on a stream that others use too, copies that wait would hold up
   * those for which they are waiting.
   */
  StreamQueue companion(Engine other) {
    StreamQueue companion = companions.get(other);
    if (companion == null || !companion.isOpen()) {
      companions.keySet().removeIf(Engine::isClosed);
      companion = other.open(0, StreamName.ofStretto("companion of " + fullTitle()));
      companions.put(other, companion);
    }
    return companion;
  }

  void giveBack(String what, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      engine.report(what + " could not be given back", e);
    }
  }
}
