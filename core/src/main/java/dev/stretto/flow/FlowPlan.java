package dev.stretto.flow;

import dev.stretto.Device;
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
 * What a flow is to do. Made by {@link Flow#on}; a source, a sink and usually a stage have to be
 * named before {@link #start()}.
 */
public final class FlowPlan {
  private final List<Device> devices;
  private @Nullable Source source;
  private @Nullable Sink sink;
  private Function<? super Device, ? extends Stage> stages = device -> (stream, chunk) -> {};
  private Consumer<FlowProgress> listener = progress -> {};
  private boolean inPlace = true;
  private boolean stageNamed;
  private long chunkBytes;
  private int depth;
  private int granularity = 256;

  FlowPlan(List<Device> devices) {
    this.devices = devices;
  }

  /**
   * Sets where the bytes come from.
   *
   * @param from closed when the flow ends
   * @return this
   */
  public FlowPlan from(Source from) {
    source = Objects.requireNonNull(from, "source");
    return this;
  }

  /**
   * Sets what is done with each chunk, on whichever device it was dealt to. Without a stage, the
   * bytes pass the device unchanged.
   *
   * @param work reads {@code chunk.in()} and writes all of {@code chunk.out()}
   * @return this
   */
  public FlowPlan through(Stage work) {
    Objects.requireNonNull(work, "stage");
    return throughEach(device -> work);
  }

  /**
   * Sets what is done with each chunk, by a stage for each device: for stages that have something
   * on the device, such as tables in its memory or prepared launches. What the stages hold is
   * closed by the program.
   *
   * @param works makes the stage of a device; called once for each by {@link #start()}, in the
   *     order in which they were given
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
   * Sets where the bytes go.
   *
   * @param to closed when the flow ends
   * @return this
   */
  public FlowPlan to(Sink to) {
    sink = Objects.requireNonNull(to, "sink");
    return this;
  }

  /**
   * Says that the stage works in place: {@code chunk.out()} is {@code chunk.in()}, and half as much
   * device memory is used.
   *
   * @return this
   */
  public FlowPlan inPlace() {
    inPlace = true;
    stageNamed = true;
    return this;
  }

  /**
   * Sets how large a chunk is. Otherwise a short measurement decides; of several devices, the one
   * that wants the smallest.
   *
   * @param bytes 1 or more, a multiple of the granularity
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FlowPlan chunkBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a chunk of " + bytes + " bytes: has to be 1 or more");
    }
    chunkBytes = bytes;
    return this;
  }

  /**
   * Sets how many chunks are under way at a time, on each device. Otherwise it follows from the
   * source, the sink and the memory.
   *
   * @param chunks 1 to 64
   * @return this
   * @throws IllegalArgumentException if it is not in that range
   */
  public FlowPlan depth(int chunks) {
    if (chunks < 1 || chunks > 64) {
      throw new IllegalArgumentException("a depth of " + chunks + " chunks: has to be 1 to 64");
    }
    depth = chunks;
    return this;
  }

  /**
   * Sets of what a chunk's size is a multiple: the size of a record, of a cipher's block. 256 bytes
   * unless set.
   *
   * @param bytes 1 or more
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public FlowPlan granularity(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "a granularity of " + bytes + " bytes: has to be 1 or more");
    }
    granularity = bytes;
    return this;
  }

  /**
   * Has the flow tell of its progress after each chunk that was written.
   *
   * @param progress is told, on threads of the flow's; must not block
   * @return this
   */
  public FlowPlan onProgress(Consumer<FlowProgress> progress) {
    listener = Objects.requireNonNull(progress, "progress");
    return this;
  }

  /**
   * {@return the flow, which is running} It has to be awaited or closed. Does not block, but for
   * the short measurement that chooses the size of chunks. If this throws but for what the plan
   * lacks, the source and the sink are closed.
   *
   * @throws IllegalStateException if there is no source or no sink
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity, or the
   *     source says that it has less than -1 bytes
   * @throws FlowException if the program's source, sink or stages throw a checked exception
   * @throws dev.stretto.fault.ClosedException if a device is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if not even one chunk fits into a device's
   *     memory
   * @throws dev.stretto.fault.PinnedBudgetException if not even one chunk fits into the budget of
   *     pinned memory
   */
  public Flow start() {
    if (source == null || sink == null) {
      throw new IllegalStateException(
          "a flow needs a source and a sink: name both before it is started");
    }
    requireWholeGrains();
    Source from = source;
    Sink to = sink;
    try {
      return begun(from, to);
    } catch (RuntimeException | Error e) {
      closeEnds(from, to, e);
      throw e;
    } catch (Throwable e) { // which the program's code may throw though it does not declare it
      closeEnds(from, to, e);
      throw new FlowException("the flow was not started: " + e, e);
    }
  }

  /** The program has not got a flow that would close them. */
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
   * {@return a publisher of what comes out of the flow, a chunk at a time and in order} Instead of
   * a sink and {@link #start()}. By the rules of {@link java.util.concurrent.Flow}:
   *
   * <ul>
   *   <li>The flow begins when somebody subscribes, and closes the source when it ends; if nobody
   *       does, nobody closes it. It takes one subscriber, for its source can be read once; others
   *       are told of an {@link IllegalStateException}.
   *   <li>A chunk is delivered for each that was requested. As long as none is, chunks wait in
   *       their slots and the source is not read further.
   *   <li>Buffers are on the heap, one for each chunk, and the subscriber's own.
   *   <li>Cancelling cancels the flow and releases what it holds. What fails in the flow is
   *       signalled as an error, after the chunks before it. To request nothing or less ends the
   *       flow with an {@link IllegalArgumentException}.
   *   <li>Signals come one after the other on the executor; an executor that refuses, and a
   *       subscriber that throws, count as cancelling and are logged.
   * </ul>
   *
   * @param executor where the subscriber is told; one that runs tasks at once will do, on threads
   *     of the flow's then
   * @throws IllegalStateException if there is no source, or a sink was named
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity, or
   *     beyond 2 GiB
   */
  public Publisher<ByteBuffer> publish(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    if (source == null || sink != null) {
      throw new IllegalStateException(
          "a flow that is published needs a source, and no sink, which its subscriber is");
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
          "chunks of " + chunkBytes + " bytes are no multiple of the granularity, " + granularity);
    }
  }

  private Flow begun(Source from, Sink to) {
    long size = from.size();
    if (size < -1) {
      throw new IllegalArgumentException(
          "a source of " + size + " bytes: has to be 0 or more, or -1 if that is not known");
    }
    boolean bufferedIn = isAbsent(from.resident(0, Math.clamp(size, 0, 1)), "source");
    boolean bufferedOut = isAbsent(to.resident(0, size == 0 ? 0 : 1), "sink");
    Sizing.Wish wish =
        new Sizing.Wish(
            size, bufferedIn, bufferedOut, chunkBytes, depth, granularity, inPlace, devices.size());
    List<Sizing> sizings = Sizing.of(devices, from, to, wish);
    List<Stage> made = new ArrayList<>();
    for (Device device : devices) {
      made.add(stage(((Function<? super Device, ?>) stages).apply(device), device));
    }
    boolean modelled = devices.stream().allMatch(device -> device.hostClock().isModelled());
    List<Lane> lanes = new ArrayList<>(); // from here on the flow's time runs
    for (int i = 0; i < devices.size(); i++) {
      lanes.add(new Lane(devices.get(i), made.get(i), sizings.get(i), inPlace, modelled));
    }
    Flow flow = new Flow(List.copyOf(lanes), from, size, to, listener, Sizing.together(sizings));
    flow.begin(bufferedIn || bufferedOut);
    return flow;
  }

  private static boolean isAbsent(Optional<MemorySegment> resident, String end) {
    return Objects.requireNonNull(resident, () -> "what the " + end + "'s resident() has returned")
        .isEmpty();
  }

  /** Works may be a function of anything where a program has gone round javac's checks. */
  private static Stage stage(@Nullable Object made, Device device) {
    Objects.requireNonNull(made, () -> "stage of " + device.name());
    if (made instanceof Stage stage) {
      return stage;
    }
    throw new IllegalArgumentException(
        "the stage of " + device.name() + " is a " + made.getClass().getName());
  }
}
