package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.Volume;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.LaunchException;
import dev.stretto.fault.RouteException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of one driver stream. Every operation gets a sequence number when it is called;
 * it is done when the stream's marks say that everything up to that number is.
 *
 * <p>These are the operations; those with rules of their own are in {@link OrdinaryCopies}, {@link
 * PeerCopies}, {@link StreamWaits} and {@link Callback}. {@link Handover} hands them to the driver
 * in order, and {@link Completion} knows how far they are.
 *
 * <p>All state is guarded by the driver's lock.
 */
public final class StreamQueue implements Looks.Looked {
  /** Whoever has opened the stream on a device. */
  interface Owner {
    /** {@return what waits for the streams of the device} */
    CompletionPoller watch();

    /** {@return the streams of the device on which somebody waits} */
    PolledStreams watched();

    /** {@return how much the driver is given of each stream of the device} */
    LaunchBacklog backlog();

    /** {@return all streams of the device that are not destroyed} */
    List<StreamQueue> queues();

    /** The program has opened the stream, or a shared one that it uses too. */
    void opened(StreamQueue queue);

    /** The stream is destroyed. Called under the lock. */
    void gone(StreamQueue queue);
  }

  /**
   * Copies up to this size may share a mark with those right behind them: behind a copy, a mark
   * costs more than the copy.
   */
  static final long SMALL_COPY = 64 << 10;

  /** The largest copy that goes through a small buffer at once. */
  public static final int INLINE_BYTES = 32 << 10;

  final DeviceState device;
  final DriverDevice driver;
  final long handle;
  final boolean deferrable;
  final Completion completion;
  final Handover handover;
  final Failures failures;
  final Arrivals arrivals;
  final ToHost toHost = new ToHost();
  final RecentLaunches launches = new RecentLaunches();

  /** The program's code that holds the stream at present. */
  volatile @Nullable OwnTurn turn;

  private final Owner owner;
  private final StreamName name;

  /** The only thread that can use the stream, of a thread's own default stream. */
  private final @Nullable Thread thread;

  /** Waits for other streams that were not handed over when they were enqueued. */
  private final List<OwnTurn.Link> pendingWaits = new ArrayList<>(0);

  private final List<Runnable> afterDestruction = new ArrayList<>(1);
  private final Map<DeviceState, StreamQueue> companions = new HashMap<>(0);
  private boolean destroyed;

  /** Where the program has opened the stream; null if Stretto has opened it for itself. */
  private volatile @Nullable StackTraceElement openedBy;

  StreamQueue(DeviceState device, Owner owner, long handle, boolean deferrable, StreamName name) {
    this.device = device;
    this.driver = device.driver();
    this.owner = owner;
    this.handle = handle;
    this.deferrable = deferrable;
    this.name = name;
    this.thread = handle == DriverDevice.PER_THREAD_STREAM ? Thread.currentThread() : null;
    this.failures = new Failures(device);
    this.completion =
        new Completion(
            device, handle, deferrable, failures, toHost, () -> owner.watched().watch(this));
    this.handover = new Handover(fullTitle(), deferrable, completion, failures, owner.backlog());
    this.arrivals = completion.arrivals();
    if (!deferrable) {
      toHost.share();
    }
  }

  /** {@return the driver's handle} */
  @Override
  public long handle() {
    return handle;
  }

  /** {@return the device that this stream belongs to} */
  public DeviceState device() {
    return device;
  }

  /** {@return the only thread that can use the stream; null if all can} */
  public @Nullable Thread owner() {
    return thread;
  }

  /** {@return whether operations can be held back on this stream; not on CUDA's default streams} */
  public boolean isDeferrable() {
    return deferrable;
  }

  /** {@return what the stream is called} */
  public StreamName name() {
    return name;
  }

  /** {@return what the stream is called in messages that name its device besides} */
  public String title() {
    return name.title();
  }

  /** {@return what the stream is called in messages, with its device} */
  public String fullTitle() {
    return name.title() + " of " + device.name();
  }

  /**
   * {@return what a stream is called that operations cannot be held back on, with its article}
   * Others enqueue there too, and would overtake what is held back.
   */
  String describeForeign() {
    String sort =
        handle == DriverDevice.LEGACY_STREAM || handle == DriverDevice.PER_THREAD_STREAM
            ? "a default stream"
            : "an adopted stream";
    return sort + " (" + fullTitle() + ")";
  }

  /** {@return all streams of the device that are not destroyed} */
  public List<StreamQueue> streamsOfDevice() {
    return owner.queues();
  }

  /** {@return what waits for streams of the device} */
  public CompletionPoller watch() {
    return owner.watch();
  }

  /**
   * The program has opened the stream, and is to hear of what fails on it.
   *
   * @param place where; of several, the first is kept
   */
  public void openedBy(StackTraceElement place) {
    if (openedBy == null) {
      openedBy = place;
      owner.opened(this);
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

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  /**
   * Enqueues a copy whose host end, if any, is pinned.
   *
   * @return the operation's sequence number
   */
  public long copy(Resource to, Resource from, long dst, long src, long bytes, CopyKind kind) {
    synchronized (device.lock) {
      if (!arrivals.isEmpty() && kind != CopyKind.DEVICE_TO_DEVICE) {
        long host = kind == CopyKind.HOST_TO_DEVICE ? src : dst;
        List<Arrival> arriving = arrivals.at(host, bytes);
        if (!arriving.isEmpty()) {
          return brings(
              copyAfter(arriving, to, from, () -> driver.copy(dst, src, bytes, kind, handle)),
              kind);
        }
      }
      long sequence = handover.begin(to, from);
      if (handover.isDirect()) {
        boolean small = bytes <= SMALL_COPY;
        try {
          handover.beforeCopy(small);
          driver.copy(dst, src, bytes, kind, handle);
        } catch (DriverException e) {
          throw device.raised(e);
        } finally {
          handover.copied(sequence, small);
        }
      } else {
        handover.defer(sequence, true, () -> driver.copy(dst, src, bytes, kind, handle));
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

  /**
   * Pinned memory into which earlier staged copies still have to bring bytes: the copy waits for
   * those.
   */
  long copyAfter(
      List<Arrival> arriving, @Nullable Resource to, @Nullable Resource from, Operation copy) {
    if (!deferrable) {
      throw new RouteException(
          describeForeign()
              + " cannot hold a copy back until an earlier staged copy of the same host"
              + " memory has arrived: await that first, or use device.stream()");
    }
    return handover.enqueueHolding(
        to,
        from,
        sequence -> {
          handover.holdWhileStaging("a copy that follows staged copies of the same host memory");
          Countdown ready = new Countdown(arriving.size() + 1, () -> submitHeld(sequence, copy));
          arriving.forEach(arrival -> arrival.whenSettled(ready));
          ready.run();
        });
  }

  private void submitHeld(long sequence, Operation operation) {
    synchronized (device.lock) {
      try {
        if (device.isUsable()) {
          operation.submit();
        }
      } catch (RuntimeException e) {
        failures.add(sequence, e);
      } finally {
        handover.resume(sequence, true);
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
    synchronized (device.lock) {
      if (kind != CopyKind.DEVICE_TO_DEVICE) {
        boolean in = kind == CopyKind.HOST_TO_DEVICE;
        long extent = (rows - 1) * (in ? srcPitch : dstPitch) + width;
        List<Arrival> arriving = arrivals.at(in ? src : dst, extent);
        if (!arriving.isEmpty()) {
          return brings(copyAfter(arriving, to, from, copy), kind);
        }
      }
      return brings(handover.enqueue(to, from, true, copy), kind);
    }
  }

  /**
   * Enqueues a copy of planes whose host end, if any, is pinned.
   *
   * @return the operation's sequence number
   */
  public long copy3D(Resource to, Resource from, long dst, long src, Volume shape, CopyKind kind) {
    Operation copy = () -> driver.copy3D(dst, src, shape, kind, handle);
    synchronized (device.lock) {
      if (kind != CopyKind.DEVICE_TO_DEVICE) {
        boolean in = kind == CopyKind.HOST_TO_DEVICE;
        List<Arrival> arriving =
            arrivals.at(in ? src : dst, in ? shape.srcSpan() : shape.dstSpan());
        if (!arriving.isEmpty()) {
          return brings(copyAfter(arriving, to, from, copy), kind);
        }
      }
      return brings(handover.enqueue(to, from, true, copy), kind);
    }
  }

  /** Refuses staged copies where they would be overtaken by what others enqueue. */
  void requireStaging() {
    requireDeferrable("a staged copy needs: use device.stream(), or pinned memory");
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
    synchronized (device.lock) {
      long sequence = handover.begin(null, null);
      try {
        driver.waitEvent(handle, event);
      } catch (DriverException e) {
        throw device.foreign("0x%x cannot be adopted as an event".formatted(event), e);
      } finally {
        handover.handedOver(sequence, true);
      }
      return sequence;
    }
  }

  /** {@return whether the driver knows of an operation, which may be held back otherwise} */
  public boolean isWithDriver(long sequence) {
    synchronized (device.lock) {
      return completion.isHandedOver(sequence);
    }
  }

  /**
   * {@return whether this is the default stream of the thread that calls, whichever that is}: no
   * two threads mean the same stream by it
   */
  public boolean isOfThread() {
    return handle == DriverDevice.PER_THREAD_STREAM;
  }

  /** Enqueues a fill. */
  public long fill(Resource to, long dst, long value, int elementBytes, long count) {
    return handover.enqueue(
        to, null, true, () -> driver.fill(dst, value, elementBytes, count, handle));
  }

  /**
   * Enqueues a launch.
   *
   * @param used every resource that the kernel may touch, the kernel's own module first
   * @param launch the launch; its parameters are copied before this returns
   * @param place the line of the program, if somebody wants to know
   */
  public long launch(Resource[] used, PackedLaunch launch, @Nullable StackTraceElement place) {
    synchronized (device.lock) {
      handover.requireOpen();
      for (Resource resource : used) {
        handover.noteUse(resource, completion.issued() + 1);
      }
      long sequence = handover.begin(null, null);
      if (handover.isDirect()) {
        try {
          handover.markCopies();
          launches.note(launch.kernel(), place, sequence, completion.completed());
          launch.submit(driver, handle, place);
        } catch (DriverException e) {
          throw device.raised(e);
        } finally {
          handover.handedOver(sequence, false);
        }
      } else {
        byte[] values = launch.snapshot();
        handover.defer(sequence, false, () -> launchLater(sequence, launch, values, place));
      }
      return sequence;
    }
  }

  /** No stack leads to the line of a launch that was held back: the message has to name it. */
  private void launchLater(
      long sequence, PackedLaunch launch, byte[] values, @Nullable StackTraceElement place) {
    launches.note(launch.kernel(), place, sequence, completion.completed());
    try {
      launch.submit(driver, handle, values, place);
    } catch (DriverException e) {
      throw refusedLater(e, launch.kernel(), place);
    }
  }

  /**
   * {@return the exception for a launch that was held back and that the driver then refused}
   *
   * @param what was launched
   * @param place the line of the program, or null if it was not asked for
   */
  RuntimeException refusedLater(DriverException e, String what, @Nullable StackTraceElement place) {
    if (e.kind() != DriverException.Kind.INVALID) {
      return device.raised(e);
    }
    return new LaunchException(
        "%s: the launch of %s%s on %s was refused when its turn came: %s"
            .formatted(
                device.name(), what, place == null ? "" : " at " + place, title(), e.getMessage()),
        e);
  }

  /**
   * Marks this point of the stream. Where nothing was enqueued since the last mark, that one stands
   * for this point too; not on the default streams, on which other libraries enqueue.
   */
  public long mark() {
    synchronized (device.lock) {
      handover.requireOpen();
      if (deferrable
          && completion.issued() > 0
          && completion.submitted() == completion.issued()
          && completion.marked() == completion.issued()) {
        return completion.issued();
      }
      long sequence = handover.begin(null, null);
      if (handover.isDirect()) {
        handover.handedOver(sequence, true);
      } else {
        handover.defer(sequence, true, () -> {});
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
    return handover.enqueue(null, null, true, () -> driver.recordEvent(event, handle));
  }

  /** Notes a wait for another stream that the driver does not know of yet. */
  void pendingWait(long sequence, StreamQueue other, long point) {
    pendingWaits.removeIf(link -> completion.isHandedOver(link.sequence()));
    pendingWaits.add(new OwnTurn.Link(sequence, other, point));
  }

  /** {@return the waits for other streams up to a point that the driver does not know of yet} */
  List<OwnTurn.Link> pendingWaits(long point) {
    synchronized (device.lock) {
      if (pendingWaits.isEmpty()) {
        return List.of();
      }
      return pendingWaits.stream()
          .filter(link -> link.sequence() <= point && !completion.isHandedOver(link.sequence()))
          .toList();
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
    return handover.together(used, most, body);
  }

  /** {@return whether the driver has taken as many operations of this stream as it takes} */
  public boolean isFull() {
    return handover.isFull();
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /**
   * {@return the point that is reached when everything on the stream is done that was enqueued
   * before this call} Others in the process enqueue on default and adopted streams, so a mark is
   * recorded there. A thread's own default stream can be marked by that thread alone: for another
   * thread the point is the last operation that was enqueued through Stretto.
   */
  public long end() {
    synchronized (device.lock) {
      return isSharedHere() ? mark() : completion.issued();
    }
  }

  /** Whether others enqueue here, and the calling thread can ask the driver how far they are. */
  private boolean isSharedHere() {
    return !deferrable
        && (thread == null || thread.equals(Thread.currentThread()))
        && handover.accepts();
  }

  /** {@return whether everything is done that was enqueued on the stream before this call} */
  public boolean isAllReached() {
    synchronized (device.lock) {
      if (isSharedHere()) {
        try {
          if (!driver.isIdle(handle)) {
            return false;
          }
        } catch (DriverException e) {
          throw device.raised(e);
        }
      }
      return completion.isReached(completion.issued());
    }
  }

  /** {@return whether an operation is done} */
  public boolean isDone(long sequence) {
    return completion.isDone(sequence);
  }

  /** {@return whether an operation is known to be done, without asking the driver} */
  public boolean isKnownDone(long sequence) {
    return completion.isKnownDone(sequence);
  }

  /**
   * {@return whether an operation is seen to be done by somebody who only looks} Nothing is marked
   * for that, which {@link #isDone} may do and which fills the driver's queue.
   */
  public boolean isSeenDone(long sequence) {
    return completion.isSeenDone(sequence);
  }

  /**
   * {@return whether an operation is done and all that was to arrive in host memory by then is
   * there}
   */
  public boolean isReached(long sequence) {
    return completion.isReached(sequence);
  }

  /**
   * {@return whether a point is known to have been reached, without asking the driver: what was to
   * arrive in host memory by then has not been lost with the device}
   */
  public boolean isKnownReached(long sequence) {
    return completion.isKnownReached(sequence);
  }

  /** {@return whether all that was to arrive in host memory by a point is there} */
  public boolean hasArrived(long sequence) {
    return completion.hasArrived(sequence);
  }

  /**
   * {@return on a modelled device when a point was reached, as far as it is still known; 0 where
   * time is real}
   */
  public long doneNanos(long sequence) {
    return completion.doneNanos(sequence);
  }

  /**
   * Has an action run once a point is reached, what is to arrive in host memory by then included.
   *
   * @param action must not block
   * @return what {@link #forget} takes
   */
  public Runnable whenReached(long sequence, Runnable action) {
    return completion.whenReached(sequence, action);
  }

  /** Forgets an action that was given to {@link #whenReached}, for nobody waits for it any more. */
  public void forget(Runnable reached) {
    completion.forget(reached);
  }

  /**
   * Has {@code action} run once an operation is done; at once if it is or never will be. The action
   * must not block. Never throws what the driver throws.
   */
  public void whenDone(long sequence, Runnable action) {
    completion.whenDone(sequence, action);
  }

  /** {@return how many operations are not known to be done; asks the driver} */
  public long unfinished() {
    return completion.unfinished();
  }

  /** {@return the number of the last operation that was called} */
  public long lastIssued() {
    return completion.lastIssued();
  }

  @Override
  public boolean look(List<Runnable> due) {
    return owner.watched().look(this, due);
  }

  // --- failures
  // ---------------------------------------------------------------------------------------------------------------

  /**
   * {@return the first failure since the last call, if any, with the others as suppressed ones; it
   * is told once}
   */
  public @Nullable RuntimeException takeFailure() {
    return failures.take();
  }

  /** {@return why an operation failed; where it did not, {@link #failureBehind}} */
  public @Nullable RuntimeException failureUpTo(long sequence) {
    return failures.upTo(sequence);
  }

  /**
   * {@return the first failure up to a point that no exception has brought to the program, once, or
   * null: what comes after a copy that failed works with what the copy should have brought}
   */
  public @Nullable RuntimeException failureBehind(long point) {
    return failures.before(point);
  }

  /**
   * The program is told of a failure by its operation itself.
   *
   * @param sequence its number
   * @param cause why it failed
   */
  public void tell(long sequence, RuntimeException cause) {
    failures.tell(sequence, cause);
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Ends the stream: nothing more is accepted, and the driver's stream goes once its last operation
   * is done.
   */
  public boolean close() {
    long last;
    synchronized (device.lock) {
      if (!handover.close()) {
        return false;
      }
      last = completion.issued();
    }
    completion.whenDone(last, this::destroy);
    return true;
  }

  /** {@return whether the stream accepts operations} */
  public boolean isOpen() {
    synchronized (device.lock) {
      return !handover.isClosed();
    }
  }

  /** Has an action run once the stream is closed and its driver's stream is gone. */
  void whenDestroyed(Runnable action) {
    synchronized (device.lock) {
      if (!destroyed) {
        afterDestruction.add(action);
        return;
      }
    }
    action.run();
  }

  private void destroy() {
    List<Failures.Untold> untold;
    boolean cutShort;
    synchronized (device.lock) {
      untold = failures.untold();
      cutShort = completion.isCutShort();
      giveBack("an event of " + title(), completion::destroy);
      if (device.isUsable() && deferrable) {
        giveBack(title(), () -> driver.destroyStream(handle));
      }
      destroyed = true;
      owner.gone(this);
    }
    untold.forEach(this::report);
    if (cutShort && openedBy != null) {
      device.loss().closes(describe());
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
    } else if (openedBy != null && (loss == null || device.isFirstToTell(loss))) {
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
   *
   * @param other the other device
   * @param open opens a stream there
   */
  StreamQueue companion(DeviceState other, Supplier<StreamQueue> open) {
    StreamQueue companion = companions.get(other);
    if (companion == null || !companion.isOpen()) {
      companions.keySet().removeIf(DeviceState::isClosed);
      companion = open.get();
      companions.put(other, companion);
    }
    return companion;
  }

  private void giveBack(String what, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      device.report(what + " could not be given back", e);
    }
  }
}
