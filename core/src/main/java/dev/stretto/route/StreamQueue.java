package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostClock;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of one driver stream. Every operation gets a sequence number when it is called; it is done when the stream's marks
 * say that everything up to that number is.
 *
 * <p>Normally an operation goes straight to the driver. Where it cannot go yet (a staged copy before it is still being fed, a
 * callback is running, an event that it waits for is not recorded, the driver's launch queue is full) it is deferred, and so is all
 * that follows: the order is always that of the calls, and no call waits.
 *
 * <p>All state is guarded by the engine's lock.
 */
public final class StreamQueue {
  /** Copies up to this size may share a mark with those right behind them: it costs a sixth of what such a copy costs. */
  private static final long SMALL_COPY = 64 << 10;

  private static final int COPIES_OF_A_MARK = 16;

  /** Unmarked operations in a row at most, so that the backlog can be measured. */
  private static final int MARK_EVERY = 32;

  /** The largest copy that {@link #copyInline} takes. */
  public static final int INLINE_BYTES = SmallSlots.BYTES;

  private record Deferred(long sequence, boolean marked, long stamp, Operation operation) {}

  private final Engine engine;
  private final DriverDevice driver;
  private final long handle;
  private final boolean deferrable;
  private final Marks marks;
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final List<Waiter> earlyWaiters = new ArrayList<>();
  private final ArrayDeque<Deferred> deferred = new ArrayDeque<>();
  private final List<Transfer> drains = new ArrayList<>();

  private long issued;
  private long submitted;
  private volatile long completed;
  private volatile boolean draining;
  private int unmarkedCopies;
  private boolean held;
  private boolean full;
  private boolean closed;
  private long resumeNanos;
  private @Nullable RuntimeException failure;

  StreamQueue(Engine engine, long handle, boolean deferrable) {
    this.engine = engine;
    this.driver = engine.driver();
    this.handle = handle;
    this.deferrable = deferrable;
    this.marks = new Marks(driver);
  }

  /** {@return the driver's handle} */
  public long handle() {
    return handle;
  }

  /** {@return the engine of the device that this stream belongs to} */
  public Engine engine() {
    return engine;
  }

  /** {@return whether operations can be held back on this stream; not on CUDA's default streams} */
  public boolean isDeferrable() {
    return deferrable;
  }

  // --- the verbs --------------------------------------------------------------------------------------------------------------

  /**
   * Enqueues a copy whose host end, if any, is pinned.
   *
   * @return the operation's sequence number
   */
  public long copy(Resource to, Resource from, long dst, long src, long bytes, CopyKind kind) {
    synchronized (engine.lock) {
      long sequence = begin(to, from);
      if (isDirect()) {
        boolean small = bytes <= SMALL_COPY;
        if (!small) {
          markCopies();
        }
        try {
          driver.copy(dst, src, bytes, kind, handle);
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          handedOver(sequence, !small || ++unmarkedCopies == COPIES_OF_A_MARK);
        }
      } else {
        defer(sequence, true, () -> driver.copy(dst, src, bytes, kind, handle));
      }
      return sequence;
    }
  }

  /**
   * Enqueues a small copy out of ordinary memory, if that can be done at once.
   *
   * @param host at most {@link #INLINE_BYTES} bytes; read before this returns
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public long copyInline(Resource to, long dst, MemorySegment host) {
    synchronized (engine.lock) {
      if (!deferrable || !isDirect() || !settling().isEmpty()) {
        return -1;
      }
      engine.requireUsable();
      MemorySegment slot = engine.smallSlots().take();
      if (slot == null) {
        return -1;
      }
      long bytes = host.byteSize();
      MemorySegment.copy(host, 0, slot, 0, bytes);
      if (driver.clock().isModelled()) {
        driver.clock().set(driver.clock().now() + driver.clock().copyNanos(bytes));
      }
      long sequence = begin(to, null);
      try {
        driver.copy(dst, slot.address(), bytes, CopyKind.HOST_TO_DEVICE, handle);
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        handedOver(sequence, true);
      }
      engine.smallSlots().used(this, marks.indexFor(sequence));
      return sequence;
    }
  }

  /**
   * Enqueues a copy between two places of ordinary memory, done by a host thread.
   *
   * @return the operation's sequence number
   */
  public long copyOnHost(MemorySegment dst, MemorySegment src) {
    return then(
        () -> {
          try {
            MemorySegment.copy(src, 0, dst, 0, src.byteSize());
          } catch (IllegalStateException | InternalError e) {
            throw new CopyFailedException(
                "the host memory of a copy of "
                    + src.byteSize()
                    + " bytes could not be accessed while it was under way ("
                    + e.getMessage()
                    + "): keep its arena or mapped file open until the copy is done",
                e);
          }
          driver.clock().atLeast(driver.clock().now() + driver.clock().copyNanos(src.byteSize()));
        },
        engine::later);
  }

  /** Enqueues a strided copy whose host end, if any, is pinned. */
  public long copy2D(
      Resource to,
      Resource from,
      long dst,
      long dstPitch,
      long src,
      long srcPitch,
      long width,
      long rows,
      CopyKind kind) {
    return enqueue(
        to,
        from,
        true,
        () -> driver.copy2D(dst, dstPitch, src, srcPitch, width, rows, kind, handle));
  }

  /** Enqueues a copy on the driver's own pageable path, which may block the caller. */
  public long copyPageable(Resource onDevice, long device, MemorySegment host, CopyKind kind) {
    long sequence;
    synchronized (engine.lock) {
      sequence = begin(onDevice, null);
      if (!isDirect()) {
        handOverInTurn(sequence);
        throw new RouteException(
            "the driver's pageable path blocks its caller and cannot be taken while earlier operations of the"
                + " stream are held back (a staged copy, a callback or an unrecorded event before it): await the stream"
                + " first");
      }
      // The sequence number is handed over below, outside the lock: the driver may block for the whole copy.
      held = true;
    }
    try {
      driver.copyPageable(device, host, kind, handle);
    } catch (DriverException e) {
      throw engine.raised(e);
    } finally {
      resume(sequence, true);
    }
    return sequence;
  }

  /** Enqueues a fill. */
  public long fill(Resource to, long dst, long value, int elementBytes, long count) {
    return enqueue(to, null, true, () -> driver.fill(dst, value, elementBytes, count, handle));
  }

  /**
   * Enqueues a launch whose resources have been noted by {@link #begin}.
   *
   * @param used every resource that the kernel may touch, the kernel's own module first
   * @param launch the launch; its parameters are copied before this returns
   */
  public long launch(Resource[] used, PackedLaunch launch) {
    synchronized (engine.lock) {
      engine.requireUsable();
      for (Resource resource : used) {
        noteUse(resource, issued + 1);
      }
      long sequence = begin(null, null);
      if (isDirect()) {
        markCopies();
        try {
          launch.submit(driver, handle);
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          handedOver(sequence, false);
        }
      } else {
        PackedLaunch snapshot = launch.snapshot();
        defer(sequence, false, () -> snapshot.submit(driver, handle));
      }
      return sequence;
    }
  }

  /** Marks this point of the stream. */
  public long mark() {
    synchronized (engine.lock) {
      long sequence = begin(null, null);
      if (isDirect()) {
        handedOver(sequence, true);
      } else {
        defer(sequence, true, () -> {});
      }
      return sequence;
    }
  }

  /**
   * Records a timed event of the driver's at this point.
   *
   * @param event owned by the caller
   */
  public long record(long event) {
    return enqueue(null, null, true, () -> driver.recordEvent(event, handle));
  }

  /**
   * Makes all later operations wait for a point of another stream.
   *
   * @param other the stream
   * @param point the point's sequence number
   * @param settling what has to reach ordinary host memory before that point counts as done
   */
  public void waitFor(StreamQueue other, long point, List<Transfer> settling) {
    synchronized (engine.lock) {
      for (int i = 0; i < settling.size(); i++) {
        addDrain(settling.get(i));
      }
      if (other == this || other.isKnownDone(point)) {
        return;
      }
      if (other.engine.lock != engine.lock) {
        waitForStranger(other, point);
        return;
      }
      if (isDirect() && other.isHandedOver(point)) {
        long sequence = begin(null, null);
        markCopies();
        try {
          other.waitedFor(point, handle);
        } finally {
          handedOver(sequence, false);
        }
        return;
      }
      if (!deferrable) {
        throw new RouteException(
            "a default stream cannot wait for an event that is still held back behind a staged copy or a callback:"
                + " await the event, or use device.stream()");
      }
      long sequence = begin(null, null);
      submitOrDefer(
          sequence,
          false,
          () -> {
            if (other.isHandedOver(point)) {
              other.waitedFor(point, handle);
            } else {
              hold();
              other.whenHandedOver(
                  point,
                  () -> {
                    synchronized (engine.lock) {
                      if (engine.isUsable()) {
                        other.waitedFor(point, handle);
                      }
                      resume(sequence, false);
                    }
                  });
            }
          });
    }
  }

  /** A stream of another driver knows nothing of this one's events: the host passes the news on. */
  private void waitForStranger(StreamQueue other, long point) {
    if (!deferrable) {
      throw new RouteException(
          "a default stream cannot wait for a stream of another driver: await the event, or use device.stream()");
    }
    enqueueHolding(
        null,
        null,
        sequence -> {
          hold();
          engine.later(() -> other.whenDone(point, () -> resume(sequence, false)));
        });
  }

  /** Enqueues an operation that may hold the queue. */
  long enqueue(@Nullable Resource to, @Nullable Resource from, boolean marked, Operation operation) {
    synchronized (engine.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, marked, operation);
      return sequence;
    }
  }

  /** Enqueues an operation that holds the queue and needs to know its own number. */
  long enqueueHolding(
      @Nullable Resource to, @Nullable Resource from, LongConsumer operation) {
    synchronized (engine.lock) {
      long sequence = begin(to, from);
      submitOrDefer(sequence, true, () -> operation.accept(sequence));
      return sequence;
    }
  }

  /** Enqueues a staged copy. */
  long enqueueTransfer(Resource onDevice, Transfer transfer) {
    if (!deferrable) {
      throw new RouteException(
          "a default stream cannot hold operations back, which a staged copy needs: use device.stream(), or pinned"
              + " memory");
    }
    synchronized (engine.lock) {
      List<Transfer> earlier = settling();
      long sequence =
          enqueueHolding(onDevice, null, number -> transfer.start(number, earlier));
      if (transfer instanceof StagedOut) {
        addDrain(transfer);
      }
      return sequence;
    }
  }

  /**
   * Runs a callback in the order of the stream: after all that was enqueued before, ordinary host memory included, and before all that
   * is enqueued later.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback, Executor executor) {
    if (!deferrable) {
      throw new RouteException(
          "a default stream cannot hold operations back, which a callback needs: use device.stream()");
    }
    Executor runner = engine.cooperation() != null ? engine::later : executor;
    synchronized (engine.lock) {
      List<Transfer> earlier = settling();
      return enqueueHolding(
          null,
          null,
          sequence -> {
            hold();
            long stamp = driver.clock().now();
            Countdown ready =
                new Countdown(
                    earlier.size() + 1,
                    () -> runner.execute(() -> runCallback(callback, sequence, stamp, earlier)));
            earlier.forEach(transfer -> transfer.whenSettled(ready::down));
            engine.later(() -> whenDone(sequence - 1, ready::down));
          });
    }
  }

  /**
   * Runs a callback in the order of the stream on a virtual thread of its own.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback) {
    return then(callback, task -> Thread.ofVirtual().name("stretto-callback").start(task));
  }

  private void runCallback(
      Runnable callback, long sequence, long stamp, List<Transfer> earlier) {
    try {
      if (engine.isUsable()) {
        HostClock clock = driver.clock();
        if (clock.isModelled()) {
          clock.set(Math.max(stamp, doneNanos(sequence - 1)));
          earlier.forEach(transfer -> clock.atLeast(transfer.settledNanos()));
        }
        callback.run();
      }
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      resume(sequence, true);
    }
  }

  // --- order ------------------------------------------------------------------------------------------------------------------

  private long begin(@Nullable Resource to, @Nullable Resource from) {
    engine.requireUsable();
    if (closed) {
      throw new ClosedException("the stream is closed: nothing more can be enqueued on it");
    }
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

  private void noteUse(Resource resource, long sequence) {
    if (!resource.use(this, sequence)) {
      throw new ClosedException(resource.describe() + " is closed");
    }
  }

  private boolean isDirect() {
    if (held || !deferred.isEmpty()) {
      return false;
    }
    if (issued - completed <= engine.backlog() || !deferrable) {
      return true;
    }
    harvest();
    if (issued - completed <= engine.backlog()) {
      return true;
    }
    full = true;
    engine.watch(this);
    return false;
  }

  private void submitOrDefer(long sequence, boolean marked, Operation operation) {
    if (isDirect()) {
      markCopies();
      try {
        operation.submit();
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        if (!held) {
          handedOver(sequence, marked);
        }
      }
    } else {
      defer(sequence, marked, operation);
    }
  }

  private void defer(long sequence, boolean marked, Operation operation) {
    deferred.add(new Deferred(sequence, marked, driver.clock().now(), operation));
  }

  /** Gives an operation that turned out to be impossible its turn as one that does nothing. */
  private void handOverInTurn(long sequence) {
    defer(sequence, false, () -> {});
  }

  private void handedOver(long sequence, boolean marked) {
    submitted = sequence;
    if (marked || sequence - marks.markedSequence() >= MARK_EVERY) {
      markNow(sequence);
    }
  }

  /**
   * Marks the small copies that have no mark yet, before an operation of another kind follows: who awaits one of them may wait for some
   * small copies more, but never for a kernel, a large copy or an event.
   */
  private void markCopies() {
    if (unmarkedCopies > 0) {
      markNow(submitted);
    }
  }

  /** Holds back everything after the operation that is being submitted, until {@link #resume}. */
  void hold() {
    held = true;
  }

  /** Lets the queue go on after the operation that held it. */
  void resume(long sequence, boolean marked) {
    synchronized (engine.lock) {
      held = false;
      resumeNanos = driver.clock().now();
      if (engine.isUsable()) {
        handedOver(sequence, marked);
      } else {
        submitted = sequence;
      }
      drainDeferred();
    }
  }

  private void drainDeferred() {
    long stamp = driver.clock().now();
    while (!held && !deferred.isEmpty()) {
      if (issued - deferred.size() - completed > engine.backlog() && deferrable) {
        harvest();
        if (issued - deferred.size() - completed > engine.backlog()) {
          full = true;
          engine.watch(this);
          break;
        }
      }
      Deferred next = deferred.remove();
      if (engine.isUsable()) {
        markCopies();
      }
      driver.clock().set(Math.max(next.stamp, resumeNanos));
      try {
        if (engine.isUsable()) {
          next.operation.submit();
        }
      } catch (RuntimeException e) {
        fail(e);
      }
      if (!held) {
        if (engine.isUsable()) {
          handedOver(next.sequence, next.marked);
        } else {
          submitted = next.sequence;
        }
      }
    }
    driver.clock().set(stamp);
    promoteEarlyWaiters();
  }

  /** Keeps the first failure of an operation that was handed over after its call had returned. */
  void fail(RuntimeException cause) {
    synchronized (engine.lock) {
      RuntimeException raised = cause instanceof DriverException e ? engine.raised(e) : cause;
      if (failure == null) {
        failure = raised;
      }
    }
  }

  /** {@return the first failure since the last call, if any; it is told once} */
  public @Nullable RuntimeException takeFailure() {
    synchronized (engine.lock) {
      RuntimeException first = failure;
      failure = null;
      return first;
    }
  }

  long markNow(long sequence) {
    unmarkedCopies = 0;
    try {
      return marks.record(handle, sequence);
    } catch (DriverException e) {
      throw engine.raised(e);
    }
  }

  /** A mark inside an operation: everything before the operation is done when it is. */
  long markWithin(long sequence) {
    return markNow(sequence - 1);
  }

  boolean isMarkDone(long mark) {
    if (mark >= marks.completedMarks()) {
      harvest();
    }
    return mark < marks.completedMarks();
  }

  long markNanos(long mark) {
    return marks.nanos(mark);
  }

  // --- completion -------------------------------------------------------------------------------------------------------------

  /** {@return the number of the last operation that was called} */
  public long lastIssued() {
    synchronized (engine.lock) {
      return issued;
    }
  }

  /** {@return whether an operation is known to be done, without asking the driver} */
  public boolean isKnownDone(long sequence) {
    return completed >= sequence;
  }

  /** {@return whether an operation is done} */
  public boolean isDone(long sequence) {
    if (completed >= sequence) {
      return true;
    }
    synchronized (engine.lock) {
      engine.requireNotLost();
      if (submitted >= sequence) {
        ensureMarked(sequence);
        harvest();
      }
      return completed >= sequence;
    }
  }

  /** {@return on a modelled device when an operation was done, as far as it is still known; 0 where time is real} */
  public long doneNanos(long sequence) {
    synchronized (engine.lock) {
      return marks.markedSequence() < sequence ? 0 : marks.nanos(marks.indexFor(sequence));
    }
  }

  /** Has {@code action} run once an operation is done; at once if it is. The action must not block. */
  public void whenDone(long sequence, Runnable action) {
    synchronized (engine.lock) {
      if (engine.isUsable() && !isDone(sequence)) {
        if (submitted >= sequence) {
          addWaiter(marks.indexFor(sequence), action);
        } else {
          earlyWaiters.add(new Waiter(sequence, action));
        }
        return;
      }
    }
    action.run();
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

  private void whenHandedOver(long sequence, Runnable action) {
    // A waiter by number that does not want the mark's completion, only its existence: see promoteEarlyWaiters.
    earlyWaiters.add(new Waiter(sequence, new HandOver(action)));
  }

  private record HandOver(Runnable action) implements Runnable {
    @Override
    public void run() {
      action.run();
    }
  }

  private boolean isHandedOver(long sequence) {
    return submitted >= sequence;
  }

  private void waitedFor(long point, long waitingStream) {
    if (completed < point) {
      ensureMarked(point);
      driver.waitEvent(waitingStream, marks.event(marks.indexFor(point)));
    }
  }

  private void addWaiter(long mark, Runnable action) {
    waiters.add(new Waiter(mark, action));
    engine.watch(this);
  }

  private void promoteEarlyWaiters() {
    if (earlyWaiters.isEmpty()) {
      return;
    }
    List<Runnable> handOvers = new ArrayList<>();
    earlyWaiters.removeIf(
        waiter -> {
          if (waiter.key() > submitted) {
            return false;
          }
          if (waiter.action() instanceof HandOver) {
            handOvers.add(waiter.action());
          } else if (engine.isUsable()) {
            ensureMarked(waiter.key());
            addWaiter(marks.indexFor(waiter.key()), waiter.action());
          } else {
            handOvers.add(waiter.action());
          }
          return true;
        });
    handOvers.forEach(Runnable::run);
  }

  private void ensureMarked(long sequence) {
    if (marks.markedSequence() < sequence) {
      markNow(submitted);
    }
  }

  private void harvest() {
    try {
      marks.harvest();
    } catch (DriverException e) {
      throw engine.raised(e);
    }
    completed = Math.max(completed, marks.completedSequence());
  }

  /**
   * Asks the driver how far the stream is and collects what waited for that.
   *
   * @return whether the queue has to be watched further
   */
  boolean advance(List<Runnable> due) {
    harvest();
    Waiter first;
    while ((first = waiters.peek()) != null && first.key() < marks.completedMarks()) {
      waiters.remove();
      due.add(first.action());
    }
    if (full && issued - deferred.size() - completed <= engine.backlog() / 2) {
      full = false;
      drainDeferred();
    }
    return full || !waiters.isEmpty();
  }

  /** Gives up everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    waiters.forEach(waiter -> due.add(waiter.action()));
    earlyWaiters.forEach(waiter -> due.add(waiter.action()));
    waiters.clear();
    earlyWaiters.clear();
    deferred.clear();
    submitted = issued;
  }

  // --- what has to settle in host memory --------------------------------------------------------------------------------------

  void addDrain(Transfer transfer) {
    if (!transfer.isSettled() && !drains.contains(transfer)) {
      drains.removeIf(Transfer::isSettled);
      drains.add(transfer);
      draining = true;
    }
  }

  /** {@return the staged copies towards host memory that are still to arrive there} */
  public List<Transfer> settling() {
    if (!draining) {
      return List.of();
    }
    synchronized (engine.lock) {
      if (drains.isEmpty()) {
        return List.of();
      }
      drains.removeIf(Transfer::isSettled);
      draining = !drains.isEmpty();
      return List.copyOf(drains);
    }
  }

  /** Ends the stream: nothing more is accepted, and the driver's stream goes once its last operation is done. */
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

  private void destroy() {
    synchronized (engine.lock) {
      engine.forget(this);
      if (engine.isUsable()) {
        marks.destroy();
        if (deferrable) {
          driver.destroyStream(handle);
        }
      }
    }
  }
}
