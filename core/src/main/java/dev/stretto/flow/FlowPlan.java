package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.OutOfDeviceMemoryException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Publisher;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes a flow. Made by {@link Flow#on}; set a source, a sink and usually a stage before {@link
 * #start()}.
 */
public final class FlowPlan {
  private final List<Device> devices;
  private @Nullable Source source;
  private @Nullable Sink sink;
  private Function<? super Device, ? extends Stage> stages = device -> (stream, chunk) -> {};
  private Consumer<FlowProgress> listener = progress -> {};
  private boolean inPlace = true;
  private @Nullable Output output;
  private boolean stageNamed;
  private long chunkBytes;
  private int depth;
  private int granularity = 256;

  FlowPlan(List<Device> devices) {
    this.devices = devices;
  }

  /**
   * Sets the source of the bytes.
   *
   * @param from closed when the flow ends
   * @return this
   */
  public FlowPlan from(Source from) {
    source = Objects.requireNonNull(from, "source");
    return this;
  }

  /**
   * Sets the work on each chunk, for all devices. Without a stage, the bytes pass through the
   * device unchanged.
   *
   * @param work reads {@code chunk.in()} and writes all of {@code chunk.out()}
   * @return this
   */
  public FlowPlan through(Stage work) {
    Objects.requireNonNull(work, "stage");
    return throughEach(device -> work);
  }

  /**
   * Sets the work on each chunk, with a separate stage for each device: for stages that hold
   * something on the device, such as tables in its memory or prepared launches. The program itself
   * closes what the stages hold.
   *
   * @param works makes the stage of a device; {@link #start()} calls it once for each device, in
   *     their order in the plan
   * @return this
   */
  public FlowPlan throughEach(Function<? super Device, ? extends Stage> works) {
    stages = Objects.requireNonNull(works, "stages");
    if (!stageNamed) {
      inPlace = false;
      stageNamed = true;
    }
    return this;
  }

  /**
   * Sets the destination of the bytes.
   *
   * @param to closed when the flow ends
   * @return this
   */
  public FlowPlan to(Sink to) {
    sink = Objects.requireNonNull(to, "sink");
    output = null;
    return this;
  }

  /**
   * Leaves everything on the device: nothing is copied out, and {@code chunk.out()} is {@code
   * chunk.in()}. The stage keeps what it computes in memory of its own; chunks of one {@link
   * Chunk#slot() slot} follow each other, so a sum for each slot needs no atomic operation.
   *
   * @return this
   */
  public FlowPlan drain() {
    sink = new ResultSink(1, (index, result) -> {});
    output = Output.nothing();
    return this;
  }

  /**
   * Copies a result of each chunk out, instead of its bytes, and hands it to the program. {@code
   * chunk.out()} has so many bytes then.
   *
   * @param resultBytes the bytes of each result, 1 or more
   * @param results takes them
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FlowPlan collect(long resultBytes, ChunkResult results) {
    Objects.requireNonNull(results, "results");
    if (resultBytes < 1) {
      throw new IllegalArgumentException(
          "a result of " + resultBytes + " bytes: must be 1 or more; without one, use drain()");
    }
    sink = new ResultSink(resultBytes, results);
    output = Output.result(resultBytes);
    return this;
  }

  /**
   * Combines the results of all chunks on the host, as they come: {@link #collect}, one result at a
   * time. The order is that in which chunks are done, so the combination must not depend on it;
   * sums of floating-point numbers do.
   *
   * @param into holds what results are combined with first, and the combination in the end; each
   *     result has as many bytes
   * @param by combines
   * @return this
   * @throws IllegalArgumentException if the segment is empty, read-only or confined to a thread
   */
  public FlowPlan reduce(MemorySegment into, ResultCombiner by) {
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(by, "by");
    if (into.isReadOnly()) {
      throw new IllegalArgumentException(
          "a segment of " + into.byteSize() + " bytes that is read-only cannot hold a result");
    }
    HostSegment memory = new HostSegment("result", into);
    Object lock = new Object();
    return collect(
        into.byteSize(),
        (index, result) -> {
          synchronized (lock) {
            memory.requireOpen();
            by.combine(into, result);
          }
        });
  }

  private Output output() {
    return output == null ? Output.bytes(inPlace) : output;
  }

  /**
   * Makes the stage work in place: {@code chunk.out()} is {@code chunk.in()}, which halves the use
   * of device memory.
   *
   * @return this
   */
  public FlowPlan inPlace() {
    inPlace = true;
    stageNamed = true;
    return this;
  }

  /**
   * Sets the size of a chunk. By default a short measurement decides; with several devices, the
   * smallest size that any of them needs.
   *
   * @param bytes 1 or more, a multiple of the granularity
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FlowPlan chunkBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a chunk of " + bytes + " bytes: must be 1 or more");
    }
    chunkBytes = bytes;
    return this;
  }

  /**
   * Sets how many chunks are in flight at a time, on each device. By default it follows from the
   * source, the sink and the memory.
   *
   * @param chunks 1 to 64
   * @return this
   * @throws IllegalArgumentException if it is not in that range
   */
  public FlowPlan depth(int chunks) {
    if (chunks < 1 || chunks > 64) {
      throw new IllegalArgumentException("a depth of " + chunks + " chunks: must be 1 to 64");
    }
    depth = chunks;
    return this;
  }

  /**
   * Sets the number of bytes that a chunk's size must be a multiple of: the size of a record, or of
   * a cipher's block. The default is 256 bytes.
   *
   * @param bytes 1 or more
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FlowPlan granularity(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a granularity of " + bytes + " bytes: must be 1 or more");
    }
    granularity = bytes;
    return this;
  }

  /**
   * Makes the flow report its progress after each chunk that was written.
   *
   * @param progress receives the progress, on the flow's threads; must not block
   * @return this
   */
  public FlowPlan onProgress(Consumer<FlowProgress> progress) {
    listener = Objects.requireNonNull(progress, "progress");
    return this;
  }

  /**
   * {@return the flow, which is running} Await it or close it. Does not block, except for the short
   * measurement that chooses the size of chunks. Once the plan has been found valid, a failure
   * closes the source and the sink.
   *
   * @throws IllegalStateException if there is no source or no sink
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity, or the
   *     source reports fewer than -1 bytes
   * @throws FlowException if the program's source, sink or stages throw a checked exception
   * @throws dev.stretto.fault.ClosedException if a device is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   * @throws OutOfDeviceMemoryException if not even one chunk fits into a device's memory
   * @throws dev.stretto.fault.PinnedBudgetException if not even one chunk fits into the budget of
   *     pinned memory
   */
  public Flow start() {
    if (source == null || sink == null) {
      throw new IllegalStateException(
          "a flow needs a source, and a sink, collect(), reduce() or drain(): set both before"
              + " starting it");
    }
    requireWholeGrains();
    Source from = source;
    Sink to = sink;
    try {
      return begun(from, to);
    } catch (RuntimeException | Error e) {
      closeEnds(from, to, e);
      throw e;
    } catch (
        Throwable e) { // the program's code may throw checked exceptions that it does not declare
      closeEnds(from, to, e);
      throw new FlowException("the flow was not started: " + e, e);
    }
  }

  /** Closes the source and the sink, since the program gets no flow that would close them. */
  private static void closeEnds(Source from, Sink to, Throwable cause) {
    Throwable _ = Flow.closeQuietly(to, cause);
    Throwable _ = Flow.closeQuietly(from, cause);
  }

  /** Closes the source of a flow that cannot be started. */
  void closeSource(Throwable cause) {
    Source from = source;
    if (from != null) {
      Throwable _ = Flow.closeQuietly(from, cause);
    }
  }

  /**
   * {@return a publisher of the flow's output, one chunk at a time and in order} Used instead of a
   * sink and {@link #start()}. It follows the rules of {@link java.util.concurrent.Flow}:
   *
   * <ul>
   *   <li>The flow begins with the subscription, and closes the source when it ends; without a
   *       subscriber, the source is never closed. There can be only one subscriber, since the
   *       source can be read only once; others are signalled an {@link IllegalStateException}.
   *   <li>A chunk is delivered for each chunk that was requested. As long as none is requested,
   *       chunks wait in their slots and the source is not read further.
   *   <li>Buffers are on the heap, one for each chunk, and belong to the subscriber.
   *   <li>Cancelling the subscription cancels the flow and releases what it holds. A failure of the
   *       flow is signalled as an error, after the chunks before it. Requesting 0 chunks or fewer
   *       ends the flow with an {@link IllegalArgumentException}.
   *   <li>Signals come one after the other on the executor. An executor that refuses a signal, and
   *       a subscriber that throws, count as a cancellation and are logged.
   * </ul>
   *
   * @param executor runs the signals to the subscriber; an executor that runs tasks immediately is
   *     fine, and then uses the flow's threads
   * @throws IllegalStateException if there is no source, or a sink was set
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity, or
   *     exceeds 2 GiB
   */
  public Publisher<ByteBuffer> publish(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    if (source == null || sink != null) {
      throw new IllegalStateException(
          "a flow that is published needs a source, and no sink: its subscriber "
              + "takes the place of one");
    }
    requireWholeGrains();
    if (chunkBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "chunks of "
              + chunkBytes
              + " bytes do not fit into buffers of at most "
              + Integer.MAX_VALUE);
    }
    return new ChunkPublisher(this, executor);
  }

  private void requireWholeGrains() {
    if (chunkBytes % granularity != 0) {
      throw new IllegalArgumentException(
          "chunks of "
              + chunkBytes
              + " bytes are not a multiple of the granularity, "
              + granularity);
    }
  }

  private Flow begun(Source from, Sink to) {
    long size = from.size();
    if (size < -1) {
      throw new IllegalArgumentException(
          "a source of " + size + " bytes: must be 0 or more, or -1 if that is not known");
    }
    boolean bufferedIn = isAbsent(from.resident(0, Math.clamp(size, 0, 1)), "source");
    boolean bufferedOut = output == null && isAbsent(to.resident(0, size == 0 ? 0 : 1), "sink");
    List<Stage> made = new ArrayList<>();
    for (Device device : devices) {
      made.add(stage(((Function<? super Device, ?>) stages).apply(device), device));
    }
    boolean isOrdered =
        devices.stream().anyMatch(each -> each.isSeeded() || each.hostClock().isModelled());
    Buffering buffering = Buffering.of(from, bufferedIn, bufferedOut, isOrdered);
    try {
      return begun(from, size, to, made, sizings(from, size, to, buffering, false), buffering);
    } catch (OutOfDeviceMemoryException e) {
      return begun(from, size, to, made, sizings(from, size, to, buffering, true), buffering);
    }
  }

  private List<Sizing> sizings(
      Source from, long size, Sink to, Buffering buffering, boolean isShort) {
    Sizing.Wish wish =
        new Sizing.Wish(
            size,
            buffering,
            chunkBytes,
            depth,
            granularity,
            inPlace || output != null,
            devices.size(),
            isShort);
    return Sizing.of(devices, from, to, wish);
  }

  private Flow begun(
      Source from,
      long size,
      Sink to,
      List<Stage> made,
      List<Sizing> sizings,
      Buffering buffering) {
    boolean modelled = devices.stream().allMatch(device -> device.hostClock().isModelled());
    List<Lane> lanes = new ArrayList<>(); // the flow's time begins here
    for (int i = 0; i < devices.size(); i++) {
      lanes.add(
          new Lane(
              devices.get(i),
              made.get(i),
              sizings.get(i),
              output(),
              modelled,
              buffering.isStaged() ? (StagedSource) from : null));
    }
    Flow flow =
        new Flow(List.copyOf(lanes), from, size, to, output(), listener, Sizing.together(sizings));
    flow.begin(buffering);
    return flow;
  }

  private static boolean isAbsent(Optional<MemorySegment> resident, String end) {
    return Objects.requireNonNull(resident, () -> "the result of the " + end + "'s resident()")
        .isEmpty();
  }

  /** The function may return anything if a program has bypassed javac's checks. */
  private static Stage stage(@Nullable Object made, Device device) {
    Objects.requireNonNull(made, () -> "stage of " + device.name());
    if (made instanceof Stage stage) {
      return stage;
    }
    throw new IllegalArgumentException(
        "the stage of " + device.name() + " is a " + made.getClass().getName());
  }
}
