package dev.stretto;

import dev.stretto.diagnosis.tally.Places;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.ValueCondition;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.enqueue.BatchCopies;
import dev.stretto.enqueue.Box;
import dev.stretto.enqueue.CopyForm;
import dev.stretto.enqueue.Direction;
import dev.stretto.enqueue.Ends;
import dev.stretto.enqueue.Enqueuer;
import dev.stretto.enqueue.FileCopies;
import dev.stretto.enqueue.HostCopies;
import dev.stretto.enqueue.OnDevice;
import dev.stretto.enqueue.RowCopies;
import dev.stretto.enqueue.SourceReads;
import dev.stretto.enqueue.VolumeCopies;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.RouteException;
import dev.stretto.jfr.Flight;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Wait;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Issue;
import dev.stretto.route.Callback;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ForeignCall;
import dev.stretto.route.GraphGuest;
import dev.stretto.route.LateWork;
import dev.stretto.route.OpenStream;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.Outcome;
import dev.stretto.route.OwnPool;
import dev.stretto.route.ProcessEvent;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.StreamWaits;
import dev.stretto.route.Way;
import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of work for a device. Operations of one stream run in the order in which they were
 * enqueued; operations of different streams run in any order or at the same time. Any thread may
 * enqueue.
 *
 * <p>No method blocks except those named {@code await}. An operation that cannot be handed to the
 * driver yet is held back, with all operations after it, and is handed over later in order.
 *
 * <p>Invalid arguments are reported at the call, before anything is enqueued. On a device that was
 * opened with {@code order=checked}, operations that race with earlier ones are as well, with a
 * {@link dev.stretto.fault.RaceException}; with {@code order=automatic} they wait for those
 * instead. Later failures are reported where the work is awaited: by {@link Copy#await()} for that
 * copy, and by {@link #await()} for the first failure on the stream.
 */
public final class Stream extends StreamAllocations<Copy> implements Awaitable, AutoCloseable {
  private final Device device;
  private final Opening opening;
  private final StreamQueue queue;
  private final int priority;
  private final StreamCapture captured;
  private final Enqueuer<Copy> enqueuer;
  private Leaks.Watched watched = Leaks.unwatched();

  Stream(Device device, StreamQueue queue, int priority) {
    this.device = device;
    this.opening = new Opening(device.engine(), queue);
    this.queue = queue;
    this.priority = priority;
    this.captured = new StreamCapture(opening);
    this.enqueuer = new Enqueuer<>(opening, device.observers(), new CopiesOf(this));
    if (!queue.isOfProgram()) {
      StackWalker.StackFrame place = Places.callersFrame();
      if (place != null) { // otherwise a flow or a collective operation opened it and closes it
        queue.openedBy(place);
      }
    }
  }

  /** The view of this stream for enqueuing and observing. */
  private final class Opening extends OpenStream {
    Opening(DeviceRuntime engine, StreamQueue queue) {
      super(engine, queue);
    }

    Stream stream() {
      return Stream.this;
    }
  }

  /** {@return the stream that a view belongs to} */
  static Stream of(OpenStream opening) {
    return ((Opening) opening).stream();
  }

  /** Makes copies of this stream. */
  private record CopiesOf(Stream stream) implements CopyForm<Copy> {
    @Override
    public Copy copy(Way way, long sequence, @Nullable Outcome outcome) {
      return new Copy(stream, way, sequence, outcome);
    }

    @Override
    public Way way(Copy copy) {
      return copy.way();
    }

    @Override
    public long sequence(Copy copy) {
      return copy.sequence();
    }
  }

  /**
   * Counts this stream among what is open until it is closed. A stream of others is not counted.
   */
  void watch(Leaks leaks) {
    watched = leaks.watch(this, Stream::toString);
  }

  StreamQueue queue() {
    return queue;
  }

  OpenStream opening() {
    return opening;
  }

  Observers observers() {
    return enqueuer.observers();
  }

  StreamCapture captured() {
    return captured;
  }

  private DeviceBlock block(GlobalArray array) {
    return ArrayMemory.block(array, opening.engine(), this);
  }

  /** {@return the device that the stream belongs to} */
  public Device device() {
    return device;
  }

  /**
   * {@return the name of the stream in messages, timelines, recordings and diagnoses} It is the
   * name that the program has given ({@link Device#stream(String)}). Other streams are named {@code
   * stream 0x57010}, after the driver's handle, {@code legacy default stream}, {@code per-thread
   * default stream} or {@code adopted stream 0x57020}; no two open streams of a device have the
   * same name of this kind.
   */
  public String name() {
    return queue.name().text();
  }

  /** {@return whether the program has given the stream its name} */
  public boolean isNamed() {
    return queue.name().given();
  }

  /** {@return the requested priority; lower is more urgent} */
  public int priority() {
    return priority;
  }

  /**
   * {@return the driver's handle, a {@code CUstream}, for other CUDA libraries in the process;
   * valid until the stream is closed}
   *
   * <p>Work that a library enqueues with this handle comes after the operations of this stream that
   * the driver already has. It would overtake operations that are still held back (after a staged
   * copy, a callback or an event), and the memory that it uses is not kept alive. {@link #call}
   * solves both problems.
   *
   * @throws ClosedException if the stream or the device is closed
   */
  public long handle() {
    if (!isOpen()) {
      throw new ClosedException(this + " is closed: its handle is no longer valid");
    }
    queue.toHost().share();
    return queue.handOut();
  }

  // --- copies
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * Copies host memory to the device. The route depends on the host memory: pinned memory is copied
   * directly, other memory is staged; see {@link Copy#route()}. The source is read in the order of
   * the stream and must not be written until the copy is done.
   *
   * @param source pinned, native, mapped or heap memory; its arena may be confined only if the copy
   *     is small or the memory is pinned
   * @param destination as many bytes, on this stream's device
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ or are 0, or the destination lies on
   *     another device
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if the source would have to be staged and that is
   *     impossible (confined arena, default stream)
   * @throws WrongThreadException if the source belongs to another thread's confined arena
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copy(MemorySegment source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(Direction.TO_DEVICE, source, destination, null);
  }

  /**
   * Copies host memory to the device by a given route.
   *
   * @param source as for {@link #copy(MemorySegment, GlobalArray)}
   * @param destination as many bytes
   * @param way DIRECT, STAGED, INLINE or AWAITED_PAGEABLE, which blocks
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot take that route
   */
  public Copy copy(MemorySegment source, GlobalArray destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(
        Direction.TO_DEVICE, source, destination, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies device memory to host memory. The route depends on the host memory: pinned memory is
   * copied directly, other memory is staged; see {@link Copy#route()}. The destination must be
   * neither read nor written until the copy is done.
   *
   * @param source on this stream's device
   * @param destination as many bytes, writable; its arena may be confined only if the memory is
   *     pinned
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ or are 0, the destination is read-only, or
   *     the source lies on another device
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if the destination would have to be staged and that is
   *     impossible (confined arena, default stream)
   * @throws WrongThreadException if the destination belongs to another thread's confined arena
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copy(GlobalArray source, MemorySegment destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(Direction.TO_HOST, destination, source, null);
  }

  /**
   * Copies device memory to host memory by a given route.
   *
   * @param source on this stream's device
   * @param destination as for {@link #copy(GlobalArray, MemorySegment)}
   * @param way DIRECT, STAGED or AWAITED_PAGEABLE, which blocks
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot take that route
   */
  public Copy copy(GlobalArray source, MemorySegment destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(
        Direction.TO_HOST, destination, source, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies within this stream's device, or between it and another device.
   *
   * <p>Between two devices the route is {@link Route.Kind#PEER} if access is enabled from either of
   * them to the other, else {@link Route.Kind#PEER_STAGED}; between devices of different drivers it
   * is {@link Route.Kind#STRANGER_STAGED}. The copy is in the order of this stream alone: streams
   * of the other device that use the array have to wait for an event of this stream, and this
   * stream for their events ({@link #waitFor}). For small copies, a stream of the sending device is
   * faster.
   *
   * @param source on either device
   * @param destination as many bytes, not overlapping the source
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ or are 0, the ends overlap, or neither
   *     lies on this stream's device
   * @throws ClosedException if the stream, a device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if this is a default stream and the ends lie on two
   *     devices: such a copy would wait for all work of both
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public Copy copy(GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return deviceCopy(source, destination, null);
  }

  /**
   * Copies within the device or between two devices by a given route.
   *
   * @param source as for {@link #copy(GlobalArray, GlobalArray)}
   * @param destination as for {@link #copy(GlobalArray, GlobalArray)}
   * @param way LOCAL within a device; PEER, PEER_STAGED or, if there is no access, PEER_BY_DRIVER
   *     between two devices; STRANGER_STAGED between devices of different drivers
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot take that route
   * @throws dev.stretto.fault.PeerAccessException if PEER is requested and neither device has
   *     access to the other
   */
  public Copy copy(GlobalArray source, GlobalArray destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return deviceCopy(source, destination, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies host memory to the device, with a rule for when the source may be read.
   *
   * @param source as for {@link #copy(MemorySegment, GlobalArray)}; if it is read {@link
   *     SourceAccess#DURING_CALL during the call}, memory of any arena that the calling thread may
   *     read
   * @param destination as many bytes, on this stream's device
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if reading during the call is requested and
   *     impossible: the source is too large, an earlier staged copy of the stream still writes to
   *     it, or the stream is a default or adopted stream
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.CopyFailedException if the source goes away while it is being read
   */
  public Copy copy(MemorySegment source, GlobalArray destination, SourceAccess access) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(access, "access");
    if (access != SourceAccess.DURING_CALL) {
      return hostCopy(Direction.TO_DEVICE, source, destination, null);
    }
    captured.requireNone("a copy whose source is read during the call");
    opening.requireUsable();
    return SourceReads.copy(enqueuer, source, destination);
  }

  /**
   * Copies device memory to host memory, with a rule for when the source may be read.
   *
   * @param source on this stream's device
   * @param destination as for {@link #copy(GlobalArray, MemorySegment)}
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if reading during the call is requested: only
   *     the device reads device memory
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalArray source, MemorySegment destination, SourceAccess access) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(access, "access");
    CopyRequests.requireDeviceSource(access, source);
    return copy(source, destination);
  }

  /**
   * Copies within the device, or between two devices, with a rule for when the source may be read.
   *
   * @param source as for {@link #copy(GlobalArray, GlobalArray)}
   * @param destination as for {@link #copy(GlobalArray, GlobalArray)}
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if reading during the call is requested: only
   *     the device reads device memory
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, GlobalArray)}
   * @throws ClosedException if the stream, a device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(GlobalArray, GlobalArray)}
   */
  public Copy copy(GlobalArray source, GlobalArray destination, SourceAccess access) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(access, "access");
    CopyRequests.requireDeviceSource(access, source);
    return copy(source, destination);
  }

  /**
   * Enqueues several copies at once. The batch as a whole is in the order of the stream: after all
   * operations that were enqueued before, and before all that are enqueued later. The copies within
   * the batch have no order, so none may write bytes that another reads or writes.
   *
   * <p>Copies of pinned memory and copies within the device go to the driver together, up to 64 per
   * call, with {@code cuMemcpyBatchAsync} if the driver has it (CUDA 12.8 and later; not on the
   * legacy default stream). Other copies are staged or go from device to device, as they would
   * alone. {@link Batch#routes()} reports the route of each.
   *
   * <p>Everything is checked before the first copy is enqueued. If another thread closes an array
   * or a pinned arena of the batch during this call, the close takes effect either before the call,
   * and then the batch is refused, or after it.
   *
   * @param copies at least one
   * @return the batch of all copies
   * @throws IllegalArgumentException if there is no copy, two copies write the same memory, one
   *     reads memory that another writes, or as for each copy alone
   * @throws ClosedException if the stream, a device or an end of a copy is closed
   * @throws dev.stretto.fault.RouteException as for each copy alone, or if a copy is between
   *     devices of different drivers
   * @throws dev.stretto.fault.SourceAccessException if a source cannot be read at the requested
   *     time
   * @throws WrongThreadException if host memory belongs to another thread's confined arena
   * @throws dev.stretto.fault.CopyFailedException if the host memory of a small copy goes away
   *     while it is being read; then nothing is enqueued
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public Batch copyAll(List<CopyRequest> copies) {
    Objects.requireNonNull(copies, "copies");
    opening.requireUsable();
    Capture current = captured.current();
    if (current != null) {
      return captureAll(current, copies);
    }
    BatchCopies.Enqueued<Copy> batch = CopyRequests.enqueue(enqueuer, copies);
    return new Batch(this, batch.copies(), batch.areOne(), batch.last());
  }

  private Batch captureAll(Capture current, List<CopyRequest> requests) {
    List<NodeWork.OnDevice> works = CapturedBatch.works(opening.engine(), requests);
    long[] numbers = current.addBeside(captured, works);
    Copy[] copies = new Copy[works.size()];
    Arrays.setAll(copies, i -> new Copy(this, CapturedBatch.way(works.get(i)), numbers[i], null));
    return new Batch(this, List.of(copies), false, numbers[copies.length]);
  }

  /**
   * Copies between two places of host memory, in the order of the stream, by a host thread.
   *
   * @param source readable by any thread
   * @param destination as many bytes, writable by any thread, not overlapping the source
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ or are 0, the ends overlap, or the
   *     destination is read-only
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if an end belongs to a confined arena, or this is a
   *     default stream
   */
  public Copy copy(MemorySegment source, MemorySegment destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    HostCopies.checkOnHost(source, destination);
    HostCopies.watchOnHost(enqueuer, source);
    requireUsable();
    captured.requireNone("a copy of pageable host memory");
    queue.requireHostCopies();
    Issue issue = Ends.onHost(enqueuer, source, destination);
    long sequence = -1;
    try {
      sequence = OrdinaryCopies.enqueueOnHost(queue, destination, source);
    } finally {
      Issue.end(issue, sequence);
    }
    return new Copy(this, Way.HOST, sequence, null);
  }

  private Copy hostCopy(
      Direction direction, MemorySegment host, GlobalArray array, @Nullable Way way) {
    opening.requireUsable();
    Capture current = captured.current();
    return current == null
        ? HostCopies.copy(direction, enqueuer, host, array, way)
        : current.copy(captured, enqueuer.form(), direction, host, array, way);
  }

  private Copy deviceCopy(GlobalArray source, GlobalArray destination, @Nullable Way way) {
    opening.requireUsable();
    Capture current = captured.current();
    return current == null
        ? OnDevice.copy(enqueuer, source, destination, way)
        : current.copy(captured, enqueuer.form(), source, destination, way);
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(float[] source, GlobalFloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalFloats source, float[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(int[] source, GlobalInts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalInts source, int[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(long[] source, GlobalLongs destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalLongs source, long[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(double[] source, GlobalDoubles destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalDoubles source, double[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(short[] source, GlobalShorts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalShorts source, short[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies an array to the device, staged. The array is kept alive, and must not be written, until
   * the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy(byte[] source, GlobalBytes destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies from the device to an array, staged. The array is kept alive, and must be neither read
   * nor written, until the copy is done.
   *
   * @param source on this stream's device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy(GlobalBytes source, byte[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  @Override
  Copy copyArray(MemorySegment source, GlobalArray destination) {
    return hostCopy(Direction.TO_DEVICE, source, destination, null);
  }

  @Override
  Copy copyArray(GlobalArray source, MemorySegment destination) {
    return hostCopy(Direction.TO_HOST, destination, source, null);
  }

  @Override
  Copy copyConverted(MemorySegment floats, HostRows source, GlobalArray destination) {
    return rows(Direction.TO_DEVICE, source, destination, source.rowBytes());
  }

  @Override
  Copy copyConverted(GlobalArray source, MemorySegment floats, HostRows destination) {
    return rows(Direction.TO_HOST, destination, source, destination.rowBytes());
  }

  // --- files
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * Copies bytes of a file to the device. Host threads read them into pinned memory, in the order
   * of the stream; the file must stay open, and its bytes must not be written, until the copy is
   * done. As with any call of a channel, a thread that is interrupted when it calls this closes the
   * file.
   *
   * @param source open for reading
   * @param position of the first byte in the file
   * @param destination as many bytes as are copied, on this stream's device
   * @return the copy; it fails with a {@link dev.stretto.fault.CopyFailedException} if the file
   *     cannot be read then, ends too early, or is closed
   * @throws IllegalArgumentException if the position is negative, or the destination lies on
   *     another device
   * @throws IndexOutOfBoundsException if the file has too few bytes, and everything on the stream
   *     is over, so that nothing may still write it; otherwise the copy fails later
   * @throws java.nio.channels.NonReadableChannelException if the file was not opened for reading
   * @throws java.io.UncheckedIOException if the file's size cannot be read
   * @throws ClosedException if the stream, the device, the file or the destination is closed
   * @throws dev.stretto.fault.RouteException if the stream is a default stream, or a graph is
   *     captured on it
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copy(FileChannel source, long position, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return file(Direction.TO_DEVICE, source, position, destination);
  }

  /**
   * Copies bytes of the device to a file, over what is there; the file grows if it is too short.
   * The file must stay open, and its bytes must be neither read nor written, until the copy is
   * done. Then the operating system has them; {@link FileChannel#force} brings them to the disk.
   *
   * @param source on this stream's device
   * @param destination open for writing, but not for appending
   * @param position of the first byte in the file
   * @return the copy; it fails with a {@link dev.stretto.fault.CopyFailedException} if the file
   *     cannot be written then, or is closed
   * @throws IllegalArgumentException if the position is negative, or the source lies on another
   *     device
   * @throws java.nio.channels.NonWritableChannelException if the file was not opened for writing
   * @throws ClosedException if the stream, the device, the file or the source is closed
   * @throws dev.stretto.fault.RouteException if the stream is a default stream, or a graph is
   *     captured on it
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copy(GlobalArray source, FileChannel destination, long position) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return file(Direction.TO_HOST, destination, position, source);
  }

  private Copy file(Direction direction, FileChannel file, long position, GlobalArray array) {
    opening.requireUsable();
    if (captured.current() != null) {
      throw NodeWorks.refused(
          "a copy of "
              + array.byteSize()
              + " bytes of a file cannot be part of a graph, because host threads would have to"
              + " stage it: copy before the launch, or after it");
    }
    return FileCopies.copy(direction, enqueuer, file, position, array);
  }

  // --- strided copies
  // ---------------------------------------------------------------------------------------------------------

  /**
   * Copies rows of host memory to the device.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows of the source, in bytes
   * @param destination the first row begins at its first byte
   * @param destinationPitch distance between the beginnings of two rows of the destination, in
   *     bytes
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive or a pitch is smaller than a row
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy2D(
      MemorySegment source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostRows(
        Direction.TO_DEVICE, source, sourcePitch, destination, destinationPitch, width, rows);
  }

  /**
   * Copies rows of device memory to host memory.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows of the source, in bytes
   * @param destination the first row begins at its first byte
   * @param destinationPitch distance between the beginnings of two rows of the destination, in
   *     bytes
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive or a pitch is smaller than a row
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy2D(
      GlobalArray source,
      long sourcePitch,
      MemorySegment destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostRows(
        Direction.TO_HOST, destination, destinationPitch, source, sourcePitch, width, rows);
  }

  /**
   * Copies rows within the device, or between it and another one. Rows of the two ends may be
   * interleaved, like columns of one matrix, but may not share a byte. Between devices the copy
   * takes the route and the order of {@link #copy(GlobalArray, GlobalArray)}: with access one call,
   * {@code cuMemcpy3DPeerAsync}; without it pieces go through pinned memory, row by row of the same
   * pitches.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows of the source, in bytes
   * @param destination the first row begins at its first byte
   * @param destinationPitch distance between the beginnings of two rows of the destination, in
   *     bytes
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, a pitch is smaller than a row, the
   *     ends share a byte, or neither lies on this stream's device
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if the stream, a device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if the copy is between devices and this is a default
   *     stream, where it would wait for all work of both
   * @throws dev.stretto.fault.DeviceLostException if one of the devices is lost
   */
  public Copy copy2D(
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    opening.requireUsable();
    Capture current = captured.current();
    if (current == null) {
      return OnDevice.copy2D(
          enqueuer, source, sourcePitch, destination, destinationPitch, width, rows);
    }
    NodeWork.OnDevice work =
        NodeWorks.rows(
            opening.engine(), source, sourcePitch, destination, destinationPitch, width, rows);
    return new Copy(this, CapturedBatch.way(work), current.add(captured, work), null);
  }

  /**
   * Copies rows of host memory to a dense matrix on the device: their rows follow each other there.
   * The rows are gathered into pinned memory by host threads, and converted on the way if they are
   * a view that does so; they are read in the order of the stream and must not be written until the
   * copy is done.
   *
   * @param source any rows
   * @param destination {@code source.byteSize()} bytes, on this stream's device
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ, or the destination lies on another device
   * @throws ClosedException if the stream, the device, the destination or the memory of a row is
   *     closed
   * @throws dev.stretto.fault.RouteException if the stream is a default stream, or a graph is
   *     captured on it
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copyRows(HostRows source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    RowCopies.requireDense(Direction.TO_DEVICE, source, destination);
    return rows(Direction.TO_DEVICE, source, destination, source.rowBytes());
  }

  /**
   * Copies rows of host memory to a padded matrix on the device.
   *
   * @param source as for {@link #copyRows(HostRows, GlobalArray)}
   * @param destination the first row begins at its first byte; the bytes between rows are not
   *     written
   * @param destinationPitch distance between the beginnings of two rows of the destination, in
   *     bytes, at least {@code source.rowBytes()}
   * @return the copy
   * @throws IllegalArgumentException if the pitch is smaller than a row, or the destination lies on
   *     another device
   * @throws IndexOutOfBoundsException if the rows do not fit into the destination
   * @throws ClosedException as for {@link #copyRows(HostRows, GlobalArray)}
   * @throws dev.stretto.fault.RouteException as for {@link #copyRows(HostRows, GlobalArray)}
   */
  public Copy copyRows(HostRows source, GlobalArray destination, long destinationPitch) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return rows(Direction.TO_DEVICE, source, destination, destinationPitch);
  }

  /**
   * Copies a dense matrix on the device to rows of host memory, which must be neither read nor
   * written until the copy is done.
   *
   * @param source {@code destination.byteSize()} bytes, on this stream's device
   * @param destination rows that can be written, of which no two share a byte
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ, a row is read-only, or the source lies on
   *     another device
   * @throws ClosedException if the stream, the device, the source or the memory of a row is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copyRows(HostRows, GlobalArray)}
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Copy copyRows(GlobalArray source, HostRows destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    RowCopies.requireDense(Direction.TO_HOST, destination, source);
    return rows(Direction.TO_HOST, destination, source, destination.rowBytes());
  }

  /**
   * Copies a padded matrix on the device to rows of host memory.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows of the source, in bytes, at
   *     least {@code destination.rowBytes()}
   * @param destination as for {@link #copyRows(GlobalArray, HostRows)}
   * @return the copy
   * @throws IllegalArgumentException if the pitch is smaller than a row, a row is read-only, or the
   *     source lies on another device
   * @throws IndexOutOfBoundsException if the rows do not fit into the source
   * @throws ClosedException as for {@link #copyRows(GlobalArray, HostRows)}
   * @throws dev.stretto.fault.RouteException as for {@link #copyRows(HostRows, GlobalArray)}
   */
  public Copy copyRows(GlobalArray source, long sourcePitch, HostRows destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return rows(Direction.TO_HOST, destination, source, sourcePitch);
  }

  /**
   * Copies the rows of an array of arrays to a dense matrix on the device, as {@link
   * #copyRows(HostRows, GlobalArray)} does.
   *
   * @param source arrays of equal lengths
   * @param destination as many elements as all of them have
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, the sizes differ, or the
   *     destination lies on another device
   * @throws ClosedException as for {@link #copyRows(HostRows, GlobalArray)}
   */
  public Copy copyRows(float[][] source, GlobalFloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copyRows(HostRows.of(source), destination);
  }

  /**
   * Copies a dense matrix on the device to the rows of an array of arrays, as {@link
   * #copyRows(GlobalArray, HostRows)} does.
   *
   * @param source as many elements as all arrays have
   * @param destination arrays of equal lengths, each another one
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, the sizes differ, or the
   *     source lies on another device
   * @throws ClosedException as for {@link #copyRows(GlobalArray, HostRows)}
   */
  public Copy copyRows(GlobalFloats source, float[][] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copyRows(source, HostRows.of(destination));
  }

  private Copy rows(Direction direction, HostRows rows, GlobalArray array, long pitch) {
    opening.requireUsable();
    if (captured.current() != null) {
      throw NodeWorks.refused(
          "a copy of "
              + (rows.rows() == 1 ? rows.byteSize() + " bytes" : rows + " in many places")
              + " cannot be part of a graph, because host threads would have to"
              + " stage it: copy before the launch, or copy2D from memory of device.pinnedArena()");
    }
    return RowCopies.copy(direction, enqueuer, rows, array, pitch);
  }

  private Copy hostRows(
      Direction direction,
      MemorySegment host,
      long hostPitch,
      GlobalArray array,
      long arrayPitch,
      long width,
      long rows) {
    opening.requireUsable();
    Capture current = captured.current();
    if (current == null) {
      return HostCopies.copy2D(
          direction, enqueuer, host, hostPitch, array, arrayPitch, width, rows);
    }
    NodeWork work =
        NodeWorks.rows(
            opening.engine(), direction, host, hostPitch, array, arrayPitch, width, rows);
    return new Copy(this, Way.DIRECT, current.add(captured, work), null);
  }

  /**
   * Copies planes of rows of host memory to the device: {@code cuMemcpy3DAsync} if the memory is
   * pinned; other memory is staged, plane by plane.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, or rows or planes overlap
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public Copy copy3D(
      MemorySegment source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    return hostPlanes(
        Direction.TO_DEVICE,
        source,
        sourcePitches.box(extent),
        destination,
        destinationPitches.box(extent));
  }

  /**
   * Copies planes of rows of device memory to host memory: {@code cuMemcpy3DAsync} if the host
   * memory is pinned; other memory is staged, plane by plane.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, or rows or planes overlap
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public Copy copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      MemorySegment destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    return hostPlanes(
        Direction.TO_HOST,
        destination,
        destinationPitches.box(extent),
        source,
        sourcePitches.box(extent));
  }

  private Copy hostPlanes(
      Direction direction, MemorySegment host, Box hostBox, GlobalArray array, Box arrayBox) {
    opening.requireUsable();
    Capture current = captured.current();
    if (current == null) {
      return VolumeCopies.copy(direction, enqueuer, host, hostBox, array, arrayBox);
    }
    NodeWork work = PlaneNodes.copy(opening.engine(), direction, host, hostBox, array, arrayBox);
    return new Copy(this, Way.DIRECT, current.add(captured, work), null);
  }

  /**
   * Copies planes of rows within the device, {@code cuMemcpy3DAsync}, or between it and another
   * one, {@code cuMemcpy3DPeerAsync}. Rows of the two ends may be interleaved, but may not share a
   * byte. Between devices the copy takes the route and the order of {@link #copy(GlobalArray,
   * GlobalArray)}.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, or rows or planes overlap, the ends
   *     share a byte, or neither lies on this stream's device
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if the stream, a device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if the copy is between devices and this is a default
   *     stream, where it would wait for all work of both
   * @throws dev.stretto.fault.DeviceLostException if one of the devices is lost
   */
  public Copy copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    opening.requireUsable();
    Box sourceBox = sourcePitches.box(extent);
    Box destinationBox = destinationPitches.box(extent);
    Capture current = captured.current();
    if (current == null) {
      return VolumeCopies.copy(enqueuer, source, sourceBox, destination, destinationBox);
    }
    NodeWork.OnDevice work =
        PlaneNodes.copy(opening.engine(), source, sourceBox, destination, destinationBox);
    return new Copy(this, CapturedBatch.way(work), current.add(captured, work), null);
  }

  // --- fills
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalFloats array, float value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, (long) Float.floatToRawIntBits(value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalInts array, int value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, value);
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalLongs array, long value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, value);
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalDoubles array, double value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, Double.doubleToRawLongBits(value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalShorts array, short value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, value);
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalBytes array, byte value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, value);
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value, rounded to the nearest, ties to even
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalHalfs array, float value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, (long) Float.floatToFloat16(value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value, rounded to the nearest, ties to even
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalBfloats array, float value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, (long) Bfloat.of(value));
  }

  /**
   * Sets elements of rows, and leaves what lies between the rows.
   *
   * @param array the first row begins at its first byte
   * @param pitch distance between the beginnings of two rows, in bytes; a multiple of the elements'
   *     size
   * @param width bytes per row; a multiple of the elements' size, and at most the pitch
   * @param rows the number of rows
   * @param value a {@link Float} for floats, halfs and bfloats, and a value of the elements' own
   *     type for others; or a number that Java widens to that type
   * @return an event that happens when it is done
   * @throws IllegalArgumentException if a size is not positive, not a multiple of the elements'
   *     size, or the pitch is smaller than a row, or the value is of another type
   * @throws IndexOutOfBoundsException if the rows do not fit into the array
   * @throws ClosedException if the stream, the device or the array is closed
   */
  public Event fill2D(GlobalArray array, long pitch, long width, long rows, Number value) {
    Objects.requireNonNull(array, "array");
    long bits = FillValue.bits(array, value);
    return fill(array, Fill2D.of(array, pitch, width, rows, bits));
  }

  private Event fill(GlobalArray array, long bits) {
    requireUsable();
    return fill(array, Fill2D.whole(array, bits));
  }

  private Event fill(GlobalArray array, GraphWork.Fill fill) {
    requireUsable();
    Capture current = captured.current();
    if (current != null) {
      return new Event(this, current.add(captured, NodeWorks.fill(opening.engine(), array, fill)));
    }
    var block = block(array);
    Issue issue = Ends.fills(enqueuer, array, fill);
    Observation begin;
    long sequence = -1;
    try {
      begin = observers().before(opening, WorkKind.FILL);
      sequence = queue.fill(block, fill);
    } finally {
      Issue.end(issue, sequence);
    }
    if (begin != null) {
      long bytes = fill.rows() * fill.count() * fill.elementBytes();
      Work work = new Work(WorkKind.FILL, OnDevice.FILL, sequence, bytes);
      observers().after(begin, opening, work);
    }
    return new Event(this, sequence);
  }

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Launches a kernel. To launch it often, prepare it once: {@link Device#prepare}.
   *
   * @param grid its shape
   * @param kernel the kernel to run
   * @param arguments one for each parameter; numbers are not converted
   * @throws dev.stretto.fault.KernelImageException if the image cannot be loaded, with the
   *     assembler's log
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the arguments do not match the parameters, or memory of
   *     another device is among them
   * @throws ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void launch(Grid grid, DeviceKernel kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(arguments, "arguments");
    while (captured.current() == null) {
      if (launched(device.repeated(grid, kernel, arguments))) {
        return;
      }
      // Launches of another thread have caused the kernel to be unloaded: load it again.
    }
    launch(device.launch(grid, kernel, true, arguments));
  }

  @Override
  void launchMethod(Grid grid, KernelMethod kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    while (captured.current() == null) {
      if (launched(device.repeated(grid, kernel, arguments))) {
        return;
      }
      // As above.
    }
    launch(device.launch(grid, kernel, true, arguments));
  }

  @Override
  @Nullable RepeatedLaunch repeated(Grid grid, KernelMethod kernel) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    return captured.current() == null ? device.repeated(grid, kernel) : null;
  }

  @Override
  boolean launched(RepeatedLaunch launch) {
    try {
      if (launch.isForOthers() || captured.current() != null) {
        return false;
      }
      enqueue(launch.launch());
      return true;
    } catch (ClosedException e) {
      if (launch.launch().isLoaded() || !device.isOpen()) {
        throw e;
      }
      return false;
    } finally {
      launch.putBack();
    }
  }

  /**
   * Enqueues a prepared launch with its current arguments. Allocates nothing.
   *
   * @param launch a launch that was prepared on this stream's device
   * @throws IllegalArgumentException if it was prepared on another device
   * @throws ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void launch(Launch launch) {
    Objects.requireNonNull(launch, "launch");
    requireUsable();
    Capture current = captured.current();
    if (current != null) {
      long _ = current.add(captured, NodeWorks.kernel(opening.engine(), launch));
      return;
    }
    if (launch.engine() != device.engine()) {
      throw new IllegalArgumentException(
          launch + " was prepared on another device than " + device.name());
    }
    enqueue(launch);
  }

  private void enqueue(Launch launch) {
    requireUsable();
    if (queue.isOrdered() && observers().isReporting()) {
      enqueueObserved(launch);
      return;
    }
    Observation begin = observers().before(opening, WorkKind.KERNEL);
    long sequence = launch.enqueue(queue, launchPlace(launch));
    observed(begin, launch, sequence);
  }

  private @Nullable StackTraceElement launchPlace(Launch launch) {
    return observers().launchPlace(queue, WorkKind.KERNEL, launch.kernel().entry());
  }

  /** What is observed begins behind the waits that the order makes. */
  private void enqueueObserved(Launch launch) {
    AtomicReference<@Nullable Observation> begin = new AtomicReference<>();
    long sequence =
        launch.enqueue(
            queue,
            launchPlace(launch),
            () -> begin.set(observers().before(opening, WorkKind.KERNEL)));
    observed(begin.get(), launch, sequence);
  }

  private void observed(@Nullable Observation begin, Launch launch, long sequence) {
    if (begin != null) {
      Work work = launch.observed(sequence);
      observers().after(begin, opening, work);
    }
  }

  /**
   * Enqueues all operations of a graph, as {@link Graph#launch} does, for callers that do not await
   * this launch: it saves the cost of an event in the driver, about half a microsecond.
   *
   * @param graph a graph of this stream's device
   * @throws IllegalArgumentException if it belongs to another device
   * @throws ClosedException if the graph, the stream, the device, or a registration that the graph
   *     uses is closed
   * @throws RouteException if this is a default stream and there are callbacks
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void launch(Graph graph) {
    Objects.requireNonNull(graph, "graph");
    long _ = graph.enqueue(this, false);
  }

  // --- memory
  // -----------------------------------------------------------------------------------------------------------------

  @Override
  ArrayMemory allocate(@Nullable MemoryPool pool, long length, int elementBytes) {
    requireUsable();
    long bytes = Device.bytes(length, elementBytes);
    Capture current = captured.current();
    if (current != null) {
      if (pool != null) {
        captured.requireNone("an allocation out of a pool of the program's own");
      }
      return device.ownedElsewhere(current.allocate(captured, bytes));
    }
    Capture.requireNone(opening.engine(), "an allocation in the order of a stream");
    device.requirePool();
    if (pool != null && !pool.engine().equals(opening.engine())) {
      throw new IllegalArgumentException(
          "%s allocates for streams of its own opening of the device, and not for %s"
              .formatted(pool, this));
    }
    OwnPool own = pool == null ? null : pool.own();
    if (!Flight.wantsAllocations()) {
      return device.own(allocate(own, bytes));
    }
    Flight.Timed flight = Flight.allocation(device.name(), "stream-ordered", bytes);
    ArrayMemory memory = device.own(allocate(own, bytes));
    flight.end(true);
    return memory;
  }

  private DeviceBlock allocate(@Nullable OwnPool pool, long bytes) {
    Issue issue = queue.issue("an allocation in the order of the stream", Observers::trail);
    return DeviceBlock.allocate(device.engine(), queue, pool, bytes, issue);
  }

  /**
   * Makes {@code close()} of an array free its memory in the order of this stream, after the last
   * use on every other stream. For this, the stream waits for each of those uses by an event, and
   * so do operations enqueued on it after the array was closed. If this stream is closed by then,
   * the memory is freed when the last use is reported to the host; no thread blocks for that
   * either.
   *
   * <p>In a capture, arrays that were allocated there get a node that frees them behind the last
   * one of this stream.
   *
   * @param array an array on this stream's device, no matter how it was allocated
   * @throws IllegalArgumentException if the array lies on another device, or was allocated by
   *     another opening of this device
   * @throws UnsupportedOperationException if it is a slice
   * @throws dev.stretto.fault.GraphException if the stream is being captured, and the array was
   *     allocated outside the capture
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.RouteException if this is a per-thread default stream, which other
   *     threads that may close the array cannot use
   * @throws ClosedException if the stream, the device or the array is closed
   */
  public void freeOnClose(GlobalArray array) {
    Objects.requireNonNull(array, "array");
    requireUsable();
    DeviceBlock block = block(array);
    Capture current = captured.current();
    if (current != null && !current.freeOnClose(captured, block)) {
      captured.requireNone("freeing of memory that was allocated outside the capture");
    }
    if (array.isSlice()) {
      throw new UnsupportedOperationException(
          array + " is a slice: it is freed together with the array that it was cut from");
    }
    if (block.engine() != opening.engine()) {
      throw new IllegalArgumentException(
          array + " was allocated by another opening of " + device.name());
    }
    if (queue.isOfThread()) {
      throw new RouteException(
          this + " cannot free an array that other threads may close: use device.stream()");
    }
    if (!isOpen() || !array.isOpen()) {
      throw new ClosedException((isOpen() ? array : this) + " is closed");
    }
    if (current != null) {
      return; // the node that frees it will come after the last one of this stream
    }
    device.requirePool();
    block.freeOn(queue);
  }

  /**
   * Closes an array and frees its memory in the order of this stream: the same as {@link
   * #freeOnClose} followed by {@link GlobalArray#close()}.
   *
   * @param array as for {@link #freeOnClose}
   * @throws IllegalArgumentException as for {@link #freeOnClose}
   * @throws UnsupportedOperationException if it is a slice
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.RouteException if this is a per-thread default stream
   * @throws ClosedException if the stream or the device is closed, or the array was already closed
   */
  public void free(GlobalArray array) {
    Objects.requireNonNull(array, "array");
    freeOnClose(array);
    array.close();
  }

  // --- events
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return an event that stands for all operations that were enqueued on this stream so far}
   *
   * @throws ClosedException if the stream or the device is closed
   */
  public Event record() {
    requireUsable();
    Capture current = captured.current();
    if (current != null) {
      return new Event(this, current.record(captured));
    }
    long sequence = queue.mark();
    return new Event(this, sequence);
  }

  /**
   * {@return an event that also records when it happened, by the device's clock} It holds a driver
   * event until it is closed.
   *
   * @throws ClosedException if the stream or the device is closed
   */
  public TimedEvent recordTimed() {
    requireUsable();
    captured.requireNone("a timed event");
    return new TimedEvent(this, opening.recordTimed());
  }

  /**
   * Makes all operations that are enqueued from now on wait until an event has happened. The event
   * stands for the operations that were enqueued before it was recorded; this stream does not wait
   * for later work of the event's stream. Does not block the caller.
   *
   * @param event an event of any stream of any device
   * @throws ClosedException if the stream or the device is closed
   */
  public void waitFor(Event event) {
    Objects.requireNonNull(event, "event");
    requireUsable();
    if (captured.current() != null || event.sequence() < 0) {
      Capture.waitFor(captured, event.sequence());
      return;
    }
    StreamQueue other = event.stream().queue;
    observers().waiting(opening, other, event.sequence());
    StreamWaits.enqueue(queue, other, event.sequence());
  }

  /**
   * Makes an event that other processes wait for stand for everything that was enqueued before.
   * Does not block. Recordings happen in the order of their calls: one that is made on another
   * stream than the one before waits for that.
   *
   * @param event of {@link IpcArena#event} on this stream's device
   * @return the number of the recording, from 1
   * @throws IllegalArgumentException if the event belongs to another process or another device
   * @throws dev.stretto.fault.GraphException if the stream is being captured
   * @throws ClosedException if the event, the stream or the device is closed
   */
  public long record(IpcEvent event) {
    Objects.requireNonNull(event, "event");
    requireUsable();
    captured.requireNone("an event of several processes");
    return event.record(queue, device.engine());
  }

  /**
   * Records CUDA's own event of several programs: it stands for everything that was enqueued before
   * on this stream. Does not block. If the stream holds something back, such as a staged copy, the
   * recording reaches the driver only with what was enqueued before it: then await the result
   * before telling another program that it may wait. Without that, it would wait for an earlier
   * recording.
   *
   * @param event of {@link IpcArena#cudaEvent} or {@link IpcArena#openCudaEvent} on this stream's
   *     opening of the device
   * @return an event that happens when what was enqueued before has been done and the recording is
   *     made
   * @throws IllegalArgumentException if the event was opened for another device
   * @throws dev.stretto.fault.GraphException if the stream is being captured
   * @throws ClosedException if the event, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event record(CudaIpcEvent event) {
    Objects.requireNonNull(event, "event");
    requireUsable();
    captured.requireNone("an event of several programs");
    ProcessEvent recorded = event.onDevice(device.engine());
    long sequence =
        ForeignCall.enqueue(
            queue,
            List.of(recorded),
            LateWork.of(handle -> device.engine().driver().recordEvent(recorded.event(), handle)),
            _ -> {});
    return new Event(this, sequence);
  }

  /**
   * Makes all operations that are enqueued from now on wait for the last recording of CUDA's own
   * event of several programs that has reached the driver, whichever program made it; if there is
   * none, for nothing. Does not block. As {@link Device#adoptEvent}, this takes a stream until the
   * event has happened.
   *
   * @param event of {@link IpcArena#cudaEvent} or {@link IpcArena#openCudaEvent} on this stream's
   *     opening of the device
   * @throws IllegalArgumentException if the event was opened for another device
   * @throws dev.stretto.fault.GraphException if the stream is being captured
   * @throws ClosedException if the event, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void waitFor(CudaIpcEvent event) {
    Objects.requireNonNull(event, "event");
    requireUsable();
    captured.requireNone("a wait for another program");
    ProcessEvent awaited = event.onDevice(device.engine());
    if (!awaited.hold()) {
      throw new ClosedException(event + " is closed");
    }
    try {
      Adoption.AdoptedEvent meaning = Adoption.event(device.engine(), awaited.event());
      observers().waiting(opening, meaning.queue(), meaning.sequence());
      StreamWaits.enqueue(queue, meaning.queue(), meaning.sequence());
    } finally {
      awaited.letGo();
    }
  }

  /**
   * Makes all operations that are enqueued from now on wait for the last recording of an event of
   * another process, as of this call; if it was never recorded, for nothing. Does not block.
   *
   * @param event of {@link IpcArena#openEvent} for this stream's device, or one of this process
   * @throws IllegalArgumentException if it was opened for another device
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the event, the stream or the device is closed
   */
  public void waitFor(IpcEvent event) {
    waitFor(event, Objects.requireNonNull(event, "event").recorded());
  }

  /**
   * The same for a recording that may not be made yet. If it never is, and the process that has to
   * make it lives on, the stream waits for ever.
   *
   * @param event of {@link IpcArena#openEvent} for this stream's device, or one of this process
   * @param number the number of the recording, from 1; 0 waits for nothing
   * @throws IllegalArgumentException if the event was opened for another device, or the number is
   *     negative
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the event, the stream or the device is closed
   */
  public void waitFor(IpcEvent event, long number) {
    Objects.requireNonNull(event, "event");
    requireUsable();
    captured.requireNone("a wait for another process");
    StreamValues.awaitEvent(opening, observers(), event, number);
  }

  /**
   * Makes the stream write a number when its earlier work is done. All of that work is visible to
   * who has seen the number: a stream that waits for it, a kernel that acquires it, and, in a
   * {@linkplain Device#view view}, the host. Does not block. CUDA Driver API, {@code
   * cuStreamWriteValue32}.
   *
   * @param array of {@link Device#allocateSignals} or {@link Device#allocateLongSignals} on this
   *     stream's device, or a view of host memory
   * @param index of the element
   * @param value the number
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on another device, or in a pool
   * @throws dev.stretto.fault.RaceException where the order is checked, if something else accesses
   *     the element that nothing orders before, other than by waiting for it or atomically
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the array, the stream or the device is closed
   */
  public void writeValue(GlobalInts array, long index, int value) {
    writeNumber(array, index, value);
  }

  /**
   * The same with a number of 64 bits: {@code cuStreamWriteValue64}.
   *
   * @param array of {@link Device#allocateSignals} or {@link Device#allocateLongSignals} on this
   *     stream's device, or a view of host memory
   * @param index of the element
   * @param value the number
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on another device, or in a pool
   * @throws dev.stretto.fault.RaceException as there
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the array, the stream or the device is closed
   */
  public void writeValue(GlobalLongs array, long index, long value) {
    writeNumber(array, index, value);
  }

  /**
   * Makes all later work of the stream wait for a number in memory, which another stream, a kernel
   * or, in a {@linkplain Device#view view}, the host writes. What the writer did before, in the
   * scope of the system, is visible behind it. Does not block. CUDA Driver API, {@code
   * cuStreamWaitValue32}.
   *
   * <p>Nothing may have to wait for the stream that has to happen before the number is written:
   * that would never end. A seeded device reports it with a {@link
   * dev.stretto.fault.DeadlockException} at the next wait.
   *
   * @param array of {@link Device#allocateSignals} or {@link Device#allocateLongSignals} on this
   *     stream's device, or a view of host memory
   * @param index of the element
   * @param value what the number is compared with
   * @param condition how
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on another device, or in a pool, or if no
   *     number meets the condition: no bit is common with 0, and no zero with -1
   * @throws dev.stretto.fault.RaceException where the order is checked, if something else writes
   *     the element, other than by {@link #writeValue(GlobalInts, long, int)} or atomically
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the array, the stream or the device is closed
   */
  public void waitValue(GlobalInts array, long index, int value, ValueCondition condition) {
    waitForNumber(array, index, value, condition);
  }

  /**
   * The same with a number of 64 bits: {@code cuStreamWaitValue64}.
   *
   * @param array of {@link Device#allocateSignals} or {@link Device#allocateLongSignals} on this
   *     stream's device, or a view of host memory
   * @param index of the element
   * @param value what the number is compared with
   * @param condition how
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on another device, or in a pool, or if no
   *     number meets the condition: no bit is common with 0, and no zero with -1
   * @throws dev.stretto.fault.RaceException as there
   * @throws dev.stretto.fault.GraphException if the stream is being captured for the body of a
   *     conditional node
   * @throws ClosedException if the array, the stream or the device is closed
   */
  public void waitValue(GlobalLongs array, long index, long value, ValueCondition condition) {
    waitForNumber(array, index, value, condition);
  }

  private void writeNumber(GlobalArray array, long index, long value) {
    requireUsable();
    Capture current = captured.current();
    if (current == null) {
      StreamValues.write(opening, observers(), array, index, value);
    } else {
      long _ = current.add(captured, StreamValues.writing(opening.engine(), array, index, value));
    }
  }

  private void waitForNumber(GlobalArray array, long index, long value, ValueCondition condition) {
    requireUsable();
    Capture current = captured.current();
    if (current == null) {
      StreamValues.await(opening, observers(), array, index, value, condition);
    } else {
      long _ =
          current.add(
              captured, StreamValues.waiting(opening.engine(), array, index, value, condition));
    }
  }

  /**
   * Runs a callback in the order of the stream, on its own virtual thread: after all operations
   * that were enqueued before, including their effects on host memory, and before all that are
   * enqueued later. The callback may use all of Stretto, and may await work that does not depend on
   * the callback. A wait for later work of this stream, or for work of other streams that waits for
   * the callback, would never end: it throws a {@link dev.stretto.fault.DeadlockException} at once.
   *
   * <p>An exception of the callback is thrown by every wait for the returned event, by the event's
   * future, and once by {@link #await()}; the stream continues. If neither the event nor the stream
   * was awaited by the time the stream is closed and its work is done, the exception is logged. If
   * the process cannot start a thread for the callback, this is reported in the same way, as a
   * {@link java.util.concurrent.RejectedExecutionException}.
   *
   * @param callback the code to run
   * @return an event that happens when the callback has returned; awaiting it throws the callback's
   *     exception, or an {@link IllegalStateException} with an {@link Error} or a checked exception
   *     of the callback as its cause
   * @throws ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.RouteException if this is a default stream
   */
  public Event then(Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    Capture current = captured.current();
    return current != null
        ? new Event(this, current.then(captured, callback, null))
        : new Event.OfCallback(this, Callback.then(queue, callback));
  }

  /**
   * Runs a callback in the order of the stream on an executor; otherwise like {@link
   * #then(Runnable)}. On a seeded device the executor is not used: callbacks run while the program
   * waits, in an order that the seed picks.
   *
   * <p>A virtual thread of Stretto calls the executor, never the thread that polls the device. If
   * the executor rejects the callback, this is reported like an exception of the callback, and the
   * stream continues. If the executor neither runs nor rejects the callback, the stream is held
   * back forever.
   *
   * @param callback the code to run; its exceptions are reported as by {@link #then(Runnable)}
   * @param executor runs the callback
   * @return an event that happens when the callback has returned; awaiting it throws the callback's
   *     exception
   * @throws ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.RouteException if this is a default stream
   */
  public Event then(Runnable callback, Executor executor) {
    Objects.requireNonNull(callback, "callback");
    Objects.requireNonNull(executor, "executor");
    Capture current = captured.current();
    return current != null
        ? new Event(this, current.then(captured, callback, executor))
        : new Event.OfCallback(this, Callback.then(queue, callback, executor));
  }

  // --- other libraries
  // --------------------------------------------------------------------------------------------------------

  /**
   * Lets another CUDA library enqueue work in the order of this stream, with its raw handle: after
   * all operations that were enqueued before, including those held back, and before all that are
   * enqueued later. The arrays are kept alive until that work is done, even if they are closed
   * earlier.
   *
   * <p>The calling thread runs {@code work} before this method returns, unless operations of the
   * stream are held back; then a virtual thread runs it in its turn. Later operations of the stream
   * are held back while {@code work} runs; awaiting them there throws a {@link
   * dev.stretto.fault.DeadlockException}. Stretto makes no CUDA context current for these calls:
   * libraries that use the CUDA runtime find the primary context themselves.
   *
   * <p>On a stream that is being captured, {@code work} is called once, before this method returns,
   * with the handle of another stream, which CUDA captures meanwhile ({@code
   * cuStreamBeginCapture}). What it enqueues there is done in each launch of the graph. It must not
   * wait for the device, nor allocate memory in the order of the stream.
   *
   * <pre>{@code
   * stream.call(handle -> { cublasSetStream(blas, handle); cublasSgemm(blas, ...); }, a, b, c);
   * }</pre>
   *
   * @param work receives the driver's handle and enqueues on it
   * @param uses the arrays, of any device, that the work uses; get their addresses ({@link
   *     GlobalArray#address()}) before this call
   * @return an event that happens when that work is done
   * @throws RuntimeException an exception of {@code work}, if the calling thread runs it; otherwise
   *     {@link #await()} reports it
   * @throws ClosedException if the stream, the device or an array is closed; then {@code work} is
   *     not run
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   * @throws dev.stretto.fault.GraphException if the stream is being captured, and what the work
   *     enqueues cannot be part of a graph
   */
  public Event call(LongConsumer work, GlobalArray... uses) {
    Objects.requireNonNull(uses, "uses");
    Objects.requireNonNull(work, "work");
    Capture capture = captured.current();
    requireUsable();
    for (GlobalArray array : uses) {
      Objects.requireNonNull(array, "uses");
    }
    List<DeviceBlock> blocks =
        Arrays.stream(uses).map(array -> ArrayMemory.of(array).block()).toList();
    LateWork late = LateWork.of(work);
    if (capture != null) {
      List<NodeUse> assumed = NodeWorks.assumedUses(List.of(uses));
      return new Event(this, capture.call(captured, late, null, blocks, assumed));
    }
    queue.toHost().share(); // the work may await it
    return new Event(this, call(late, blocks, Ends.call(enqueuer, List.of(uses))));
  }

  /**
   * Lets another CUDA library enqueue work like {@link #call(LongConsumer, GlobalArray...)}, if it
   * is not enqueued at once or may fail later, and if it is known what it does with the arrays. The
   * stream's device is the calling thread's current one meanwhile. On a stream that is being
   * captured, this method returns when everything is captured: it waits for {@link
   * ForeignWork#awaitEnqueued()}.
   *
   * @param work enqueues it
   * @param reads the arrays, of any device, that the work reads
   * @param writes the arrays, of any device, that the work writes; an array may be in both lists
   * @return an event that happens when the work is done; awaiting it throws what the work has
   *     failed with
   * @throws RuntimeException an exception of {@code work}, if the calling thread runs it; otherwise
   *     {@link #await()} reports it
   * @throws dev.stretto.fault.RaceException where the order is checked, if nothing orders the work
   *     after an access that it races with
   * @throws ClosedException if the stream, the device or an array is closed; then {@code work} is
   *     not run
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   * @throws dev.stretto.fault.GraphException if the stream is being captured, and what the work
   *     enqueues cannot be part of a graph
   */
  public Event call(
      ForeignWork work, List<? extends GlobalArray> reads, List<? extends GlobalArray> writes) {
    Objects.requireNonNull(work, "work");
    List<GlobalArray> read = arrays("reads", reads);
    List<GlobalArray> written = arrays("writes", writes);
    Capture capture = captured.current();
    requireUsable();
    List<DeviceBlock> blocks = blocks(read, written);
    LateWork late = new InContext(device.engine(), work);
    if (capture != null) {
      GraphGuest<?, ?> guest = work instanceof GraphGuest<?, ?> told ? told : null;
      List<NodeUse> uses = NodeWorks.uses(read, written);
      return new Event(this, capture.call(captured, late, guest, blocks, uses));
    }
    queue.toHost().share(); // the work may await it
    Issue issue = Ends.work(enqueuer, "a call of another library", read, written);
    return new Event(this, call(late, blocks, issue));
  }

  /** Makes the stream's device current while a library enqueues. */
  private static final class InContext implements LateWork, Runnable {
    private final DeviceRuntime engine;
    private final ForeignWork work;
    private long stream;
    private @Nullable Consumer<RuntimeException> failed;
    private boolean isEnqueued;

    InContext(DeviceRuntime engine, ForeignWork work) {
      this.engine = engine;
      this.work = work;
    }

    @Override
    public boolean enqueue(long handle, Consumer<RuntimeException> told) {
      stream = handle;
      failed = told;
      engine.driver().inContext(this);
      return isEnqueued;
    }

    @Override
    public void run() {
      isEnqueued = work.enqueue(stream, Objects.requireNonNull(failed));
    }

    @Override
    public void awaitEnqueued() {
      work.awaitEnqueued();
    }

    @Override
    public boolean mayWaitForOthers() {
      return work.mayWaitForOthers();
    }
  }

  /**
   * Runs a callback like {@link #then(Runnable)} that uses arrays by other streams. The arrays are
   * kept alive until the callback has returned, even if they are closed earlier, and the callback
   * counts as an access to them.
   *
   * @param callback the code to run
   * @param reads the arrays, of any device, that it reads
   * @param writes the arrays, of any device, that it writes; an array may be in both lists
   * @return an event that happens when the callback has returned; awaiting it throws the callback's
   *     exception
   * @throws dev.stretto.fault.RaceException where the order is checked, if nothing orders the
   *     callback after an access that it races with
   * @throws ClosedException if the stream, the device or an array is closed
   * @throws dev.stretto.fault.RouteException if this is a default stream
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   * @throws dev.stretto.fault.GraphException if the body of a conditional node is being described
   */
  public Event then(
      Runnable callback, List<? extends GlobalArray> reads, List<? extends GlobalArray> writes) {
    Objects.requireNonNull(callback, "callback");
    List<GlobalArray> read = arrays("reads", reads);
    List<GlobalArray> written = arrays("writes", writes);
    queue.requireCallbacks();
    Capture capture = captured.current();
    requireUsable();
    List<DeviceBlock> blocks = blocks(read, written);
    if (capture != null) {
      List<NodeUse> uses = NodeWorks.uses(read, written);
      GraphGuest<?, ?> guest = callback instanceof GraphGuest<?, ?> told ? told : null;
      return new Event(this, capture.then(captured, callback, guest, blocks, uses));
    }
    if (!enqueuer.isOrdered()) {
      return new Event.OfCallback(this, Callback.then(queue, callback, blocks));
    }
    // The callback itself is no access: it comes after what races with it, and before its own end.
    LateWork none = LateWork.of(_ -> {});
    long _ = call(none, blocks, Ends.work(enqueuer, "a callback with arrays", read, written));
    long called = Callback.then(queue, callback, blocks);
    Issue end = Ends.work(enqueuer, "the end of a callback with arrays", read, written);
    long sequence = call(none, List.of(), end);
    return new Event.BehindCallback(this, sequence, called);
  }

  private long call(LateWork work, List<DeviceBlock> blocks, @Nullable Issue issue) {
    if (issue == null) {
      return ForeignCall.enqueue(queue, blocks, work, _ -> {});
    }
    boolean[] isEnqueued = new boolean[1];
    try {
      return ForeignCall.enqueue(
          queue,
          blocks,
          work,
          number -> {
            isEnqueued[0] = true;
            Issue.end(issue, number);
          });
    } finally {
      if (!isEnqueued[0]) {
        Issue.end(issue, -1);
      }
    }
  }

  private static List<GlobalArray> arrays(String name, List<? extends GlobalArray> arrays) {
    for (GlobalArray array : Objects.requireNonNull(arrays, name)) {
      Objects.requireNonNull(array, () -> "an element of " + name);
    }
    return List.copyOf(arrays);
  }

  private static List<DeviceBlock> blocks(List<GlobalArray> reads, List<GlobalArray> writes) {
    List<DeviceBlock> blocks = new ArrayList<>(reads.size() + writes.size());
    for (GlobalArray array : reads) {
      blocks.add(ArrayMemory.of(array).block());
    }
    for (GlobalArray array : writes) {
      blocks.add(ArrayMemory.of(array).block());
    }
    return blocks;
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /** {@return whether all operations that were enqueued so far are done} Does not block. */
  public boolean isIdle() {
    return isDone();
  }

  @Override
  public boolean isDone() {
    captured.requireNone("asking whether the stream is done");
    return Point.isAllDone(queue);
  }

  /**
   * Waits until all operations that were enqueued so far are done.
   *
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before they were done
   * @throws RuntimeException the first failure on this stream since it was last awaited, if any: of
   *     a copy whose host memory went away, or of a callback
   */
  @Override
  public void await() {
    captured.requireNone("awaiting the stream");
    boolean _ = await(Long.MAX_VALUE);
  }

  @Override
  public boolean await(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
    captured.requireNone("awaiting the stream");
    return await(Point.deadline(atMost));
  }

  /**
   * Waits until a condition holds that a running kernel of this stream brings about: what it writes
   * to pinned memory, for the host to see while it runs. The condition is asked on the calling
   * thread, very often; it should only load a value, as {@code VarHandle.getAcquire} does.
   *
   * @param condition what to wait for
   * @throws dev.stretto.fault.DeadlockException if everything is done that was enqueued on this
   *     stream before the call, and the condition does not hold; and on a seeded device, if nothing
   *     can happen any more
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device is lost meanwhile
   */
  public void awaitUntil(BooleanSupplier condition) {
    Objects.requireNonNull(condition, "condition");
    captured.requireNone("awaiting what a kernel brings about");
    boolean _ = HostWait.until(queue, condition, Long.MAX_VALUE);
  }

  /**
   * Waits like {@link #awaitUntil(BooleanSupplier)}, but not longer than a time.
   *
   * @param condition what to wait for
   * @param atMost the longest time
   * @return whether the condition holds
   * @throws dev.stretto.fault.DeadlockException as there
   * @throws dev.stretto.fault.AwaitInterruptedException as there
   * @throws dev.stretto.fault.DeviceLostException as there
   */
  public boolean awaitUntil(BooleanSupplier condition, Duration atMost) {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(atMost, "atMost");
    captured.requireNone("awaiting what a kernel brings about");
    return HostWait.until(queue, condition, Point.deadline(atMost));
  }

  boolean await(long deadline) {
    queue.device().requireNotLost();
    long last = queue.end();
    if (queue.isKnownDone(last)) {
      queue.device().requireAlive(); // nothing else asks the driver, and its device may be lost
    }
    Wait wait = Wait.begin(observers(), queue, last);
    boolean done = Point.await(queue, last, deadline);
    Wait.end(wait, done);
    if (done) {
      throwFailure();
    }
    return done;
  }

  @Override
  public CompletableFuture<Void> toCompletableFuture() {
    captured.requireNone("awaiting the stream");
    try {
      queue.device().requireAlive(); // as await() does
    } catch (DeviceLostException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Point.future(queue, queue.end(), queue::takeFailure);
  }

  private void throwFailure() {
    RuntimeException failure = queue.takeFailure();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * {@return whether operations are recorded for a graph instead of enqueued: from the beginning of
   * {@link Graph#capture} on, or from a wait for an event of a captured stream, until that capture
   * ends} Any thread may ask, though only the one that captures may enqueue. CUDA's {@code
   * cuStreamIsCapturing}; a capture by other code of an adopted stream is not seen.
   */
  public boolean isCapturing() {
    return captured.isAny();
  }

  /** {@return whether operations can be enqueued} */
  public boolean isOpen() {
    return opening.isOpen();
  }

  /**
   * Ends the use of the stream at once. Its work runs to its end; then the driver's stream is
   * destroyed. Does not block. Closing it again has no further effect.
   *
   * <p>A failure on the stream that no exception has reported to the program by the time the
   * stream's last work is done is logged as a warning of the logger {@code dev.stretto}.
   */
  @Override
  public void close() {
    end();
    queue.device().finishIfClosed();
  }

  /**
   * The same, but without running code of the program, even if this was the last stream of a closed
   * device.
   */
  void end() {
    watched.closed();
    opening.leave();
  }

  /** Refuses operations after the stream was closed, or of a thread that cannot use it. */
  void requireUsable() {
    opening.requireUsable();
  }

  @Override
  public String toString() {
    return queue.fullTitle();
  }
}
