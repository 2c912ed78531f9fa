package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.ValueCondition;
import dev.stretto.driver.Volume;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.LaunchException;
import dev.stretto.fault.RouteException;
import dev.stretto.order.Accesses;
import dev.stretto.order.Issue;
import dev.stretto.order.Order;
import dev.stretto.order.OrderedStream;
import dev.stretto.order.Shared;
import dev.stretto.order.StreamClock;
import dev.stretto.order.Work;
import dev.stretto.settings.OrderMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The host's side of one driver stream. Every operation gets a sequence number when it is called.
 * It is done when the stream's marks say that everything up to that number is done.
 *
 * <p>This class has the operations; those with rules of their own are in {@link OrdinaryCopies},
 * {@link PeerCopies}, {@link StreamWaits} and {@link Callback}. {@link Handover} hands them to the
 * driver in order, and {@link Completion} knows their progress.
 *
 * <p>All state is guarded by the driver's lock.
 */
public final class StreamQueue implements Looks.Looked {
  /** The owner of the stream: the object that has opened it on a device. */
  interface Owner {
    /** {@return the poller of the device's streams} */
    CompletionPoller watch();

    /** {@return the device's streams on which somebody waits} */
    PolledStreams watched();

    /** {@return how many operations of each stream the driver gets} */
    LaunchBacklog backlog();

    /** {@return all streams of the device that are not destroyed} */
    List<StreamQueue> queues();

    /** Notes that the program has opened the stream, or uses it too if it is shared. */
    void opened(StreamQueue queue);

    /** Gives back the driver's stream, on which everything is done. Called with the lock held. */
    void release(StreamQueue queue);

    /** Notes that the stream is destroyed. Called with the lock held. */
    void gone(StreamQueue queue);
  }

  /**
   * Copies up to this size may share a mark with the copies directly after them: a mark costs more
   * than such a copy.
   */
  static final long SMALL_COPY = 64 << 10;

  /** The same for copies and fills within a device, which take a few microseconds at most. */
  private static final long SMALL_ON_DEVICE = 4L << 20;

  /** A fill of elements of 8 bytes is two strided ones, which take several times as long. */
  private static final long SLOW_FILL = 8;

  /** What a short row costs at least, in bytes. */
  static final long LEAST_ROW = 256;

  /** The largest copy that goes through a small buffer at once. */
  public static final int INLINE_BYTES = 64 << 10;

  final DeviceState device;
  final DriverDevice driver;
  final long handle;
  private final int priority;
  final boolean deferrable;
  final Completion completion;
  final Handover handover;
  final Failures failures;
  final Arrivals arrivals;
  final ToHost toHost = new ToHost();
  final RecentLaunches launches = new RecentLaunches();
  final ProcessWaits processWaits = new ProcessWaits();

  /** What the stream has done and knows, if the order of its operations is known; else null. */
  final @Nullable StreamClock clock;

  /** The program's code that holds the stream at the moment, or null. */
  volatile @Nullable OwnTurn turn;

  private final Owner owner;
  private final StreamName name;

  /** For a thread's own default stream, the only thread that can use it; else null. */
  private final @Nullable Thread thread;

  /** Waits for other streams that could not be handed over when they were enqueued. */
  private final List<OwnTurn.Link> pendingWaits = new ArrayList<>(0);

  /** The first and the last of the marks that nothing is between; guarded by the device's lock. */
  private long firstMark;

  private long lastMark;

  private final List<Runnable> afterDestruction = new ArrayList<>(1);
  private final Map<DeviceState, StreamQueue> companions = new HashMap<>(0);
  private boolean destroyed;
  private volatile boolean handedOut;

  /** Where the program has opened the stream; null if Stretto has opened it for its own use. */
  private volatile StackWalker.@Nullable StackFrame openedBy;

  StreamQueue(
      DeviceState device,
      Owner owner,
      long handle,
      int priority,
      boolean deferrable,
      StreamName name,
      OrderMode mode) {
    this.device = device;
    this.driver = device.driver();
    this.owner = owner;
    this.handle = handle;
    this.priority = priority;
    this.deferrable = deferrable;
    this.name = name;
    this.thread = handle == DriverDevice.PER_THREAD_STREAM ? Thread.currentThread() : null;
    this.failures = new Failures(device);
    this.completion =
        new Completion(
            device, handle, deferrable, failures, toHost, () -> owner.watched().watch(this));
    this.handover = new Handover(fullTitle(), deferrable, completion, failures, owner.backlog());
    this.arrivals = completion.arrivals();
    this.clock = clock(this, mode);
    if (!deferrable) {
      toHost.share();
    }
  }

  /** {@return the clock of a queue whose fields are all set but that one} */
  private static @Nullable StreamClock clock(StreamQueue queue, OrderMode mode) {
    OrderedQueue ordered = new OrderedQueue(queue);
    if (mode == OrderMode.OFF) {
      return null;
    }
    if (queue.deferrable) {
      return order().open(ordered, mode == OrderMode.AUTOMATIC);
    }
    return mode == OrderMode.CHECKED ? order().open(ordered, queue.shared()) : null;
  }

  private Shared shared() {
    boolean legacy = handle == DriverDevice.LEGACY_STREAM;
    boolean adopted = !legacy && handle != DriverDevice.PER_THREAD_STREAM;
    Shared.Sort sort =
        legacy
            ? Shared.Sort.LEGACY
            : !adopted || driver.waitsForLegacyStream(handle)
                ? Shared.Sort.BLOCKING
                : Shared.Sort.NON_BLOCKING;
    return new Shared(
        List.of(device.lock, driver.properties().ordinal()),
        thread == null ? handle : thread,
        sort,
        adopted);
  }

  private static Order order() {
    return Order.ofProcess();
  }

  /**
   * {@return an operation that is about to be enqueued, or null if the order is not known}
   *
   * @param name what it is
   * @param place takes down where the program enqueues it
   */
  public @Nullable Issue issue(String name, Supplier<Supplier<@Nullable StackTraceElement>> place) {
    StreamClock known = clock;
    return known == null
        ? null
        : order()
            .begin(
                known,
                lastIssued(),
                new Work(name, isAutomatic() ? StreamQueue::nowhere : place.get()));
  }

  /** The place of an operation that is never reported. */
  private static @Nullable StackTraceElement nowhere() {
    return null;
  }

  /** {@return the same for several operations that the program enqueues together} */
  public List<Issue> issues(String name, Supplier<@Nullable StackTraceElement> place, int count) {
    StreamClock known = Objects.requireNonNull(clock, "clock");
    Work work = new Work(name, place);
    List<Issue> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(order().begin(known, lastIssued(), work));
    }
    return all;
  }

  /**
   * {@return whether an operation is the last one of this stream among those whose order is known}
   */
  public boolean endsWith(OrderedStream stream, long sequence) {
    return stream instanceof OrderedQueue ordered
        && ordered.isOf(this)
        && ordered.last() == sequence;
  }

  /** {@return whether its operations wait for what they would race with} */
  public boolean isAutomatic() {
    return clock != null && clock.isAutomatic();
  }

  /** {@return whether the order of its operations is known} */
  public boolean isOrdered() {
    return clock != null;
  }

  /** Notes that what is enqueued from now on comes after an operation of another stream. */
  public void comesAfter(StreamQueue other, long point) {
    StreamClock known = clock;
    StreamClock others = other.clock;
    if (known == null) {
      return;
    }
    if (others == null) {
      comesAfterAll();
    } else {
      order().comesAfter(known, others, point);
    }
  }

  /** Notes that what is enqueued from now on may come after anything that was enqueued before. */
  public void comesAfterAll() {
    if (clock != null) {
      order().comesAfterAll(clock);
    }
  }

  /** Notes that the stream frees memory, before which it waits for all that use it. */
  void frees(Accesses memory, long sequence) {
    if (clock != null) {
      order().frees(clock, sequence, memory);
    }
  }

  /** Notes that the program learns that the stream has come past an operation. */
  public void learned(long point) {
    if (clock != null) {
      order().learns(clock, point);
    }
  }

  /** Notes that the program learns that a copy has read its source when it was enqueued. */
  public void learnedThatItHasRead(long point) {
    if (clock != null) {
      order().learnsThatItHasRead(clock, point);
    }
  }

  /** {@return the driver's handle} */
  @Override
  public long handle() {
    return handle;
  }

  /** {@return the priority with which the stream was opened; numerically lower is more urgent} */
  int priority() {
    return priority;
  }

  /** {@return the driver's handle, for other code, which may keep it} */
  public long handOut() {
    handedOut = true;
    return handle;
  }

  /** {@return whether other code may have the driver's handle} */
  boolean isHandedOut() {
    return handedOut;
  }

  /** {@return the device that this stream belongs to} */
  public DeviceState device() {
    return device;
  }

  /** {@return the only thread that can use the stream, or null if all threads can} */
  public @Nullable Thread owner() {
    return thread;
  }

  /** {@return whether operations can be held back on this stream; not on CUDA's default streams} */
  public boolean isDeferrable() {
    return deferrable;
  }

  /** {@return the name of the stream} */
  public StreamName name() {
    return name;
  }

  /** {@return the stream's title for messages that also name its device} */
  public String title() {
    return name.title();
  }

  /** {@return the stream's title for messages, with its device} */
  public String fullTitle() {
    return name.title() + " of " + device.name();
  }

  /**
   * {@return the kind of a stream that cannot hold operations back, with its article} Other code
   * enqueues there too, and would overtake operations that are held back.
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

  /** {@return the poller of the device's streams} */
  public CompletionPoller watch() {
    return owner.watch();
  }

  /**
   * Notes that the program has opened the stream, so that failures on it have to be reported.
   *
   * @param place the line; the first one is kept
   */
  public void openedBy(StackWalker.StackFrame place) {
    if (openedBy == null) {
      openedBy = place;
      owner.opened(this);
    }
  }

  /**
   * {@return where the program has opened the stream; null if Stretto has opened it for its own
   * use}
   */
  public @Nullable StackTraceElement openedBy() {
    StackWalker.StackFrame place = openedBy;
    return place == null ? null : place.toStackTraceElement();
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
    boolean small = isSmall(bytes, kind);
    long sequence;
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
      sequence = handover.begin(to, from);
      handover.changesNoOtherMemory(sequence);
      if (!handover.isDirect()) {
        handover.deferCopy(
            sequence, small, bytes, () -> driver.copy(dst, src, bytes, kind, handle));
        return brings(sequence, kind);
      }
      boolean alone = true;
      try {
        handover.beforeCopy(small);
        alone = !handover.callsWithoutLock();
        if (alone) {
          driver.copy(dst, src, bytes, kind, handle);
        }
      } catch (DriverException e) {
        throw device.raised(e);
      } finally {
        if (alone) {
          handover.copied(sequence, small, bytes);
        }
      }
      if (alone) {
        return brings(sequence, kind);
      }
    }
    try {
      driver.copy(dst, src, bytes, kind, handle);
    } catch (DriverException e) {
      throw device.raised(e);
    } finally {
      handover.calledToCopy(sequence, small, bytes);
    }
    if (kind == CopyKind.DEVICE_TO_HOST) {
      synchronized (device.lock) {
        toHost.brings(sequence);
      }
    }
    return sequence;
  }

  private static boolean isSmall(long bytes, CopyKind kind) {
    return bytes <= (kind == CopyKind.DEVICE_TO_DEVICE ? SMALL_ON_DEVICE : SMALL_COPY);
  }

  /** Notes the copy if it goes to the host, and returns its number. */
  private long brings(long sequence, CopyKind kind) {
    if (kind == CopyKind.DEVICE_TO_HOST) {
      toHost.brings(sequence);
    }
    return sequence;
  }

  /** {@return the record of what the stream brings to host memory} */
  public ToHost toHost() {
    return toHost;
  }

  /**
   * Notes that the program awaits a point of the stream, or knows that it is reached.
   *
   * @param point the point's number
   */
  public void heard(long point) {
    toHost.awaited(point);
  }

  /**
   * Enqueues a copy of pinned memory that waits for earlier staged copies which still have to
   * arrive there.
   */
  long copyAfter(
      List<Arrival> arriving, @Nullable Resource to, @Nullable Resource from, Operation copy) {
    if (!deferrable) {
      throw new RouteException(
          describeForeign()
              + " cannot hold a copy back until an earlier staged copy of the same host memory has"
              + " arrived: await that copy first, or use device.stream()");
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
      long sequence = handover.begin(to, from);
      handover.changesNoOtherMemory(sequence);
      long cost = rows * Math.max(width, LEAST_ROW);
      handover.submitOrDeferCopy(sequence, isSmall(cost, kind), cost, copy);
      return brings(sequence, kind);
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
      return brings(handover.enqueueOnDevice(to, from, true, copy), kind);
    }
  }

  /** Refuses staged copies on streams where operations of other code would overtake them. */
  void requireStaging() {
    requireDeferrable("a staged copy needs that: use device.stream(), or pinned memory");
  }

  /** Refuses callbacks on such streams. */
  public void requireCallbacks() {
    requireDeferrable("a callback needs that: use device.stream()");
  }

  /** Refuses copies from host memory to host memory on such streams. */
  public void requireHostCopies() {
    requireDeferrable(
        "a copy from host memory to host memory needs that: use device.stream(), or copy the"
            + " segments when all earlier operations are done");
  }

  private void requireDeferrable(String who) {
    if (!deferrable) {
      throw new RouteException(describeForeign() + " cannot hold operations back, but " + who);
    }
  }

  /**
   * Makes all later operations wait for the work that an event of other code in the process stands
   * for now. The event is no longer used when this returns.
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

  /** {@return whether an operation has been handed to the driver rather than held back} */
  public boolean isWithDriver(long sequence) {
    synchronized (device.lock) {
      return completion.isHandedOver(sequence);
    }
  }

  /**
   * {@return whether this is a per-thread default stream} It is a different stream for each thread.
   */
  public boolean isOfThread() {
    return handle == DriverDevice.PER_THREAD_STREAM;
  }

  /** Enqueues a fill. */
  public long fill(Resource to, GraphWork.Fill fill) {
    int elementBytes = fill.elementBytes();
    long bytes = fill.rows() * fill.count() * elementBytes;
    long cost = elementBytes == Long.BYTES ? bytes * SLOW_FILL : bytes;
    boolean small = cost <= SMALL_ON_DEVICE;
    synchronized (device.lock) {
      long sequence = handover.begin(to, null);
      handover.changesNoOtherMemory(sequence);
      if (handover.isDirect()) {
        try {
          handover.beforeCopy(small);
          submit(fill);
        } catch (DriverException e) {
          throw device.raised(e);
        } finally {
          handover.copied(sequence, small, cost);
        }
      } else {
        handover.deferCopy(sequence, small, cost, () -> submit(fill));
      }
      return sequence;
    }
  }

  private void submit(GraphWork.Fill fill) {
    if (fill.rows() == 1) {
      driver.fill(fill.dst(), fill.value(), fill.elementBytes(), fill.count(), handle);
    } else {
      driver.fill2D(
          fill.dst(),
          fill.pitch(),
          fill.value(),
          fill.elementBytes(),
          fill.count(),
          fill.rows(),
          handle);
    }
  }

  /**
   * Enqueues that the stream writes a number of 4 or 8 bytes.
   *
   * @param isHost whether it lies in the host's memory
   */
  public long writeValue(Resource to, boolean isHost, long address, long value, int bytes) {
    synchronized (device.lock) {
      long sequence = handover.begin(to, null);
      if (!isHost) {
        handover.changesNoOtherMemory(sequence);
      }
      handover.submitOrDefer(
          sequence, false, () -> driver.writeValue(address, value, bytes, handle));
      return sequence;
    }
  }

  /** Enqueues that the stream waits for a number of 4 or 8 bytes. */
  public long waitValue(
      Resource in, long address, long value, int bytes, ValueCondition condition) {
    synchronized (device.lock) {
      long sequence = handover.begin(null, in);
      handover.changesNoOtherMemory(sequence);
      handover.submitOrDefer(
          sequence, false, () -> driver.waitValue(address, value, bytes, condition, handle));
      return sequence;
    }
  }

  /** Enqueues nothing but the use of a resource, in place of a wait that is over. */
  long passed(Resource used) {
    return handover.enqueueOnDevice(null, used, false, () -> {});
  }

  /** Notes that the stream waits for a recording of another process. */
  void waitsForProcess(long sequence, Recorded event, long number) {
    processWaits.add(sequence, event, number);
    StreamClock known = clock;
    if (known != null) {
      order().waitsForStranger(known, sequence);
    }
  }

  /**
   * Finds out whether waits for other processes have ended too early, up to a point that the stream
   * has reached.
   */
  public void askProcesses(long sequence) {
    processWaits.ask(sequence, failures);
  }

  /** Notes a number that the stream writes, where the order is checked. */
  public void wroteValue(Accesses memory, long address, long value, long sequence) {
    StreamClock known = clock;
    if (known != null) {
      order().writesValue(known, sequence, memory, address, value);
    }
  }

  /** Notes a number for which the stream waits, where the order is checked. */
  public void waitsForValue(Accesses memory, long address, LongPredicate isThat) {
    StreamClock known = clock;
    if (known != null) {
      order().waitsForValue(known, memory, address, isThat);
    }
  }

  /**
   * Enqueues a launch.
   *
   * @param used every resource that the kernel may use, the kernel's own module first
   * @param launch the launch; its parameters are copied before this returns
   * @param place the line of the program, or null if it is not needed
   */
  public long launch(Resource[] used, PackedLaunch launch, @Nullable StackTraceElement place) {
    long sequence;
    synchronized (device.lock) {
      handover.requireOpen();
      for (Resource resource : used) {
        handover.noteUse(resource, completion.issued() + 1);
      }
      sequence = handover.begin(null, null);
      handover.changesNoOtherMemory(sequence);
      if (!handover.isDirect()) {
        LaunchShape shape = launch.shape();
        byte[] values = launch.snapshot();
        handover.defer(sequence, false, () -> launchLater(sequence, launch, shape, values, place));
        return sequence;
      }
      boolean alone = true;
      try {
        handover.markCopies();
        noteLaunch(launch.kernel(), place, sequence);
        alone = !handover.callsWithoutLock();
        if (alone) {
          launch.submit(driver, handle, place);
        }
      } catch (DriverException e) {
        throw device.raised(e);
      } finally {
        if (alone) {
          handover.handedOver(sequence, false);
        }
      }
      if (alone) {
        return sequence;
      }
    }
    try {
      launch.submit(driver, handle, place);
    } catch (DriverException e) {
      throw device.raised(e);
    } finally {
      handover.called(sequence);
    }
    return sequence;
  }

  /**
   * Notes a launch that is being handed to the driver. Called with the lock held.
   *
   * @param launched a kernel's name, or what describes a graph
   * @param place the line of the program, or null
   */
  void noteLaunch(Object launched, @Nullable StackTraceElement place, long sequence) {
    launches.note(launched, place, sequence, completion.completed());
    device.countLaunch();
  }

  /**
   * Launches later: the stack trace no longer has the line of the call, so the message names it.
   */
  private void launchLater(
      long sequence,
      PackedLaunch launch,
      LaunchShape shape,
      byte[] values,
      @Nullable StackTraceElement place) {
    noteLaunch(launch.kernel(), place, sequence);
    try {
      launch.submit(driver, handle, shape, values, place);
    } catch (DriverException e) {
      throw refusedLater(e, launch.kernel(), place);
    }
  }

  /**
   * {@return the exception for a launch that was held back and that the driver refused later}
   *
   * @param what the kernel or graph that was launched
   * @param place the line of the program, or null if it is not known
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
   * Marks this point of the stream. If nothing was enqueued since the last mark, that mark also
   * stands for this point, except on default streams, where other libraries enqueue.
   */
  public long mark() {
    synchronized (device.lock) {
      handover.requireOpen();
      if (deferrable
          && completion.issued() > 0
          && completion.submitted() == completion.issued()
          && (completion.marked() == completion.issued() || isKnownDoneNow(completion.issued()))) {
        return completion.issued();
      }
      firstMark = lastMark == completion.issued() ? firstMark : completion.issued() + 1;
      long sequence = handover.begin(null, null);
      lastMark = sequence;
      handover.changesNoOtherMemory(sequence);
      if (handover.isDirect()) {
        handover.handedOver(sequence, true);
      } else {
        handover.defer(sequence, true, () -> {});
      }
      return marked(sequence);
    }
  }

  /**
   * Has a mark stand for the last operation that the driver was given, for those who only observe.
   *
   * @return whether the newest mark stands for this operation, and for none after it
   */
  public boolean markBehind(long sequence) {
    synchronized (device.lock) {
      if (!device.isUsable() || completion.submitted() != sequence) {
        return false;
      }
      try {
        completion.ensureMarked(sequence);
      } catch (RuntimeException e) {
        Loss.kept(e);
        return false;
      }
      return completion.marked() == sequence;
    }
  }

  /** On a modelled device a point also has a time, which only its mark knows. */
  private boolean isKnownDoneNow(long point) {
    return !driver.clock().isModelled() && completion.isKnownDone(point);
  }

  /**
   * Records a timed driver event at this point.
   *
   * @param event owned by the caller
   */
  public long record(long event) {
    return marked(handover.enqueue(null, null, true, () -> driver.recordEvent(event, handle)));
  }

  /**
   * Records a timed driver event at this point, which is no mark: whoever awaits what comes before
   * it is not held up by it, nor by what comes between.
   *
   * @param event owned by the caller
   */
  long stamp(long event) {
    synchronized (device.lock) {
      return marked(handover.stamp(() -> driver.recordEvent(event, handle)));
    }
  }

  /** {@return whether a point is reached, as those see it who only observe} */
  public boolean isSeenReached(long sequence) {
    CompletionPoller asked = watch();
    return asked.isStepped()
        ? asked.ask(this, sequence, () -> isReached(sequence))
        : isReached(sequence);
  }

  /**
   * {@return whether an operation is the last one, is not known to be done, and nothing but Stretto
   * enqueues on the stream}
   */
  boolean isLast(long sequence) {
    synchronized (device.lock) {
      return deferrable && completion.issued() == sequence && !completion.isKnownDone(sequence);
    }
  }

  /**
   * Whether what was enqueued up to a number is with the driver, and nothing is behind it but
   * marks, nor can be but by Stretto: what comes next begins when that has ended, or when it is
   * enqueued.
   */
  boolean hasOnlyMarksBehind(long sequence) {
    synchronized (device.lock) {
      long issued = completion.issued();
      return deferrable
          && completion.isHandedOver(sequence)
          && (issued == sequence || (issued == lastMark && firstMark <= sequence + 1));
    }
  }

  /** A default stream waits for others at its events too. */
  private long marked(long sequence) {
    if (clock != null && !deferrable) {
      order().marks(clock, sequence);
    }
    return sequence;
  }

  /** Notes a wait for another stream that was not handed to the driver yet. */
  void pendingWait(long sequence, StreamQueue other, long point) {
    pendingWaits.removeIf(link -> completion.isHandedOver(link.sequence()));
    pendingWaits.add(new OwnTurn.Link(sequence, other, point));
  }

  /**
   * {@return the waits for other streams, up to a point, that were not handed to the driver yet}
   */
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
  public <T> T together(List<? extends Resource> used, int most, Supplier<T> body) {
    return handover.together(used, most, body);
  }

  /** {@return whether the driver has as many operations of this stream as it takes} */
  public boolean isFull() {
    return handover.isFull();
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /**
   * {@return the point that is reached when everything enqueued on the stream before this call is
   * done} Other code enqueues on default and adopted streams, so a mark is recorded there. Only its
   * own thread can mark a per-thread default stream: for other threads, the point is the last
   * operation that was enqueued through Stretto.
   */
  public long end() {
    synchronized (device.lock) {
      return isSharedHere() ? mark() : completion.issued();
    }
  }

  /**
   * Whether other code enqueues here, and the calling thread can ask the driver about its progress.
   */
  private boolean isSharedHere() {
    return !deferrable
        && (thread == null || thread.equals(Thread.currentThread()))
        && handover.accepts();
  }

  /** {@return whether everything enqueued on the stream before this call is done} */
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

  /**
   * {@return whether nothing is known to be under way} Without a lock, so another thread may have
   * enqueued something just now.
   */
  public boolean isKnownIdle() {
    return completion.isKnownDone(completion.issued());
  }

  /** {@return whether an operation is known to be done, without asking the driver} */
  public boolean isKnownDone(long sequence) {
    return completion.isKnownDone(sequence);
  }

  /**
   * {@return whether an operation is seen to be done, without recording a mark} {@link #isDone} may
   * record one, and that fills the driver's queue.
   */
  public boolean isSeenDone(long sequence) {
    return completion.isSeenDone(sequence);
  }

  /**
   * {@return whether an operation is done and everything that had to arrive in host memory by then
   * has arrived}
   */
  public boolean isReached(long sequence) {
    return completion.isReached(sequence);
  }

  /**
   * {@return whether a point is known to have been reached, without asking the driver} It is not
   * reached if a copy that had to arrive in host memory before it was lost with its device.
   */
  public boolean isKnownReached(long sequence) {
    return completion.isKnownReached(sequence);
  }

  /** {@return whether everything that had to arrive in host memory by a point has arrived} */
  public boolean hasArrived(long sequence) {
    return completion.hasArrived(sequence);
  }

  /** {@return whether a point that was reached has been reached by the calling thread's time} */
  public boolean hasPassed(long sequence) {
    return completion.hasPassed(sequence);
  }

  /**
   * {@return when a point was reached on a modelled device, as far as it is still known; 0 if time
   * is real}
   */
  public long doneNanos(long sequence) {
    return completion.doneNanos(sequence);
  }

  /**
   * Runs an action once a point is reached and everything that has to arrive in host memory by then
   * has arrived.
   *
   * @param action must not block
   * @return what {@link #forget} takes
   */
  public Runnable whenReached(long sequence, Runnable action) {
    return completion.whenReached(sequence, action);
  }

  /**
   * Forgets an action that was given to {@link #whenReached}, because nobody waits for it any more.
   */
  public void forget(Runnable reached) {
    completion.forget(reached);
  }

  /**
   * Runs {@code action} once an operation is done; at once if it already is or never will be. The
   * action must not block. Never throws an exception of the driver.
   */
  public void whenDone(long sequence, Runnable action) {
    completion.whenDone(sequence, action);
  }

  /** {@return how many operations are not known to be done, after asking the driver} */
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
   * {@return the first failure since the last call, with the others as suppressed exceptions, or
   * null; each failure is reported once}
   */
  public @Nullable RuntimeException takeFailure() {
    return failures.take();
  }

  /** {@return why an operation failed; if it did not, {@link #failureBehind}} */
  public @Nullable RuntimeException failureUpTo(long sequence) {
    return failures.upTo(sequence);
  }

  /**
   * {@return the first failure up to a point that no exception has reported to the program, or
   * null; each failure is reported once} It matters to later operations because they use data that
   * a failed copy should have brought.
   */
  public @Nullable RuntimeException failureBehind(long point) {
    return failures.before(point);
  }

  /**
   * Notes that the operation itself reports its failure to the program.
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
   * Closes the stream: it accepts nothing more, and the driver's stream is destroyed once its last
   * operation is done.
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

  /** Runs an action once the stream is closed and the driver's stream is destroyed. */
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
        giveBack(title(), () -> owner.release(this));
      }
      destroyed = true;
      owner.gone(this);
      if (clock != null) {
        order().close(clock);
      }
    }
    untold.forEach(this::report);
    if (cutShort && openedBy != null) {
      device.loss().closes(describe());
    }
    companions.values().forEach(StreamQueue::close);
    afterDestruction.forEach(Runnable::run);
  }

  /** Logs a failure because nobody awaited the stream or the operation before the stream ended. */
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

  /** {@return a description of the stream, for messages} */
  public String describe() {
    StackTraceElement place = openedBy();
    String where = place == null ? "" : " (opened at " + place + ")";
    return fullTitle() + where;
  }

  /**
   * {@return a stream of another device that takes part in small copies of this stream} It serves
   * only this stream, and has its order: on a shared stream, copies that wait would hold up the
   * copies for which they are waiting.
   *
   * @param other the other device
   * @param open opens a stream on the other device
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
      device.report(what + " could not be released", e);
    }
  }
}
