package dev.stretto;

import dev.stretto.diagnosis.tally.Places;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.enqueue.BatchCopies;
import dev.stretto.enqueue.CopyForm;
import dev.stretto.enqueue.Direction;
import dev.stretto.enqueue.Enqueuer;
import dev.stretto.enqueue.HostCopies;
import dev.stretto.enqueue.OnDevice;
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
import dev.stretto.route.Callback;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ForeignCall;
import dev.stretto.route.OpenStream;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.Outcome;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.StreamWaits;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of work for a device: operations of one stream run in the order in which they were
 * enqueued, operations of different streams whenever the device can. Any thread may enqueue.
 *
 * <p>Nothing here blocks except the methods named {@code await}. An operation that cannot be handed
 * to the driver yet is held back, with all that follows it, and handed over later in its order.
 *
 * <p>What is wrong with the arguments is reported at the call, before anything is enqueued. What
 * goes wrong later is reported where the work is awaited: by {@link Copy#await()} for that copy,
 * and by {@link #await()} for the first thing that went wrong on the stream.
 */
public final class Stream extends StreamAllocations implements Awaitable, AutoCloseable {
  private final Device device;
  private final Opening opening;
  private final StreamQueue queue;
  private final int priority;
  private final StreamCapture captured;
  private final Enqueuer<Copy> enqueuer;

  Stream(Device device, StreamQueue queue, int priority) {
    this.device = device;
    this.opening = new Opening(device.engine(), queue);
    this.queue = queue;
    this.priority = priority;
    this.captured = new StreamCapture(opening);
    this.enqueuer = new Enqueuer<>(opening, device.observers(), new CopiesOf(this));
    if (!queue.isOfProgram()) {
      StackTraceElement place = Places.caller();
      if (place != null) { // or a flow or a collective operation looks after it
        queue.openedBy(place);
      }
    }
  }

  /** This opening as those know it who enqueue and observe. */
  private final class Opening extends OpenStream {
    Opening(DeviceRuntime engine, StreamQueue queue) {
      super(engine, queue);
    }

    Stream stream() {
      return Stream.this;
    }
  }

  /** {@return the stream whose opening that is} */
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
   * {@return what the stream is called, in messages, timelines, recordings and diagnoses} The name
   * that the program has given it ({@link Device#stream(String)}); of other streams {@code stream
   * 0x57010}, by the driver's handle, {@code legacy default stream}, {@code per-thread default
   * stream} or {@code adopted stream 0x57020}, which no other open stream of the device is called.
   */
  public String name() {
    return queue.name().text();
  }

  /** {@return whether the program has given the stream its name} */
  public boolean isNamed() {
    return queue.name().given();
  }

  /** {@return the priority that was asked for; lower is more urgent} */
  public int priority() {
    return priority;
  }

  /**
   * {@return the driver's handle, a {@code CUstream}, for other CUDA libraries in the process;
   * valid until the stream is closed}
   *
   * <p>What a library enqueues by it comes after what the driver has of this stream. What is still
   * held back here (behind a staged copy, a callback, an event) it would overtake, and memory that
   * it uses is not kept for it: {@link #call} sees to both.
   *
   * @throws ClosedException if the stream or the device is closed
   */
  public long handle() {
    if (!isOpen()) {
      throw new ClosedException(this + " is closed: its handle is no longer valid");
    }
    queue.toHost().share();
    return queue.handle();
  }

  // --- copies
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * Copies host memory to the device. The way follows from the host memory: pinned memory is copied
   * directly, other memory is staged; {@link Copy#route()} tells. The source is read in the order
   * of the stream and must not be written until the copy is done.
   *
   * @param source pinned, native, mapped or heap memory; its arena may not be confined unless the
   *     copy is small or the memory pinned
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
   * Copies host memory to the device by a given way.
   *
   * @param source as for {@link #copy(MemorySegment, GlobalArray)}
   * @param destination as many bytes
   * @param way DIRECT, STAGED, INLINE or AWAITED_PAGEABLE, which blocks
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot go that way
   */
  public Copy copy(MemorySegment source, GlobalArray destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(
        Direction.TO_DEVICE, source, destination, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies device memory to host memory. The way follows from the host memory: pinned memory is
   * copied directly, other memory is staged; {@link Copy#route()} tells. The destination must be
   * neither read nor written until the copy is done.
   *
   * @param source on this stream's device
   * @param destination as many bytes, writable; its arena may not be confined unless the memory is
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
   * Copies device memory to host memory by a given way.
   *
   * @param source on this stream's device
   * @param destination as for {@link #copy(GlobalArray, MemorySegment)}
   * @param way DIRECT, STAGED or AWAITED_PAGEABLE, which blocks
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot go that way
   */
  public Copy copy(GlobalArray source, MemorySegment destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return hostCopy(
        Direction.TO_HOST, destination, source, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies within the device, or between two devices of which this stream's is one.
   *
   * <p>Between two devices the way follows from what is possible: {@link Route.Kind#PEER} if access
   * is enabled from either of them to the other, else {@link Route.Kind#PEER_STAGED}; between
   * devices of different drivers {@link Route.Kind#STRANGER_STAGED}. The copy is in the order of
   * this stream alone: streams of the other device that use the array wait for an event of this
   * one's, and this one for theirs ({@link #waitFor}). A stream of the sender is faster for small
   * copies.
   *
   * @param source on either device
   * @param destination as many bytes, not overlapping the source
   * @return the copy
   * @throws IllegalArgumentException if the sizes differ or are 0, the ends overlap, or both lie on
   *     other devices than this stream's
   * @throws ClosedException if the stream, a device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException if this is a default stream and the devices are two:
   *     such a copy would wait for all work of both
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public Copy copy(GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return deviceCopy(source, destination, null);
  }

  /**
   * Copies within the device or between two devices by a given way.
   *
   * @param source as for {@link #copy(GlobalArray, GlobalArray)}
   * @param destination as for {@link #copy(GlobalArray, GlobalArray)}
   * @param way LOCAL within a device; PEER, PEER_STAGED or, where there is no access,
   *     PEER_BY_DRIVER between two; STRANGER_STAGED between devices of different drivers
   * @return the copy
   * @throws dev.stretto.fault.RouteException if the copy cannot go that way
   * @throws dev.stretto.fault.PeerAccessException if PEER is demanded and neither device has access
   *     to the other
   */
  public Copy copy(GlobalArray source, GlobalArray destination, Route.Kind way) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return deviceCopy(source, destination, Objects.requireNonNull(way, "way").way());
  }

  /**
   * Copies host memory to the device, and says when the source may be read.
   *
   * @param source as for {@link #copy(MemorySegment, GlobalArray)}; read {@link
   *     SourceAccess#DURING_CALL during the call}, of any arena that the calling thread may read
   * @param destination as many bytes, on this stream's device
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if the source cannot be read during the call,
   *     and that is demanded: it is too large, an earlier staged copy of the stream has still to
   *     bring bytes there, or the stream is a default or adopted one
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws ClosedException if the stream, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.CopyFailedException if the source goes away while it is read
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

  /** What is launched again and again reads its source each time. */
  /**
   * Copies device memory to host memory, and says when the source may be read.
   *
   * @param source on this stream's device
   * @param destination as for {@link #copy(GlobalArray, MemorySegment)}
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if it is to be read during the call: device
   *     memory is read by the device
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
   * Copies within the device, or between two devices, and says when the source may be read.
   *
   * @param source as for {@link #copy(GlobalArray, GlobalArray)}
   * @param destination as for {@link #copy(GlobalArray, GlobalArray)}
   * @param access when the source may be read
   * @return the copy
   * @throws dev.stretto.fault.SourceAccessException if it is to be read during the call: device
   *     memory is read by the device
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
   * that was enqueued before, and before all that is enqueued later. Its copies are in no order
   * among each other, so none may write what another reads or writes.
   *
   * <p>Copies of pinned memory and within the device go to the driver together, by {@code
   * cuMemcpyBatchAsync} where it has that (CUDA 12.8 and later; not on the legacy default stream),
   * up to 64 in a call; others are staged or go from device to device as they do by themselves.
   * {@link Batch#routes()} tells of each.
   *
   * <p>Everything is checked before the first copy is enqueued. Closing an array or a pinned arena
   * of the batch while this runs either comes before it, which refuses the batch, or after it.
   *
   * @param copies at least one
   * @return all of them
   * @throws IllegalArgumentException if there is none, two write the same memory, one reads what
   *     another writes, or as for each copy by itself
   * @throws ClosedException if the stream, a device or an end of a copy is closed
   * @throws dev.stretto.fault.RouteException as for each copy by itself, or if a copy is between
   *     devices of two drivers
   * @throws dev.stretto.fault.SourceAccessException if a source cannot be read when it is to be
   * @throws WrongThreadException if host memory belongs to another thread's confined arena
   * @throws dev.stretto.fault.CopyFailedException if the host memory of a small copy goes away
   *     while it is read; nothing is enqueued then
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public Batch copyAll(List<CopyRequest> copies) {
    Objects.requireNonNull(copies, "copies");
    captured.requireNone("a batch of copies");
    opening.requireUsable();
    BatchCopies.Enqueued<Copy> batch = CopyRequests.enqueue(enqueuer, copies);
    return new Batch(this, batch.copies(), batch.last());
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
    requireUsable();
    captured.requireNone("a copy of ordinary host memory");
    queue.requireHostCopies();
    return new Copy(this, Way.HOST, OrdinaryCopies.enqueueOnHost(queue, destination, source), null);
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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
   * Copies from the device to an array, staged. The array is kept alive, and must not be touched,
   * until the copy is done.
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

  // --- strided copies
  // ---------------------------------------------------------------------------------------------------------

  /**
   * Copies rows of host memory to the device.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch bytes from row to row in the source
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from row to row in the destination
   * @param width bytes of a row, at most either pitch
   * @param rows how many
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
   * @param sourcePitch bytes from row to row in the source
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from row to row in the destination
   * @param width bytes of a row, at most either pitch
   * @param rows how many
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
   * Copies rows within the device. Rows of the two ends may lie between each other, as columns of
   * one matrix do, but share no byte.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch bytes from row to row in the source
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from row to row in the destination
   * @param width bytes of a row, at most either pitch
   * @param rows how many
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, a pitch is smaller than a row, or
   *     the ends share a byte
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
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
    NodeWork work =
        NodeWorks.rows(
            opening.engine(), source, sourcePitch, destination, destinationPitch, width, rows);
    return new Copy(this, Way.LOCAL, current.add(captured, work), null);
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
   * @param sourcePitches how its rows and planes lie
   * @param destination its first row begins at its first byte
   * @param destinationPitches how its rows and planes lie
   * @param extent bytes of a row, rows of a plane, planes
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
    captured.requireNone("a copy of planes");
    opening.requireUsable();
    return VolumeCopies.copy(
        Direction.TO_DEVICE,
        enqueuer,
        source,
        sourcePitches.box(extent),
        destination,
        destinationPitches.box(extent));
  }

  /**
   * Copies planes of rows of device memory to host memory: {@code cuMemcpy3DAsync} if that is
   * pinned; other memory is staged, plane by plane.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches how its rows and planes lie
   * @param destination its first row begins at its first byte
   * @param destinationPitches how its rows and planes lie
   * @param extent bytes of a row, rows of a plane, planes
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
    captured.requireNone("a copy of planes");
    opening.requireUsable();
    return VolumeCopies.copy(
        Direction.TO_HOST,
        enqueuer,
        destination,
        destinationPitches.box(extent),
        source,
        sourcePitches.box(extent));
  }

  /**
   * Copies planes of rows within the device: {@code cuMemcpy3DAsync}. Rows of the two ends may lie
   * between each other, but share no byte.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches how its rows and planes lie
   * @param destination its first row begins at its first byte
   * @param destinationPitches how its rows and planes lie
   * @param extent bytes of a row, rows of a plane, planes
   * @return the copy
   * @throws IllegalArgumentException if a size is not positive, or rows or planes overlap, or the
   *     ends share a byte
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if the stream, the device or one of the ends is closed
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
    captured.requireNone("a copy of planes");
    opening.requireUsable();
    return VolumeCopies.copy(
        enqueuer, source, sourcePitches.box(extent), destination, destinationPitches.box(extent));
  }

  // --- fills
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * Sets every element of an array.
   *
   * @param array on this stream's device
   * @param value the value
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
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
   * @return happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws ClosedException if the stream, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event fill(GlobalBfloats array, float value) {
    Objects.requireNonNull(array, "array");
    return fill((GlobalArray) array, (long) Bfloat.of(value));
  }

  private Event fill(GlobalArray array, long bits) {
    requireUsable();
    Capture current = captured.current();
    if (current != null) {
      return new Event(this, current.add(captured, NodeWorks.fill(opening.engine(), array, bits)));
    }
    var block = block(array);
    if (array.length() == 0) {
      throw new IllegalArgumentException(array + " has no elements to fill");
    }
    Observation begin = observers().before(opening, WorkKind.FILL);
    long sequence = queue.fill(block, array.address(), bits, array.elementBytes(), array.length());
    if (begin != null) {
      Work work = new Work(WorkKind.FILL, "Memset (Device)", sequence, array.byteSize());
      observers().after(begin, opening, work);
    }
    return new Event(this, sequence);
  }

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Launches a kernel. What is launched often is better prepared once: {@link Device#prepare}.
   *
   * @param grid its shape
   * @param kernel what to run
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
    boolean kept = captured.current() != null;
    while (!launched(device.launch(grid, kernel, kept, arguments))) {
      // Another thread's launches have had the kernel unloaded: it is loaded again.
    }
  }

  @Override
  void launchMethod(Grid grid, KernelMethod kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    boolean kept = captured.current() != null;
    while (!launched(device.launch(grid, kernel, kept, arguments))) {
      // As above.
    }
  }

  /** Whether a launch was enqueued; if not, its kernel was unloaded since it was looked up. */
  private boolean launched(Launch once) {
    try {
      launch(once);
      return true;
    } catch (ClosedException e) {
      if (once.isLoaded() || !device.isOpen()) {
        throw e;
      }
      return false;
    } finally {
      once.release();
    }
  }

  /**
   * Enqueues a prepared launch with the arguments that it has now. Allocates nothing.
   *
   * @param launch prepared on this stream's device
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
    Observation begin = observers().before(opening, WorkKind.KERNEL);
    long sequence = launch.enqueue(queue, observers().launchPlace());
    if (begin != null) {
      Work work = new Work(WorkKind.KERNEL, launch.kernel().entry(), sequence, 0);
      observers().after(begin, opening, work);
    }
  }

  /**
   * Enqueues all that a graph does, as {@link Graph#launch} does, for who does not await this very
   * launch: what an event would cost the driver, half a microsecond about, is spared.
   *
   * @param graph of this stream's device
   * @throws IllegalArgumentException if it belongs to another device
   * @throws ClosedException if the graph, the stream, the device, or a registration that it needs
   *     is closed
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
  ArrayMemory allocate(long length, int elementBytes) {
    requireUsable();
    captured.requireNone("an allocation in the order of the stream");
    Capture.requireNone(opening.engine(), "an allocation in the order of a stream");
    device.requirePool();
    long bytes = Device.bytes(length, elementBytes);
    if (!Flight.wantsAllocations()) {
      return device.own(DeviceBlock.allocate(device.engine(), queue, bytes));
    }
    Flight.Timed flight = Flight.allocation(device.name(), "stream-ordered", bytes);
    ArrayMemory memory = device.own(DeviceBlock.allocate(device.engine(), queue, bytes));
    flight.end(true);
    return memory;
  }

  /**
   * Has closing an array free its memory in the order of this stream, after the last use on every
   * other stream: this stream waits for each of those by an event, and so does whatever it is given
   * after the array was closed. If this stream is closed by then, the memory is freed when the host
   * has been told of the last use; that blocks nobody either.
   *
   * @param array of this stream's device, whichever way it was allocated
   * @throws IllegalArgumentException if the array lies on another device, or was allocated by
   *     another opening of this one
   * @throws UnsupportedOperationException if it is a slice
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.RouteException if this is a thread's own default stream, which other
   *     threads that may close the array have none of
   * @throws ClosedException if the stream, the device or the array is closed
   */
  public void freeOnClose(GlobalArray array) {
    Objects.requireNonNull(array, "array");
    captured.requireNone("freeing in the order of a stream");
    requireUsable();
    DeviceBlock block = block(array);
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
          this + " cannot free what other threads than its own may close: use device.stream()");
    }
    if (!isOpen() || !array.isOpen()) {
      throw new ClosedException((isOpen() ? array : this) + " is closed");
    }
    device.requirePool();
    block.freeOn(queue);
  }

  /**
   * Closes an array and frees its memory in the order of this stream: {@link #freeOnClose} and
   * {@link GlobalArray#close()} in one.
   *
   * @param array as for {@link #freeOnClose}
   * @throws IllegalArgumentException as for {@link #freeOnClose}
   * @throws UnsupportedOperationException if it is a slice
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.RouteException if this is a thread's own default stream
   * @throws ClosedException if the stream or the device is closed, or the array was closed before
   */
  public void free(GlobalArray array) {
    Objects.requireNonNull(array, "array");
    freeOnClose(array);
    array.close();
  }

  // --- events
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return an event that stands for everything that was enqueued on this stream so far}
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
   * {@return an event that also knows when it happened, by the device's clock} It holds a driver
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
   * Has everything that is enqueued from now on wait until an event has happened. What the event
   * stands for was fixed when it was recorded; later work of its stream is not waited for. Does not
   * block the caller.
   *
   * @param event of any stream of any device
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
   * Runs a callback in the order of the stream, on a virtual thread of its own: after everything
   * that was enqueued before, its effects on host memory included, and before everything that is
   * enqueued later. The callback may use Stretto freely, and await whatever does not depend on it.
   * Waits for later work of this stream, and for work that waits for it on other streams, would
   * never end: they throw a {@link dev.stretto.fault.DeadlockException} at once.
   *
   * <p>What the callback throws is reported by whoever awaits the returned event, by its future,
   * and by {@link #await()} once; the stream goes on. If nobody has awaited either by the time the
   * stream is closed and done, it is logged. Where the process can have no thread to run it, that
   * is reported in the same way, as a {@link java.util.concurrent.RejectedExecutionException}.
   *
   * @param callback what to run
   * @return happens when the callback has returned; awaiting it throws what the callback threw, an
   *     {@link Error} or a checked exception as the cause of an {@link IllegalStateException}
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
   * Runs a callback in the order of the stream on an executor, as {@link #then(Runnable)} does on a
   * thread of its own. On a seeded device the executor is not used: callbacks run while the program
   * waits, in an order that the seed picks.
   *
   * <p>The executor is called by a virtual thread of Stretto's, never by one that watches the
   * device. If it refuses, that is reported as what a callback throws is, and the stream goes on;
   * if it neither runs the callback nor refuses, the stream is held back for ever.
   *
   * @param callback what to run; what it throws is reported as by {@link #then(Runnable)}
   * @param executor where to run it
   * @return happens when the callback has returned; awaiting it throws what the callback threw
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
   * Has another CUDA library enqueue work in the order of this stream, by its raw handle: after all
   * that was enqueued before, what is held back included, and before all that is enqueued later.
   * The arrays are kept until that work is done, whenever they are closed.
   *
   * <p>The work is enqueued by the calling thread before this returns, unless something of the
   * stream is held back; then by a virtual thread, in its turn. Later operations of the stream are
   * held back while {@code work} runs; to await them throws a {@link
   * dev.stretto.fault.DeadlockException}. The library's calls are made without a context of ours
   * current: libraries on the CUDA runtime find the primary context by themselves.
   *
   * <pre>{@code
   * stream.call(handle -> { cublasSetStream(blas, handle); cublasSgemm(blas, ...); }, a, b, c);
   * }</pre>
   *
   * @param work is given the driver's handle, and enqueues on it
   * @param uses the arrays of any device that the work uses; their addresses ({@link
   *     GlobalArray#address()}) have to be asked for before
   * @return happens when that work is done
   * @throws RuntimeException what {@code work} throws, if the calling thread runs it; otherwise
   *     that is reported by {@link #await()}
   * @throws ClosedException if the stream, the device or an array is closed; the work is not run
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event call(LongConsumer work, GlobalArray... uses) {
    Objects.requireNonNull(uses, "uses");
    captured.requireNone("work of another library");
    requireUsable();
    Objects.requireNonNull(work, "work");
    for (GlobalArray array : uses) {
      Objects.requireNonNull(array, "uses");
    }
    List<DeviceBlock> blocks =
        Arrays.stream(uses).map(array -> ArrayMemory.of(array).block()).toList();
    queue.toHost().share(); // the work may await it
    return new Event(this, ForeignCall.enqueue(queue, blocks, work));
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /** {@return whether everything is done that was enqueued so far; asks without blocking} */
  public boolean isIdle() {
    return isDone();
  }

  @Override
  public boolean isDone() {
    captured.requireNone("asking whether the stream is done");
    return Point.isAllDone(queue);
  }

  /**
   * Waits until everything is done that was enqueued so far.
   *
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     meanwhile
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before that
   * @throws RuntimeException the first thing that went wrong on this stream since it was last
   *     awaited, if anything did: a copy whose host memory went away, or what a callback threw
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

  private boolean await(long deadline) {
    queue.device().requireAlive(); // an idle stream of a lost device says so too
    long last = queue.end();
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

  /** {@return whether operations can be enqueued} */
  public boolean isOpen() {
    return opening.isOpen();
  }

  /**
   * Ends the use of the stream at once. Work that it holds runs to its end; the driver's stream
   * goes then. Does not block. Closing it again has no further effect.
   *
   * <p>What has failed on the stream, and no exception has told the program of by the time that its
   * last work is done, is logged as a warning of the logger {@code dev.stretto}.
   */
  @Override
  public void close() {
    end();
    queue.device().finishIfClosed();
  }

  /** The same, running nothing of the program's: where it was the last of a closed device. */
  void end() {
    opening.leave();
  }

  /** Refuses what is enqueued after the stream was closed, or by a thread that cannot use it. */
  void requireUsable() {
    opening.requireUsable();
  }

  @Override
  public String toString() {
    return queue.fullTitle();
  }
}
