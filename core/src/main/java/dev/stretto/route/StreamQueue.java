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
import java.util.function.Consumer;
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
  /** Copies up to this size may share a mark with those right behind them: behind a copy, a mark costs more than the copy. */
  private static final long SMALL_COPY = 64 << 10;

  private static final int COPIES_OF_A_MARK = 64;

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
  private final Arrivals arrivals;
  private final Failures failures = new Failures();
  private final List<Runnable> afterDestruction = new ArrayList<>(1);

  private long issued;
  private long submitted;
  private volatile long completed;
  private volatile boolean anyFailed;
  private boolean held;
  private boolean draining;
  private boolean full;
  private boolean unmarked;
  private int unmarkedCopies;
  private boolean closed;
  private boolean destroyed;
  private long resumeNanos;
  private long lastNanos;

  StreamQueue(Engine engine, long handle, boolean deferrable) {
    this.engine = engine;
    this.driver = engine.driver();
    this.handle = handle;
    this.deferrable = deferrable;
    this.marks = new Marks(driver);
    this.arrivals = new Arrivals(driver.clock().isModelled());
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
      if (!arrivals.isEmpty() && kind != CopyKind.DEVICE_TO_DEVICE) {
        long host = kind == CopyKind.HOST_TO_DEVICE ? src : dst;
        List<Transfer> arriving = arrivals.at(host, bytes);
        if (!arriving.isEmpty()) {
          return copyAfter(arriving, to, from, () -> driver.copy(dst, src, bytes, kind, handle));
        }
      }
      long sequence = begin(to, from);
      if (isDirect()) {
        boolean small = bytes <= SMALL_COPY;
        try {
          if (!small) {
            markCopies();
          }
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

  /** Pinned memory into which earlier staged copies still have to bring bytes: the copy waits for those. */
  private long copyAfter(List<Transfer> arriving, Resource to, Resource from, Operation copy) {
    if (!deferrable) {
      throw new RouteException(
          "a default stream cannot hold a copy back until an earlier staged copy of the same host memory has arrived:"
              + " await that first, or use device.stream()");
    }
    return enqueueHolding(
        to,
        from,
        sequence -> {
          hold();
          Countdown ready = new Countdown(arriving.size() + 1, () -> submitHeld(sequence, copy));
          arriving.forEach(transfer -> transfer.whenSettled(ready));
          ready.run();
        });
  }

  private void submitHeld(long sequence, Operation operation) {
    synchronized (engine.lock) {
      try {
        if (engine.isUsable()) {
          operation.submit();
        }
      } catch (RuntimeException e) {
        fail(sequence, e);
      } finally {
        resume(sequence, true);
      }
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
      requireOpen();
      if (!deferrable || !isDirect() || !arrivals.isEmpty() || mayStillBeWritten(host)) {
        return -1;
      }
      MemorySegment slot = engine.smallSlots().take();
      if (slot == null) {
        return -1;
      }
      long bytes = host.byteSize();
      try {
        MemorySegment.copy(host, 0, slot, 0, bytes);
      } catch (IllegalStateException | InternalError e) {
        throw unreachable(bytes, e);
      }
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
    return enqueueCallback(
        () -> {
          try {
            MemorySegment.copy(src, 0, dst, 0, src.byteSize());
          } catch (IllegalStateException | InternalError e) {
            throw unreachable(src.byteSize(), e);
          }
          driver.clock().atLeast(driver.clock().now() + driver.clock().copyNanos(src.byteSize()));
        },
        engine::later);
  }

  private static CopyFailedException unreachable(long bytes, Throwable cause) {
    return new CopyFailedException(
        "the host memory of a copy of "
            + bytes
            + " bytes could not be accessed while it was under way ("
            + cause.getMessage()
            + "): keep its arena or mapped file open until the copy is done",
        cause);
  }

  /**
   * {@return whether copies that are under way may write this memory directly: it is pinned, or was until just now}
   *
   * @param host any segment
   */
  public boolean mayStillBeWritten(MemorySegment host) {
    return completed < lastIssued() && host.isNative() && PinnedRanges.process().touches(host.address(), host.byteSize());
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
    Operation copy = () -> driver.copy2D(dst, dstPitch, src, srcPitch, width, rows, kind, handle);
    synchronized (engine.lock) {
      if (kind != CopyKind.DEVICE_TO_DEVICE) {
        boolean in = kind == CopyKind.HOST_TO_DEVICE;
        long extent = (rows - 1) * (in ? srcPitch : dstPitch) + width;
        List<Transfer> arriving = arrivals.at(in ? src : dst, extent);
        if (!arriving.isEmpty()) {
          return copyAfter(arriving, to, from, copy);
        }
      }
      return enqueue(to, from, true, copy);
    }
  }

  /** Enqueues a copy on the driver's own pageable path, which may block the caller. */
  public long copyPageable(Resource onDevice, long device, MemorySegment host, CopyKind kind) {
    long sequence;
    synchronized (engine.lock) {
      requireOpen();
      if (!isDirect() || !arrivals.at(host.address(), host.byteSize()).isEmpty()) {
        throw new RouteException(
            "the driver's pageable path blocks its caller and cannot be taken while earlier operations of the"
                + " stream are held back (a staged copy, a callback or an unrecorded event before it): await the stream"
                + " first");
      }
      sequence = begin(onDevice, null);
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
      requireOpen();
      for (Resource resource : used) {
        noteUse(resource, issued + 1);
      }
      long sequence = begin(null, null);
      if (isDirect()) {
        try {
          markCopies();
          launch.submit(driver, handle);
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          handedOver(sequence, false);
        }
      } else {
        byte[] values = launch.snapshot();
        defer(sequence, false, () -> launch.submit(driver, handle, values));
      }
      return sequence;
    }
  }

  /**
   * Marks this point of the stream. Where nothing was enqueued since the last mark, that one stands for this point too; not on the
   * default streams, on which other libraries enqueue.
   */
  public long mark() {
    synchronized (engine.lock) {
      requireOpen();
      if (deferrable && issued > 0 && submitted == issued && marks.markedSequence() == issued) {
        return issued;
      }
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
   * Gives a timed event back, once it has been recorded.
   *
   * @param event of {@link #record}
   * @param sequence what that returned
   */
  public void destroyEvent(long event, long sequence) {
    synchronized (engine.lock) {
      if (isHandedOver(sequence) || !engine.isUsable()) {
        engine.destroyEvent(event);
      } else {
        whenHandedOver(sequence, () -> engine.destroyEvent(event));
      }
    }
  }

  /**
   * Makes all later operations wait for a point of another stream.
   *
   * @param other the stream
   * @param point the point's sequence number
   */
  public void waitFor(StreamQueue other, long point) {
    // Asked before this queue's lock is taken: the other driver's may not be taken under it.
    List<Transfer> arriving = other == this ? List.of() : other.arrivingBefore(point);
    long nanos = other == this ? 0 : other.arrivalNanos(point);
    synchronized (engine.lock) {
      requireOpen();
      if (other == this) {
        return;
      }
      arrivals.note(issued + 1, nanos);
      if (other.isKnownDone(point) && (arriving.isEmpty() || other.engine.lock == engine.lock)) {
        if (!arriving.isEmpty()) {
          arriving.forEach(transfer -> arrivals.add(transfer, issued + 1));
          enqueue(null, null, false, () -> {});
        }
        return;
      }
      if (!deferrable && (other.engine.lock != engine.lock || !other.isHandedOver(point))) {
        throw new RouteException(
            "a default stream cannot wait for an event that is still held back behind a staged copy or a callback, or"
                + " that belongs to another driver: await the event, or use device.stream()");
      }
      if (other.engine.lock != engine.lock) {
        waitForStranger(other, point);
        return;
      }
      arriving.forEach(transfer -> arrivals.add(transfer, issued + 1));
      long sequence = begin(null, null);
      if (isDirect() && other.isHandedOver(point)) {
        try {
          markCopies();
          makeWait(other, point);
        } finally {
          handedOver(sequence, false);
        }
        return;
      }
      submitOrDefer(
          sequence,
          false,
          () -> {
            if (other.isHandedOver(point)) {
              makeWait(other, point);
            } else {
              hold();
              other.whenHandedOver(point, () -> handedOverElsewhere(other, point, sequence));
            }
          });
    }
  }

  private void handedOverElsewhere(StreamQueue other, long point, long sequence) {
    synchronized (engine.lock) {
      try {
        if (engine.isUsable()) {
          makeWait(other, point);
        }
      } catch (RuntimeException e) {
        fail(sequence, e);
      } finally {
        resume(sequence, false);
      }
    }
  }

  /** Has the driver make this stream wait for a point that was handed over. */
  private void makeWait(StreamQueue other, long point) {
    if (other.completed >= point) {
      return;
    }
    other.engine.requireNotLost();
    other.ensureMarked(point);
    try {
      driver.waitEvent(handle, other.marks.event(other.marks.indexFor(point)));
    } catch (DriverException e) {
      throw engine.raised(e);
    }
  }

  /** A stream of another driver knows nothing of this one's events: the host passes the news on. */
  private void waitForStranger(StreamQueue other, long point) {
    enqueueHolding(
        null,
        null,
        sequence -> {
          hold();
          engine.lock.awaitStranger(other.engine);
          engine.later(() -> other.whenReached(point, () -> strangerArrived(other, sequence)));
        });
  }

  private void strangerArrived(StreamQueue other, long sequence) {
    synchronized (engine.lock) {
      if (other.engine.isLost()) {
        try {
          other.engine.requireNotLost();
        } catch (RuntimeException e) {
          fail(sequence, e);
        }
      }
      resume(sequence, false);
    }
    engine.lock.strangerArrived(other.engine);
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
      List<Transfer> earlier =
          arrivals.before(Long.MAX_VALUE).stream().filter(transfer::overlaps).toList();
      engine.began(transfer);
      long sequence;
      try {
        sequence = enqueueHolding(onDevice, null, number -> transfer.start(number, earlier));
      } catch (RuntimeException e) {
        engine.ended(transfer);
        throw e;
      }
      if (transfer instanceof StagedOut) {
        arrivals.add(transfer, sequence);
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
    // Whoever finds that it is time must not run the callback itself, which an executor may be about to do.
    return enqueueCallback(
        callback,
        task ->
            Thread.ofVirtual()
                .name("stretto-executor")
                .start(() -> execute(executor, task)));
  }

  /**
   * Runs a callback in the order of the stream on a virtual thread of its own.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback) {
    return enqueueCallback(
        callback, task -> Thread.ofVirtual().name("stretto-callback").start(task));
  }

  private void execute(Executor executor, Callback callback) {
    try {
      executor.execute(callback);
    } catch (RuntimeException e) {
      fail(callback.sequence, e);
      resume(callback.sequence, true);
    }
  }

  /** A callback whose turn it is. */
  private final class Callback implements Runnable {
    private final Runnable body;
    private final long sequence;
    private final long stamp;

    Callback(Runnable body, long sequence, long stamp) {
      this.body = body;
      this.sequence = sequence;
      this.stamp = stamp;
    }

    @Override
    public void run() {
      try {
        if (engine.isUsable()) {
          HostClock clock = driver.clock();
          if (clock.isModelled()) {
            clock.set(Math.max(stamp, doneNanos(sequence - 1)));
          }
          body.run();
        }
      } catch (RuntimeException e) {
        fail(sequence, e);
      } catch (Throwable e) {
        fail(sequence, new IllegalStateException("a callback of a stream threw " + e, e));
      } finally {
        resume(sequence, true);
      }
    }
  }

  private long enqueueCallback(Runnable body, Consumer<Callback> runner) {
    if (!deferrable) {
      throw new RouteException(
          "a default stream cannot hold operations back, which a callback needs: use device.stream()");
    }
    Consumer<Callback> starter = engine.cooperation() != null ? engine::later : runner;
    synchronized (engine.lock) {
      List<Transfer> earlier = arrivals.before(Long.MAX_VALUE);
      return enqueueHolding(
          null,
          null,
          sequence -> {
            hold();
            Callback callback = new Callback(body, sequence, driver.clock().now());
            Countdown ready =
                new Countdown(earlier.size() + 1, () -> starter.accept(callback));
            earlier.forEach(transfer -> transfer.whenSettled(ready));
            engine.later(() -> whenDone(sequence - 1, ready));
          });
    }
  }

  // --- order ------------------------------------------------------------------------------------------------------------------

  private void requireOpen() {
    engine.requireUsable();
    if (closed) {
      throw new ClosedException("the stream is closed: nothing more can be enqueued on it");
    }
  }

  private long begin(@Nullable Resource to, @Nullable Resource from) {
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

  private void noteUse(Resource resource, long sequence) {
    if (!resource.use(this, sequence)) {
      throw new ClosedException(resource.describe() + " is closed");
    }
  }

  private boolean isDirect() {
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
    engine.watch(this);
    return false;
  }

  /** Whether no more operations than this are in the driver's hands. */
  private boolean isBelow(int operations) {
    return issued - deferred.size() - completed <= operations;
  }

  private void submitOrDefer(long sequence, boolean marked, Operation operation) {
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

  private void defer(long sequence, boolean marked, Operation operation) {
    deferred.add(new Deferred(sequence, marked, driver.clock().now(), operation));
  }

  private void handedOver(long sequence, boolean marked) {
    submitted = sequence;
    // The default stream of a thread can be marked by that thread alone: now or never.
    boolean now = marked || !deferrable || sequence - marks.markedSequence() >= MARK_EVERY;
    if (now && engine.isUsable()) {
      markNow(sequence);
    }
  }

  /** The same where there is no caller to tell of a mark that failed. */
  private void handedOverLater(long sequence, boolean marked) {
    try {
      handedOver(sequence, marked);
    } catch (RuntimeException e) {
      fail(sequence, e);
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
      handedOverLater(sequence, marked);
      drainDeferred();
    }
  }

  /** Hands over what was deferred, as far as that goes. Where it was called by itself, the outer call goes on. */
  private void drainDeferred() {
    if (draining) {
      return;
    }
    draining = true;
    long stamp = driver.clock().now();
    try {
      while (!held && !deferred.isEmpty() && (!engine.isUsable() || hasRoom())) {
        Deferred next = deferred.remove();
        driver.clock().set(Math.max(next.stamp, resumeNanos));
        submitDeferred(next);
      }
    } finally {
      driver.clock().set(stamp);
      draining = false;
    }
    promoteEarlyWaiters();
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

  /** Keeps the failure of an operation that was handed over after its call had returned. */
  void fail(long sequence, RuntimeException cause) {
    synchronized (engine.lock) {
      RuntimeException raised = cause instanceof DriverException e ? engine.raised(e) : cause;
      failures.add(sequence, raised);
      anyFailed = true;
    }
  }

  /** {@return the first failure since the last call, if any; it is told once} */
  public @Nullable RuntimeException takeFailure() {
    if (!anyFailed) {
      return null;
    }
    synchronized (engine.lock) {
      return failures.takeFirst();
    }
  }

  /** {@return why an operation failed that was handed over after its call had returned, or null} */
  public @Nullable RuntimeException failureOf(long sequence) {
    if (!anyFailed) {
      return null;
    }
    synchronized (engine.lock) {
      return failures.of(sequence);
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

  /** {@return whether an operation is done and all that was to arrive in host memory by then is there} */
  public boolean isReached(long sequence) {
    synchronized (engine.lock) {
      return isDone(sequence) && arrivals.haveArrivedBefore(sequence);
    }
  }

  /** {@return on a modelled device when a point was reached, as far as it is still known; 0 where time is real} */
  public long doneNanos(long sequence) {
    synchronized (engine.lock) {
      long nanos = arrivals.nanos(sequence);
      if (destroyed || !engine.isUsable()) {
        return Math.max(nanos, lastNanos);
      }
      return marks.markedSequence() < sequence
          ? nanos
          : Math.max(nanos, marks.nanos(marks.indexFor(sequence)));
    }
  }

  private long arrivalNanos(long sequence) {
    synchronized (engine.lock) {
      return arrivals.nanos(sequence);
    }
  }

  private List<Transfer> arrivingBefore(long sequence) {
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
    arriving.forEach(transfer -> transfer.whenSettled(reached));
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
   * Has {@code action} run once an operation is done; at once if it is or never will be. The action must not block. Never throws what
   * the driver throws.
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

  private boolean isSurelyDone(long sequence) {
    try {
      return isDone(sequence);
    } catch (RuntimeException e) {
      return false; // it is asked again, and tells whoever is there to be told
    }
  }

  private boolean isSurelyMarked(long sequence) {
    try {
      ensureMarked(sequence);
      return true;
    } catch (RuntimeException e) {
      unmarked = true;
      engine.watch(this);
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

  private void addWaiter(long mark, Runnable action) {
    waiters.add(new Waiter(mark, action));
    engine.watch(this);
  }

  private void promoteEarlyWaiters() {
    if (earlyWaiters.isEmpty()) {
      return;
    }
    List<Waiter> promoted = new ArrayList<>();
    earlyWaiters.removeIf(waiter -> waiter.key() <= submitted && promoted.add(waiter));
    for (Waiter waiter : promoted) {
      if (waiter.action() instanceof HandOver) {
        waiter.action().run();
      } else if (!engine.isUsable()) {
        engine.later(waiter.action());
      } else if (isSurelyMarked(waiter.key())) {
        addWaiter(marks.indexFor(waiter.key()), waiter.action());
      } else {
        earlyWaiters.add(waiter);
      }
    }
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
    if (full && isBelow(engine.backlog() / 2)) {
      full = false;
      drainDeferred();
    }
    if (unmarked) {
      unmarked = false;
      isSurelyMarked(submitted);
      promoteEarlyWaiters();
    }
    return full || unmarked || !waiters.isEmpty();
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

  // --- the end ----------------------------------------------------------------------------------------------------------------

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

  private void destroy() {
    synchronized (engine.lock) {
      engine.forget(this);
      if (engine.isUsable()) {
        lastNanos = marks.lastNanos();
        giveBack("an event of a stream", marks::destroy);
      }
      if (engine.isUsable() && deferrable) {
        giveBack("a stream", () -> driver.destroyStream(handle));
      }
      destroyed = true;
    }
    afterDestruction.forEach(Runnable::run);
  }

  private void giveBack(String what, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      engine.report(what + " could not be given back", e);
    }
  }
}
