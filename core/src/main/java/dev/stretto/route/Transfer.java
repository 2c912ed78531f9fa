package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.Volume;
import dev.stretto.fault.CopyFailedException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A staged copy between ordinary host memory and a device, piece by piece through pinned slots.
 * Guarded by the driver's lock, except while a host thread moves the bytes of a piece.
 */
public abstract sealed class Transfer implements Staged, Arrival permits StagedIn, StagedOut {
  private static final long[] NONE = {};
  private static final VarHandle HOST_NANOS;
  private static final VarHandle ENDED_BYTES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOST_NANOS = lookup.findVarHandle(Transfer.class, "hostNanos", long.class);
      ENDED_BYTES = lookup.findVarHandle(Transfer.class, "endedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final DeviceRuntime engine;
  final StreamQueue queue;
  final HostPlaces host;
  final DeviceState device;
  final long address;
  final Layout layout;
  final int depth;
  final long[] laneNanos; // modelled: when each host thread is free
  final long[] slotNanos; // modelled: when the slot of the piece `depth` ago is free

  long sequence;

  /** The failures of streams that wait for the arrival, each with its first operation after it. */
  private final Map<Failures, Long> heirs = new LinkedHashMap<>(0);

  private long number;
  private boolean started;
  private boolean begun;
  long startNanos;
  long nextPiece;
  long endedPieces;

  @SuppressWarnings("UnusedVariable") // by its handle
  private volatile long endedBytes;

  private int slotsHeld;

  /** Whether feeders feed the rest. */
  private boolean isFed;

  private volatile boolean settled;

  /** Whether the stream was let go on; guarded by the driver's lock. */
  private boolean isResumed;

  private boolean abandoned;
  private volatile @Nullable RuntimeException failure;

  @SuppressWarnings("UnusedVariable") // by its handle
  private volatile long hostNanos;

  /**
   * Guards itself: streams of another driver wait too, and a thread that adds an action may hold
   * that driver's lock.
   */
  private final List<Runnable> onSettled = new ArrayList<>(2);

  Transfer(DeviceRuntime engine, StreamQueue queue, HostPlaces host, long address, Layout layout) {
    this.engine = engine;
    this.device = queue.device;
    this.queue = queue;
    this.host = host;
    this.address = address;
    this.layout = layout;
    int width = device.hostWork().width();
    this.depth = Slots.depth(width);
    boolean modelled = clock().isModelled();
    this.laneNanos = modelled ? new long[width] : NONE;
    this.slotNanos = modelled ? new long[depth] : NONE;
  }

  /**
   * {@return a staged copy of rows that is enqueued on a stream}
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param onDevice the device memory
   * @param address the address in it
   * @param host ordinary memory that any thread may access, at least {@code (rows - 1) * hostPitch
   *     + width} bytes
   * @param toDevice the direction
   */
  public static Transfer enqueue(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource onDevice,
      long address,
      long devicePitch,
      MemorySegment host,
      long hostPitch,
      long width,
      long rows,
      boolean toDevice) {
    Layout.Cut cut = engine.cut(toDevice);
    return enqueue(
        engine,
        queue,
        onDevice,
        address,
        HostPlaces.of(host),
        Layout.of(rows, width, hostPitch, devicePitch, cut),
        toDevice);
  }

  /**
   * {@return a staged copy of rows in many places, or in a file, that is enqueued on a stream}
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param onDevice the device memory
   * @param address the address in it
   * @param host ordinary memory that any thread may access, {@code rows * width} bytes
   * @param toDevice the direction
   */
  public static Transfer enqueue(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource onDevice,
      long address,
      long devicePitch,
      Scattered host,
      long width,
      long rows,
      boolean toDevice) {
    DeviceForm form = host.deviceForm();
    Layout.Cut cut = engine.cut(toDevice);
    // A slot has to hold what a device converts in the form that it has on the host.
    Layout.Cut fitting =
        toDevice && form != null ? cut.divided(form.hostBytes() / form.deviceBytes()) : cut;
    Layout layout = Layout.of(rows, width, width, devicePitch, fitting);
    return enqueue(engine, queue, onDevice, address, HostPlaces.of(host), layout, toDevice);
  }

  /**
   * {@return a staged copy of planes that is enqueued on a stream}
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param onDevice the device memory
   * @param address the address in it
   * @param host ordinary memory that any thread may access, as many bytes as the shape spans at
   *     that end
   * @param shape the planes, in the direction of the copy
   * @param toDevice the direction
   */
  public static Transfer enqueue(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource onDevice,
      long address,
      MemorySegment host,
      Volume shape,
      boolean toDevice) {
    Layout layout = Layout.of(shape, toDevice, engine.cut(toDevice));
    return enqueue(engine, queue, onDevice, address, HostPlaces.of(host), layout, toDevice);
  }

  private static Transfer enqueue(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource onDevice,
      long address,
      HostPlaces host,
      Layout layout,
      boolean toDevice) {
    Transfer transfer =
        toDevice
            ? new StagedIn(engine, queue, host, address, layout)
            : new StagedOut(engine, queue, host, address, layout);
    transfer.number = transfer.enqueue(onDevice);
    return transfer;
  }

  /**
   * Refuses staged copies on a stream where operations of other code would overtake them, and on a
   * device for which no memory can be pinned.
   *
   * @param engine the stream's device
   * @param queue the stream
   */
  public static void require(DeviceRuntime engine, StreamQueue queue) {
    queue.requireStaging();
    engine.slots().requireOne();
  }

  private long enqueue(Resource onDevice) {
    require(engine, queue);
    synchronized (device.lock) {
      List<Arrival> earlier = host.arriving(queue.arrivals);
      engine.began(this);
      long given;
      try {
        given =
            queue.handover.enqueueStaged(
                onDevice, costAtOnce(), own -> start(own, earlier), this::isNotHandedOver);
      } catch (RuntimeException e) {
        engine.ended(this);
        throw e;
      }
      queue.handover.changesNoOtherMemory(given);
      sequence = given;
      if (!started && earlier.isEmpty() && queue.handover.isHostMemoryReady() && !mayBePinned()) {
        startNanos = clock().now();
        readAhead();
      }
      if (isTowardsHost()) {
        queue.toHost.brings(given);
        queue.arrivals.add(this, given);
      }
      return given;
    }
  }

  /** Ends a copy whose turn has come, but which cannot be handed over. */
  private void isNotHandedOver(RuntimeException cause) {
    synchronized (device.lock) {
      begun = true;
      fail(cause instanceof DriverException refusal ? device.raised(refusal) : cause);
    }
  }

  /** {@return whether the copy brings bytes to host memory} */
  abstract boolean isTowardsHost();

  /** {@return the operation's sequence number} */
  public final long sequence() {
    return number;
  }

  @Override
  public final @Nullable MemorySegment host() {
    return host.segment();
  }

  @Override
  public final boolean isInFile() {
    return host.isFile();
  }

  /** Has a host thread move bytes of a piece: one that may wait for a disk, if that is possible. */
  final void onHostThread(Runnable part) {
    if (host.mayWaitForDisk()) {
      device.laterWithFiles(part);
    } else {
      device.later(part);
    }
  }

  @Override
  public final boolean concerns(MemorySegment other) {
    return host.concerns(other);
  }

  @Override
  public final boolean touches(long address, long bytes) {
    return host.touches(address, bytes);
  }

  /**
   * Starts the copy when everything before it on the stream has been handed over. Called with the
   * lock held.
   *
   * @param earlier the copies that are still to arrive in the same host memory
   */
  final void start(long given, List<Arrival> earlier) {
    sequence = given;
    started = true;
    if (costAtOnce() > 0 && earlier.isEmpty() && !mayBePinned() && goesAtOnce()) {
      return;
    }
    queue.handover.markCopies();
    queue.handover.holdWhileStaging("a staged copy that has not ended");
    if (mayBePinned()) {
      // Earlier copies may write the memory directly: they have to be done, not only handed over.
      device.later(() -> queue.completion.whenDone(sequence - 1, () -> afterConflicts(earlier)));
    } else {
      afterConflicts(earlier);
    }
  }

  /**
   * {@return what the copy counts for as a small one if it {@link #goesAtOnce}; 0 if it never does}
   */
  long costAtOnce() {
    return 0;
  }

  /** {@return whether the driver has been given the whole copy, so that the stream is not held} */
  boolean goesAtOnce() {
    return false;
  }

  private boolean mayBePinned() {
    return host.mayBePinned(engine.pinned().ranges());
  }

  /**
   * Begins to move bytes of host memory although earlier operations of the stream hold this copy
   * back, if its direction allows that.
   */
  abstract void readAhead();

  /**
   * Waits for earlier staged copies that are still to arrive in the memory that this copy accesses.
   */
  private void afterConflicts(List<Arrival> earlier) {
    Countdown clear = new Countdown(earlier.size() + 1, this::begin);
    earlier.forEach(other -> other.whenSettled(clear));
    clear.run();
  }

  private void begin() {
    synchronized (device.lock) {
      begun = true;
      begun();
    }
  }

  /** Has the transfer go on when its turn in the stream has come. Called with the lock held. */
  void begun() {
    startNanos = clock().now();
    engine.slots().request(this);
  }

  final boolean hasBegun() {
    return begun;
  }

  @Override
  public final boolean wantsSlot() {
    return !isFed && failure == null && nextPiece < layout.pieces() && slotsHeld < depth;
  }

  /** Notes that feeders feed the rest. Called with the lock held. */
  final void takesNoMoreSlots() {
    isFed = true;
  }

  /** Notes that a piece was handed over, or is in host memory. */
  final void ended(long piece) {
    ENDED_BYTES.getAndAddRelease(this, layout.widthOf(piece) * layout.rowsOf(piece));
  }

  @Override
  public final long nextBytes() {
    return layout.widthOf(nextPiece) * layout.rowsOf(nextPiece);
  }

  @Override
  public final void granted(Slots.Part slot) {
    slotsHeld++;
    take(nextPiece++, slot);
  }

  abstract void take(long piece, Slots.Part slot);

  /** Gives a slot back; this transfer may get it again. */
  final void giveBack(Slots.Part slot) {
    synchronized (device.lock) {
      boolean sated = !wantsSlot();
      slotsHeld--;
      if (sated && wantsSlot()) {
        engine.slots().request(this);
      }
      engine.slots().giveBack(slot);
    }
  }

  /**
   * Gives back a slot that the driver may or may not be using, after all of this copy that the
   * driver has.
   */
  final void giveBackAfterUse(Slots.Part slot) {
    queue.completion.whenDone(sequence, () -> engine.locked().run(part(() -> giveBack(slot))));
  }

  /**
   * Moves the bytes of a piece between host memory and its slot.
   *
   * @return the failure, or null
   */
  final @Nullable Throwable tryToMove(long piece, MemorySegment slot, boolean intoSlot) {
    return tryToMove(piece, slot, 0, intoSlot);
  }

  /** The same for a slot that begins somewhere in a block of memory. */
  final @Nullable Throwable tryToMove(
      long piece, MemorySegment block, long offset, boolean intoSlot) {
    return tryToMove(piece, () -> host.move(layout, piece, block, offset, intoSlot));
  }

  /** The same for elements that keep the form that they have on the host. */
  final @Nullable Throwable tryToMoveUnconverted(
      long piece, DeviceForm form, MemorySegment block, long offset) {
    return tryToMove(piece, () -> host.moveUnconverted(layout, piece, form, block, offset));
  }

  private @Nullable Throwable tryToMove(long piece, Runnable move) {
    long begin = System.nanoTime();
    try {
      move.run();
      return null;
    } catch (Throwable e) {
      return e; // the JDK throws InternalError for a mapped file that was truncated
    } finally {
      long nanos =
          isModelled()
              ? clock().copyNanos(layout.widthOf(piece) * layout.rowsOf(piece))
              : System.nanoTime() - begin;
      HOST_NANOS.getAndAddAcquire(this, nanos);
    }
  }

  /** Hands the copy of one piece, between its slot and the device, to the driver. */
  final void handOver(long piece, Slots.Part slot, boolean toDevice) {
    handOver(piece, slot.address(), toDevice);
  }

  /** The same for a slot at an address. */
  final void handOver(long piece, long slot, boolean toDevice) {
    Pieces.handOver(queue, layout, piece, address, slot, toDevice);
  }

  /** {@return the exception for host memory that could not be accessed} */
  final CopyFailedException hostFailure(Throwable cause) {
    long bytes = layout.bytes();
    if (cause instanceof UncheckedIOException) {
      return new CopyFailedException(
          "the file of a copy on %s could not be %s while the copy was in flight (%s); %d of %d bytes had been copied"
              .formatted(
                  queue.fullTitle(),
                  isTowardsHost() ? "written" : "read",
                  cause.getCause(),
                  endedBytes,
                  bytes),
          cause);
    }
    return new CopyFailedException(
        "the host memory of a copy on "
            + queue.fullTitle()
            + " could not be accessed while the copy was in flight ("
            + cause.getMessage()
            + "); "
            + endedBytes
            + " of "
            + bytes
            + " bytes had been copied: keep the arena or the mapped file open until the copy is"
            + " done",
        cause);
  }

  @Override
  public final void refused(RuntimeException why) {
    fail(why);
  }

  /** Ends the transfer early. */
  final void fail(RuntimeException cause) {
    synchronized (device.lock) {
      if (failure == null) {
        failed(cause);
      }
      afterFailure();
    }
  }

  /** Passes the failure on to the streams that have waited for the arrival. */
  private void failed(RuntimeException cause) {
    queue.failures.add(
        sequence, cause); // first: a thread that sees the failure below reports it to the stream
    failure = cause;
    List<Failures.Failed> untold = queue.failures.untold(sequence);
    heirs.forEach((heir, from) -> heir.inherit(untold, from));
  }

  @Override
  public final void passFailureTo(Failures heir, long from) {
    device.lock.assertHeld();
    if (heir != queue.failures) {
      heirs.putIfAbsent(heir, from);
    }
  }

  /** Called with the lock held whenever a part of a failed transfer ends. */
  abstract void afterFailure();

  @Override
  public final void abandon(RuntimeException told) {
    abandoned |= !settled;
    if (failure == null) {
      failure = told;
    }
    settle(0);
    abandoned();
  }

  /** Gives up what only a copy that was abandoned still has. Called with the lock held. */
  void abandoned() {}

  @Override
  public final boolean isAbandoned() {
    return abandoned;
  }

  final boolean hasFailed() {
    return failure != null;
  }

  @Override
  public final @Nullable RuntimeException failure() {
    return failure;
  }

  @Override
  public final long hostNanos() {
    return hostNanos;
  }

  @Override
  public final boolean isSettled() {
    return settled;
  }

  @Override
  public final void whenSettled(Runnable action) {
    boolean waits;
    synchronized (onSettled) {
      waits = !settled;
      if (waits) {
        onSettled.add(action);
      }
    }
    if (waits) {
      hasten();
    } else {
      action.run();
    }
  }

  /** {@return whether somebody waits until the copy has settled} */
  final boolean isAwaited() {
    synchronized (onSettled) {
      return !onSettled.isEmpty();
    }
  }

  @Override
  public final void hasten(Failures by) {
    if (by != queue.failures) {
      hasten();
    }
  }

  /** Has the copy settle as soon as it can, because somebody waits for that. */
  void hasten() {}

  /**
   * {@return a part of the copy, to be run on a host thread} Any exception of it ends the copy.
   * Otherwise the exception would be lost, and threads that await the copy would wait for ever.
   */
  final Runnable part(Runnable body) {
    return () -> {
      try {
        body.run();
      } catch (Throwable e) {
        died(e);
      }
    };
  }

  private void died(Throwable e) {
    synchronized (device.lock) {
      if (failure == null) {
        RuntimeException cause =
            new CopyFailedException(
                "a host thread that staged a copy on %s failed after %d of %d bytes: %s"
                    .formatted(queue.fullTitle(), endedBytes, layout.bytes(), e),
                e);
        failed(cause);
      }
      settle(0);
      engine.slots().lostCount();
      if (begun && queue.handover.isHeld() && !queue.completion.isHandedOver(sequence)) {
        resume();
      }
    }
  }

  /** Lets the stream go on behind the copy. A copy whose thread has died may come here twice. */
  final void resume() {
    if (!isResumed) {
      isResumed = true;
      queue.handover.resume(sequence, true);
    }
  }

  final void settle(long nanos) {
    if (settled) {
      return;
    }
    settledNanos = nanos;
    List<Runnable> actions;
    synchronized (onSettled) {
      settled = true;
      actions = List.copyOf(onSettled);
      onSettled.clear();
    }
    engine.ended(this);
    if (!actions.isEmpty()) {
      actions.forEach(device::later);
    }
  }

  private volatile long settledNanos;

  @Override
  public final long settledNanos() {
    return settledNanos;
  }

  /** {@return whether the copy keeps the times of its pieces} */
  final boolean isModelled() {
    return laneNanos.length > 0;
  }

  final HostClock clock() {
    return device.driver().clock();
  }
}
