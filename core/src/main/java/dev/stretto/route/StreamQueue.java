package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.Volume;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.RouteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of one driver stream. Every operation gets a sequence number when it is called;
 * it is done when the stream's marks say that everything up to that number is.
 *
 * <p>These are the operations; those with rules of their own are in {@link OrdinaryCopies}, {@link
 * PeerCopies}, {@link StreamWaits} and {@link Callback}. {@link StreamOrder} hands them to the
 * driver in order, and {@link StreamProgress} knows how far they are.
 *
 * <p>All state is guarded by the engine's lock.
 */
public final class StreamQueue extends StreamOrder {
  /**
   * Copies up to this size may share a mark with those right behind them: behind a copy, a mark
   * costs more than the copy.
   */
  static final long SMALL_COPY = 64 << 10;

  private static final int COPIES_OF_A_MARK = 64;

  /** The largest copy that goes through a small buffer at once. */
  public static final int INLINE_BYTES = SmallSlots.BYTES;

  /** The program's code that holds the stream at present. */
  volatile @Nullable OwnTurn turn;

  /** Waits for other streams that were not handed over when they were enqueued. */
  private final List<OwnTurn.Link> pendingWaits = new ArrayList<>(0);

  StreamQueue(Engine engine, long handle, boolean deferrable, StreamName name) {
    super(engine, handle, deferrable, name);
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
          return brings(
              copyAfter(arriving, to, from, () -> driver.copy(dst, src, bytes, kind, handle)),
              kind);
        }
      }
      long sequence = begin(to, from);
      if (isDirect()) {
        boolean small = bytes <= SMALL_COPY;
        try {
          beforeCopy(small);
          driver.copy(dst, src, bytes, kind, handle);
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          copied(sequence, small);
        }
      } else {
        defer(sequence, true, () -> driver.copy(dst, src, bytes, kind, handle));
      }
      return brings(sequence, kind);
    }
  }

  /** Notes a copy towards the host, whose number it gives. */
  private long brings(long sequence, CopyKind kind) {
    if (kind == CopyKind.DEVICE_TO_HOST) {
      toHost.brings(sequence);
    }
    return sequence;
  }

  /** {@return what the stream brings to host memory} */
  public ToHost toHost() {
    return toHost;
  }

  /**
   * The program awaits a point of the stream, or has learnt that it is reached.
   *
   * @param point the point's number
   */
  public void heard(long point) {
    toHost.awaited(point);
  }

  /** Small copies before one that is not, and what else must not end in its mark, get their own. */
  void beforeCopy(boolean small) {
    if (!small || unmarkedCopies == 0) {
      markCopies();
    }
  }

  /** A copy is with the driver, or was refused by it. */
  void copied(long sequence, boolean small) {
    handedOver(sequence, !small || ++unmarkedCopies == COPIES_OF_A_MARK);
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
          holdWhileStaging("a copy that follows staged copies of the same host memory");
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
          return brings(copyAfter(arriving, to, from, copy), kind);
        }
      }
      return brings(enqueue(to, from, true, copy), kind);
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
          return brings(copyAfter(arriving, to, from, copy), kind);
        }
      }
      return brings(enqueue(to, from, true, copy), kind);
    }
  }

  /**
   * Refuses staged copies where they would be overtaken by what others enqueue, and where no memory
   * can be pinned for them.
   */
  public void requireStaging() {
    requireDeferrable("a staged copy needs: use device.stream(), or pinned memory");
    engine.slots().requireOne();
  }

  /** Refuses callbacks there. */
  public void requireCallbacks() {
    requireDeferrable("a callback needs: use device.stream()");
  }

  /** Refuses copies from host memory to host memory there. */
  public void requireHostCopies() {
    requireDeferrable(
        "a copy from host memory to host memory needs: use device.stream(), or copy the segments"
            + " when what comes before is done");
  }

  private void requireDeferrable(String who) {
    if (!deferrable) {
      throw new RouteException(describeForeign() + " cannot hold operations back, which " + who);
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

  /**
   * {@return whether this is the default stream of the thread that calls, whichever that is}: no
   * two threads mean the same stream by it
   */
  public boolean isOfThread() {
    return handle == DriverDevice.PER_THREAD_STREAM;
  }

  /**
   * Allocates device memory in the order of this stream. If operations are held back, it is
   * allocated at once for all streams instead: its address has to be known when this returns. Where
   * there is too little memory for that, what the stream frees before this is waited for, unless
   * that may need the program to go on.
   */
  DeviceBlock allocate(long bytes) {
    while (true) {
      long point;
      synchronized (engine.lock) {
        boolean direct = isDirect();
        try {
          return allocate(bytes, direct);
        } catch (DriverException e) {
          if (e.kind() != DriverException.Kind.OUT_OF_MEMORY || direct) {
            throw engine.raised(e);
          }
          if (isHeld() && !isHeldByStaging()) {
            throw new OutOfDeviceMemoryException(
                "%s: %s; %s, and what the stream frees before this allocation with it: await the stream first"
                    .formatted(engine.name(), e.getMessage(), describeHold()),
                e);
          }
          point = isHeld() ? submitted + 1 : submitted;
        }
      }
      awaitWithoutTheProgram(point);
    }
  }

  /** Waits for operations that are with the driver, or for the staged copy behind them. */
  private void awaitWithoutTheProgram(long point) {
    boolean _ =
        engine
            .watch()
            .await(
                bell -> {
                  Runnable reached = whenReached(point, bell);
                  return () -> forget(reached);
                },
                Long.MAX_VALUE);
  }

  private DeviceBlock allocate(long bytes, boolean direct) {
    requireOpen();
    if (direct) {
      markCopies();
    }
    long address = direct ? driver.allocateAsync(bytes, handle) : driver.allocate(bytes);
    DeviceBlock block = DeviceBlock.at(this, address, bytes);
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
      boolean _ = block.closeAfterLastUse();
      throw e;
    }
    return block;
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
   * @param place the line of the program, if somebody wants to know
   */
  public long launch(Resource[] used, PackedLaunch launch, @Nullable StackTraceElement place) {
    synchronized (engine.lock) {
      requireOpen();
      for (Resource resource : used) {
        noteUse(resource, issued + 1);
      }
      long sequence = begin(null, null);
      if (isDirect()) {
        try {
          markCopies();
          launches.note(launch.kernel(), place, sequence, completed);
          launch.submit(driver, handle, place);
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          handedOver(sequence, false);
        }
      } else {
        byte[] values = launch.snapshot();
        defer(sequence, false, () -> launchLater(sequence, launch, values, place));
      }
      return sequence;
    }
  }

  /** No stack leads to the line of a launch that was held back: the message has to name it. */
  private void launchLater(
      long sequence, PackedLaunch launch, byte[] values, @Nullable StackTraceElement place) {
    launches.note(launch.kernel(), place, sequence, completed);
    try {
      launch.submit(driver, handle, values, place);
    } catch (DriverException e) {
      throw engine.raisedLater(e, launch.kernel(), place, self());
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
        engine.timedEvents().destroy(event);
      } else {
        whenHandedOver(sequence, () -> engine.timedEvents().destroy(event));
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
    StreamWaits.enqueue(this, other, point);
  }

  /** Notes a wait for another stream that the driver does not know of yet. */
  void pendingWait(long sequence, StreamQueue other, long point) {
    pendingWaits.removeIf(link -> isHandedOver(link.sequence()));
    pendingWaits.add(new OwnTurn.Link(sequence, other, point));
  }

  /** {@return the waits for other streams up to a point that the driver does not know of yet} */
  List<OwnTurn.Link> pendingWaits(long point) {
    synchronized (engine.lock) {
      if (pendingWaits.isEmpty()) {
        return List.of();
      }
      return pendingWaits.stream()
          .filter(link -> link.sequence() <= point && !isHandedOver(link.sequence()))
          .toList();
    }
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
        toHost.brings(sequence);
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
    return heardBy(Callback.enqueue(this, true, callback, task -> task.handTo(executor)));
  }

  /**
   * Runs a callback in the order of the stream on a virtual thread of its own.
   *
   * @return the operation's sequence number
   */
  public long then(Runnable callback) {
    return heardBy(
        Callback.enqueue(
            this, true, callback, task -> Thread.ofVirtual().name("stretto-callback").start(task)));
  }

  /** A callback runs when all before it is done, so the program hears of that. */
  private long heardBy(long callback) {
    heard(callback);
    return callback;
  }
}
