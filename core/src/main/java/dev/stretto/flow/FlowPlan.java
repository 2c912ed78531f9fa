package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.OutOfDeviceMemoryException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Publisher;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes a flow. Made by {@link Flow#on}; set a source, a sink and usually a stage before {@link
 * #start()}.
 */
public final class FlowPlan {
  private static final int DEFAULT_GRANULARITY = 256;

  private final List<Device> devices;
  private @Nullable Source source;
  private @Nullable Sink sink;
  private final List<PlannedStage> stages = new ArrayList<>();
  private Consumer<FlowProgress> listener = progress -> {};
  private Consumer<ChunkPlace> places = place -> {};
  private boolean inPlace;
  private Output output = Output.BYTES;
  private @Nullable Splitter splitter;
  private long headerBytes;
  private long chunkBytes;
  private int depth;
  private int granularity;

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
   * Adds a stage: work on each chunk, the same for all devices. Without a stage, the bytes pass
   * through the device unchanged; of several, each reads what the one before it has written.
   *
   * @param work reads {@code chunk.in()} and writes all of {@code chunk.out()}, which has as many
   *     bytes, or those of a {@linkplain #collect result} after the last stage
   * @return this
   */
  public FlowPlan through(Stage work) {
    Objects.requireNonNull(work, "stage");
    return throughEach(device -> work);
  }

  /**
   * Adds a stage that makes more or fewer bytes of a chunk, as many as it finds: one that filters,
   * decodes or compresses. What leaves the last stage follows each other in the sink, in the order
   * of the chunks; {@link #onPlaced} tells where. Of a chunk of which a stage leaves nothing, later
   * stages and results see nothing.
   *
   * @param work reads {@code chunk.in()}, writes the beginning of {@code chunk.out()}, and says how
   *     many bytes of it
   * @param most how many bytes it makes at most of a chunk of so many; must not decrease as they
   *     grow
   * @return this
   */
  public FlowPlan through(ResizingStage work, LongUnaryOperator most) {
    Objects.requireNonNull(work, "stage");
    return throughEach(device -> work, most);
  }

  /**
   * Adds a stage, with an object of its own for each device: for stages that hold something on the
   * device, such as tables in its memory or prepared launches. The program itself closes what the
   * stages hold.
   *
   * @param works makes the stage of a device; {@link #start()} calls it once for each device, in
   *     their order in the plan
   * @return this
   */
  public FlowPlan throughEach(Function<? super Device, ? extends Stage> works) {
    stages.add(new PlannedStage(Objects.requireNonNull(works, "stages"), null, false));
    return this;
  }

  /**
   * Adds a stage that makes more or fewer bytes of a chunk, with an object of its own for each
   * device.
   *
   * @param works makes the stage of a device; {@link #start()} calls it once for each device, in
   *     their order in the plan
   * @param most how many bytes it makes at most of a chunk of so many; must not decrease as they
   *     grow
   * @return this
   */
  public FlowPlan throughEach(
      Function<? super Device, ? extends ResizingStage> works, LongUnaryOperator most) {
    stages.add(
        new PlannedStage(
            Objects.requireNonNull(works, "stages"), Objects.requireNonNull(most, "most"), false));
    return this;
  }

  /**
   * Makes the stage that was added last work on one chunk after the other, in their order, on a
   * stream of its own for each device: for a stage that carries something from chunk to chunk, such
   * as a running sum. Stages before and after it still work on other chunks meanwhile. With several
   * devices, each has the chunks that were assigned to it, in order.
   *
   * @return this
   * @throws IllegalStateException if there is no stage
   */
  public FlowPlan inOrder() {
    if (stages.isEmpty()) {
      throw new IllegalStateException("inOrder() is about the stage before it: call through first");
    }
    stages.set(stages.size() - 1, stages.getLast().inOrder());
    return this;
  }

  /**
   * Says that the source begins with a header, which no stage sees: it goes to the sink as it is,
   * unless {@link #collect results} go there, or nothing. Chunks begin behind it, so with a
   * {@linkplain #granularity granularity} of a row's bytes no chunk cuts a row.
   *
   * @param bytes of the header, 0 to 1 GiB
   * @return this
   * @throws IllegalArgumentException if it is negative or more
   */
  public FlowPlan header(long bytes) {
    if (bytes < 0 || bytes > 1 << 30) {
      throw new IllegalArgumentException(
          "a header of %d bytes: must be 0 to 1 GiB".formatted(bytes));
    }
    headerBytes = bytes;
    return this;
  }

  /**
   * Makes chunks end where records end, such as lines, so that none is cut. Chunks then have at
   * most the size of a chunk, each another one. Of a file or a segment, only the ends of chunks are
   * read for that; other sources are read one chunk after the other.
   *
   * @param records finds where they end
   * @return this
   */
  public FlowPlan split(Splitter records) {
    splitter = Objects.requireNonNull(records, "records");
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
    output = Output.BYTES;
    return this;
  }

  /**
   * Leaves everything on the device: nothing is copied out, and {@code chunk.out()} of the last
   * stage is {@code chunk.in()}. The stage keeps what it computes in memory of its own; chunks of
   * one {@link Chunk#slot() slot} follow each other, so a sum for each slot needs no atomic
   * operation.
   *
   * @return this
   */
  public FlowPlan drain() {
    sink = new ResultSink(1, (index, result) -> {});
    output = Output.NOTHING;
    return this;
  }

  /**
   * Copies a result of each chunk out, instead of its bytes, and hands it to the program. {@code
   * chunk.out()} of the last stage has so many bytes then.
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

  /**
   * Makes stages that do not change sizes work in place: {@code chunk.out()} is {@code chunk.in()},
   * which halves the use of device memory.
   *
   * @return this
   */
  public FlowPlan inPlace() {
    inPlace = true;
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
   * a cipher's block. The default is 256 bytes; for {@linkplain Source#zip zipped sources}, a row
   * of all of them.
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
   * Makes the flow tell where each chunk went, if a stage changes sizes: an index of what is in the
   * sink.
   *
   * @param place receives the places, in the order of the chunks and before they are written, on
   *     the flow's threads; must not block
   * @return this
   */
  public FlowPlan onPlaced(Consumer<ChunkPlace> place) {
    places = Objects.requireNonNull(place, "place");
    return this;
  }

  /**
   * {@return the flow, which is running} Await it or close it. Does not block, except for the short
   * measurement that chooses the size of chunks. Once the plan has been found valid, a failure
   * closes the source and the sink.
   *
   * @throws IllegalStateException if there is no source or no sink; or if results are collected,
   *     and there is no stage or the last one changes sizes
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity, the
   *     source reports fewer than -1 bytes, or a stage makes fewer than 1 byte at most
   * @throws FlowException if the program's source, sink or stages throw a checked exception; or if
   *     the sink is a file, and its disk has no room for what the flow will write
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
    requireResults();
    Source from = source;
    Sink to = sink;
    try {
      return beginning(from, to).flow();
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
    long grain = grain();
    if (chunkBytes % grain != 0) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes are not a multiple of the granularity, " + grain);
    }
    if (!(source instanceof ZippedSource zipped)) {
      return;
    }
    if (grain % zipped.rowBytes() != 0) {
      throw new IllegalArgumentException(
          "a granularity of %d bytes is no multiple of a row of all zipped sources, %d bytes"
              .formatted(grain, zipped.rowBytes()));
    }
    if (headerBytes > 0 || splitter != null) {
      throw new IllegalStateException(
          "zipped sources have neither a header nor records of their own: skip headers by"
              + " Source.file(path, position)");
    }
  }

  private int grain() {
    if (granularity > 0) {
      return granularity;
    }
    return source instanceof ZippedSource zipped
        ? Math.toIntExact(zipped.rowBytes())
        : DEFAULT_GRANULARITY;
  }

  private void requireResults() {
    if (output.isResult() && (stages.isEmpty() || stages.getLast().resizes())) {
      throw new IllegalStateException(
          "results of %d bytes are collected, but no stage makes them: end with a stage that writes"
                  .formatted(output.resultBytes())
              + " so many, by through(...)");
    }
  }

  private Beginning beginning(Source from, Sink to) {
    return new Beginning(
        devices,
        new Ends(from, to, headerBytes, splitter, listener, places),
        new Passage(List.copyOf(stages), inPlace, output),
        chunkBytes,
        depth,
        grain());
  }
}
