package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostBytes;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.Volume;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of one driver stream. Every operation gets a sequence number when it is called;
 * it is done when the stream's marks say that everything up to that number is.
 *
 * <p>These are the operations. {@link StreamOrder} hands them to the driver in order, and {@link
 * StreamProgress} knows how far they are.
 *
 * <p>All state is guarded by the engine's lock.
 */
public final class StreamQueue extends StreamOrder {
  /**
   * Copies up to this size may share a mark with those right behind them: behind a copy, a mark
   * costs more than the copy.
   */
  private static final long SMALL_COPY = 64 << 10;

  private static final int COPIES_OF_A_MARK = 64;

  /** The largest copy that {@link #copyInline} takes. */
  public static final int INLINE_BYTES = SmallSlots.BYTES;

  StreamQueue(Engine engine, long handle, boolean deferrable) {
    super(engine, handle, deferrable);
  }

  @Override
  StreamQueue self() {
    return this;
  }

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
          if (!small || unmarkedCopies == 0) {
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

  /**
   * Pinned memory into which earlier staged copies still have to bring bytes: the copy waits for
   * those.
   */
  long copyAfter(
      List<Transfer> arriving, @Nullable Resource to, @Nullable Resource from, Operation copy) {
    if (!deferrable) {
      throw new RouteException(
          describeForeign()
              + " cannot hold a copy back until an earlier staged copy of the same host"
              + " memory has arrived: await that first, or use device.stream()");
    }
    return enqueueHolding(
        to,
        from,
        sequence -> {
          hold("a copy that follows staged copies of the same host memory");
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
        HostBytes.copy(host, 0, slot, 0, bytes);
        MappedFaults.throwHere(host);
      } catch (IllegalStateException | InternalError e) {
        throw unreachable(bytes, e);
      }
      if (driver.clock().isModelled()) {
        driver.clock().set(driver.clock().now() + driver.clock().copyNanos(bytes));
      }
      long sequence = begin(to, null);
      try {
        markCopies();
        driver.copy(dst, slot.address(), bytes, CopyKind.HOST_TO_DEVICE, handle);
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        handedOver(sequence, true);
      }
      engine.smallSlots().used(this, sequence, this, sequence);
      return sequence;
    }
  }

  /**
   * {@return the bytes of host memory as they are now, in memory of their own}
   *
   * @param host readable by the calling thread
   */
  public MemorySegment readNow(MemorySegment host) {
    long bytes = host.byteSize();
    MemorySegment aside = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    try {
      HostBytes.copy(host, 0, aside, 0, bytes);
      MappedFaults.throwHere(host);
    } catch (IllegalStateException | InternalError e) {
      throw unreachable(bytes, e);
    }
    if (driver.clock().isModelled()) {
      driver.clock().set(driver.clock().now() + driver.clock().copyNanos(bytes));
    }
    return aside;
  }

  /**
   * {@return whether an earlier staged copy has still to bring bytes to this memory}
   *
   * @param host any segment
   */
  public boolean isArriving(MemorySegment host) {
    synchronized (engine.lock) {
      return arrivals.before(Long.MAX_VALUE).stream().anyMatch(transfer -> transfer.concerns(host));
    }
  }

  /**
   * Enqueues a copy between two places of ordinary memory, done by a host thread.
   *
   * @return the operation's sequence number
   */
  public long copyOnHost(MemorySegment dst, MemorySegment src) {
    return enqueueCallback(
        false,
        () -> {
          try {
            HostBytes.copy(src, 0, dst, 0, src.byteSize());
            MappedFaults.throwHere(src);
            MappedFaults.throwHere(dst);
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
   * {@return whether copies that are under way may write this memory directly: it is pinned, or was
   * until just now}
   *
   * @param host any segment
   */
  public boolean mayStillBeWritten(MemorySegment host) {
    return completed < lastIssued()
        && host.isNative()
        && PinnedRanges.process().touches(host.address(), host.byteSize());
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

  /**
   * Enqueues a copy of planes whose host end, if any, is pinned.
   *
   * @return the operation's sequence number
   */
  public long copy3D(Resource to, Resource from, long dst, long src, Volume shape, CopyKind kind) {
    Operation copy = () -> driver.copy3D(dst, src, shape, kind, handle);
    synchronized (engine.lock) {
      if (kind != CopyKind.DEVICE_TO_DEVICE) {
        boolean in = kind == CopyKind.HOST_TO_DEVICE;
        List<Transfer> arriving =
            arrivals.at(in ? src : dst, in ? shape.srcSpan() : shape.dstSpan());
        if (!arriving.isEmpty()) {
          return copyAfter(arriving, to, from, copy);
        }
      }
      return enqueue(to, from, true, copy);
    }
  }

  /**
   * Enqueues a copy on the driver's own pageable path, which may block the caller. Memory whose
   * registration has ended and that is not unpinned yet is waited for: the driver would still take
   * it as pinned, have the device read or write it, and unpin it meanwhile.
   */
  public long copyPageable(Resource onDevice, long device, MemorySegment host, CopyKind kind) {
    long sequence;
    synchronized (engine.lock) {
      requirePageable(host);
    }
    awaitUnpinned(host);
    synchronized (engine.lock) {
      requirePageable(host);
      markCopies();
      sequence = begin(onDevice, null);
      // The sequence number is handed over below, outside the lock: the driver may block for the
      // whole copy.
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

  private void requirePageable(MemorySegment host) {
    requireOpen();
    if (!isDirect() || !arrivals.at(host.address(), host.byteSize()).isEmpty()) {
      throw new RouteException(
          "the driver's pageable path blocks its caller and cannot be taken while earlier"
              + " operations of the stream are held back (a staged copy, a callback or an"
              + " unrecorded event before it): await the stream first");
    }
  }

  private void awaitUnpinned(MemorySegment host) {
    long address = host.address();
    long bytes = host.byteSize();
    PinnedBlock ending = PinnedRanges.process().ending(address, bytes, engine);
    while (ending != null) {
      PinnedBlock block = ending;
      boolean ignored = engine.watch().await(block::ringWhenReleased, Long.MAX_VALUE);
      ending = PinnedRanges.process().ending(address, bytes, engine);
    }
  }

  /** Refuses staged copies where they would be overtaken by what others enqueue. */
  public void requireStaging() {
    requireDeferrable("a staged copy needs: use device.stream(), or pinned memory");
  }

  /** Refuses callbacks there. */
  public void requireCallbacks() {
    requireDeferrable("a callback needs: use device.stream()");
  }

  private void requireDeferrable(String who) {
    if (!deferrable) {
      throw new RouteException(describeForeign() + " cannot hold operations back, which " + who);
    }
  }

  /** Refuses copies between devices where they would wait for more than anybody asked for. */
  public void requirePeerCopies() {
    if (!deferrable) {
      throw new RouteException(
          "a copy between devices on "
              + describeForeign()
              + " would wait for all work of both devices: use device.stream()");
    }
  }

  /**
   * Enqueues one copy of the driver's between two devices.
   *
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param link the right that the copy relies on; null if the driver is to stage it
   * @return the operation's sequence number
   */
  public long copyPeer(
      DeviceBlock to, long dst, DeviceBlock from, long src, long bytes, @Nullable PeerLink link) {
    requirePeerCopies();
    DriverDevice receiver = to.engine().driver();
    DriverDevice sender = from.engine().driver();
    Engine other = (to.engine() == engine ? from : to).engine();
    synchronized (engine.lock) {
      requireOpen();
      other.requireUsable();
      if (link != null) {
        noteUse(link, issued + 1);
      }
      if (bytes > SMALL_COPY || !isDirect()) {
        return enqueue(to, from, true, () -> submitPeer(receiver, dst, sender, src, bytes, other));
      }
      long sequence = begin(to, from);
      try {
        if (unmarkedCopies == 0) {
          markCopies();
        }
        submitPeer(receiver, dst, sender, src, bytes, other);
      } finally {
        handedOver(sequence, ++unmarkedCopies == COPIES_OF_A_MARK);
      }
      return sequence;
    }
  }

  private void submitPeer(
      DriverDevice receiver, long dst, DriverDevice sender, long src, long bytes, Engine other) {
    try {
      driver.copyPeer(dst, receiver, src, sender, bytes, handle);
    } catch (DriverException e) {
      throw engine.raised(e, other);
    }
  }

  /**
   * Enqueues a small copy between devices without access, if that can be done at once: through a
   * small pinned buffer, from one stream to the other.
   *
   * @param bytes at most {@link #INLINE_BYTES}
   * @return what comes of it, or null if it has to be staged as a large one
   */
  public @Nullable SmallPeerCopy copyPeerInline(
      DeviceBlock to, long dst, DeviceBlock from, long src, long bytes) {
    requirePeerCopies();
    boolean sends = from.engine() == engine;
    Engine other = (sends ? to : from).engine();
    synchronized (engine.lock) {
      requireOpen();
      other.requireUsable();
      if (!isDirect()) {
        return null;
      }
      StreamQueue companion = companion(other);
      MemorySegment slot = companion.isDirect() ? engine.smallSlots().take() : null;
      if (slot == null) {
        return null;
      }
      long sequence = begin(to, from);
      // Each block is noted where it is touched: the other device may outlive this one.
      long theirs = companion.begin(sends ? to : from, null);
      SmallPeerCopy copy =
          sends
              ? new SmallPeerCopy(sequence, companion, theirs, other)
              : new SmallPeerCopy(sequence, this, sequence, other);
      try {
        if (sends) {
          markCopies();
          copy.submit(this, sequence, companion, dst, src, slot.address(), bytes);
        } else {
          companion.waitForAll(this);
          copy.submit(companion, theirs, this, dst, src, slot.address(), bytes);
        }
      } finally {
        engine.smallSlots().used(this, sequence, companion, theirs);
        companion.handedOver(theirs, false);
        if (sends) {
          endsOn(companion, theirs); // before a mark that may stand for this copy
        }
        handedOver(sequence, false);
      }
      return copy;
    }
  }

  /**
   * Makes all later operations wait for what an event stands for now that somebody else in the
   * process has made; the event is not used any more when this returns.
   *
   * @param event the driver's handle
   * @return the operation's sequence number
   * @throws IllegalArgumentException if the driver knows no such event
   */
  public long waitForForeign(long event) {
    synchronized (engine.lock) {
      long sequence = begin(null, null);
      try {
        driver.waitEvent(handle, event);
      } catch (DriverException e) {
        throw engine.foreign("0x%x cannot be adopted as an event".formatted(event), e);
      } finally {
        handedOver(sequence, true);
      }
      return sequence;
    }
  }

  /** {@return whether the driver knows of an operation, which may be held back otherwise} */
  public boolean isWithDriver(long sequence) {
    synchronized (engine.lock) {
      return isHandedOver(sequence);
    }
  }

  /** Has the driver make this stream wait for all that another of the driver's holds. */
  private void waitForAll(StreamQueue other) {
    markCopies();
    if (!other.isKnownDone(other.submitted)) {
      other.ensureMarked(other.submitted);
      makeWait(other, other.submitted);
    }
  }

  /**
   * {@return whether this is the default stream of the thread that calls, whichever that is}: no
   * two threads mean the same stream by it
   */
  public boolean isOfThread() {
    return handle == DriverDevice.PER_THREAD_STREAM;
  }

  /**
   * Allocates device memory in the order of this stream. If operations are held back, it is
   * allocated at once for all streams instead: its address has to be known when this returns.
   */
  DeviceBlock allocate(long bytes) {
    synchronized (engine.lock) {
      requireOpen();
      boolean direct = isDirect();
      DeviceBlock block;
      try {
        if (direct) {
          markCopies();
        }
        long address = direct ? driver.allocateAsync(bytes, handle) : driver.allocate(bytes);
        block = DeviceBlock.at(this, address, bytes);
      } catch (DriverException e) {
        throw engine.raised(e);
      }
      long sequence = begin(null, null);
      block.usedFirst(this, sequence);
      boolean adopted = engine.adoptLocked(block);
      assert adopted : "streams are destroyed before resources are released";
      if (!direct) {
        defer(sequence, false, () -> {});
        return block;
      }
      try {
        handedOver(sequence, false);
      } catch (RuntimeException e) {
        boolean ignored = block.closeAfterLastUse();
        throw e;
      }
      return block;
    }
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
   * Marks this point of the stream. Where nothing was enqueued since the last mark, that one stands
   * for this point too; not on the default streams, on which other libraries enqueue.
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
      boolean timeCounts = driver.clock().isModelled() && other.engine.lock == engine.lock;
      if (!timeCounts
          && other.isKnownDone(point)
          && (arriving.isEmpty() || other.engine.lock == engine.lock)) {
        if (!arriving.isEmpty()) {
          arriving.forEach(transfer -> arrivals.add(transfer, issued + 1));
          enqueue(null, null, false, () -> {});
        }
        return;
      }
      if (!deferrable && (other.engine.lock != engine.lock || !other.isHandedOver(point))) {
        throw new RouteException(
            describeForeign()
                + " cannot wait for an event that is still held back behind a staged copy"
                + " or a callback, or that belongs to another driver: await the event, or use"
                + " device.stream()");
      }
      if (other.engine.lock != engine.lock) {
        waitForStranger(other, point);
        return;
      }
      if (!arriving.isEmpty()) {
        arriving.forEach(transfer -> arrivals.add(transfer, issued + 1));
      }
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
              hold("a wait for an event that was not recorded");
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
  void makeWait(StreamQueue other, long point) {
    if (other.completed >= point) {
      // Where time is modelled, it may be over for the host and not yet for the model.
      if (driver.clock().isModelled() && other.marks.remembers(point)) {
        waitForMark(other, point);
      }
      return;
    }
    other.engine.requireNotLost();
    other.ensureMarked(point);
    waitForMark(other, point);
  }

  private void waitForMark(StreamQueue other, long point) {
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
          hold("a wait for an event of another driver");
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

  /** Enqueues a staged copy. */
  long enqueueTransfer(Resource onDevice, Transfer transfer) {
    requireStaging();
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
   * Runs a callback in the order of the stream: after all that was enqueued before, ordinary host
   * memory included, and before all that is enqueued later.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback, Executor executor) {
    // Whoever finds that it is time must not run the callback itself, which an executor may be
    // about to do.
    return enqueueCallback(
        true,
        callback,
        task -> Thread.ofVirtual().name("stretto-executor").start(() -> execute(executor, task)));
  }

  /**
   * Runs a callback in the order of the stream on a virtual thread of its own.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback) {
    return enqueueCallback(
        true, callback, task -> Thread.ofVirtual().name("stretto-callback").start(task));
  }

  private static void execute(Executor executor, Callback callback) {
    try {
      executor.execute(callback);
    } catch (Throwable e) { // a pool that cannot make a thread throws an error
      callback.end(e);
    }
  }

  /** A callback whose turn it is. */
  private final class Callback implements Runnable {
    private final boolean ofProgram;
    private final Runnable body;
    private final long sequence;
    private final long stamp;
    private final AtomicBoolean begun = new AtomicBoolean();

    Callback(boolean ofProgram, Runnable body, long sequence, long stamp) {
      this.ofProgram = ofProgram;
      this.body = body;
      this.sequence = sequence;
      this.stamp = stamp;
    }

    @Override
    public void run() {
      if (!begun.compareAndSet(false, true)) {
        return; // an executor that runs a task twice
      }
      Throwable thrown = null;
      boolean programRuns = false;
      try {
        if (engine.isUsable()) {
          HostClock clock = driver.clock();
          if (clock.isModelled()) {
            clock.set(Math.max(stamp, doneNanos(sequence - 1)));
          }
          programRuns = ofProgram;
          body.run();
        }
      } catch (Throwable e) {
        thrown = e;
      }
      over(thrown, programRuns);
    }

    /** An executor has refused the callback, unless it has run it all the same. */
    void end(Throwable refusal) {
      if (begun.compareAndSet(false, true)) {
        over(refusal, true);
      }
    }

    /**
     * @param byProgram whether the program's own code threw it: else the device was lost, or it is
     *     no callback but a copy
     */
    private void over(@Nullable Throwable thrown, boolean byProgram) {
      if (thrown instanceof RuntimeException e) {
        fail(sequence, e, byProgram);
      } else if (thrown != null) {
        fail(
            sequence,
            new IllegalStateException("a callback of a stream threw " + thrown, thrown),
            byProgram);
      }
      resume(sequence, true);
    }
  }

  /**
   * @param ofProgram whether the body is the program's own code, and not a copy of Stretto's
   */
  private long enqueueCallback(boolean ofProgram, Runnable body, Consumer<Callback> runner) {
    requireCallbacks();
    Consumer<Callback> starter = engine.cooperation() != null ? engine::later : runner;
    synchronized (engine.lock) {
      List<Transfer> earlier = arrivals.before(Long.MAX_VALUE);
      return enqueueHolding(
          null,
          null,
          sequence -> {
            hold("a callback that has not returned");
            Callback callback = new Callback(ofProgram, body, sequence, driver.clock().now());
            Countdown ready = new Countdown(earlier.size() + 1, () -> starter.accept(callback));
            earlier.forEach(transfer -> transfer.whenSettled(ready));
            engine.later(() -> whenDone(sequence - 1, ready));
          });
    }
  }
}
