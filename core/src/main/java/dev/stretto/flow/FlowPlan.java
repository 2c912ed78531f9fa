package dev.stretto.flow;

import dev.stretto.Device;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a flow is to do. Made by {@link Flow#on}; a source, a sink and usually a stage have to be
 * named before {@link #start()}.
 */
public final class FlowPlan {
  private final Device device;
  private @Nullable Source source;
  private @Nullable Sink sink;
  private Stage stage = (stream, chunk) -> {};
  private Consumer<FlowProgress> listener = progress -> {};
  private boolean inPlace = true;
  private boolean stageNamed;
  private long chunkBytes;
  private int depth;
  private int granularity = 256;

  FlowPlan(Device device) {
    this.device = device;
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
   * Sets what is done with each chunk. Without a stage, the bytes pass the device unchanged.
   *
   * @param work reads {@code chunk.in()} and writes all of {@code chunk.out()}
   * @return this
   */
  public FlowPlan through(Stage work) {
    stage = Objects.requireNonNull(work, "stage");
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
   * Sets how large a chunk is. Otherwise a short measurement decides.
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
   * Sets how many chunks are under way at a time. Otherwise it follows from the source, the sink
   * and the memory.
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
   * {@return the flow, which is running} Does not block, but for the short measurement that chooses
   * the size of chunks.
   *
   * @throws IllegalStateException if there is no source or no sink
   * @throws IllegalArgumentException if the chunk size is not a multiple of the granularity
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if not even one chunk fits into the
   *     device's memory
   * @throws dev.stretto.fault.PinnedBudgetException if not even one chunk fits into the budget of
   *     pinned memory
   */
  public Flow start() {
    if (source == null || sink == null) {
      throw new IllegalStateException(
          "a flow needs a source and a sink: name both before it is started");
    }
    if (chunkBytes % granularity != 0) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes are no multiple of the granularity, " + granularity);
    }
    Source from = source;
    Sink to = sink;
    try {
      Sizing sizing = Sizing.of(device, from, to, chunkBytes, depth, granularity, inPlace);
      Flow flow = new Flow(device, from, to, stage, listener, inPlace, sizing);
      flow.begin();
      return flow;
    } catch (RuntimeException e) {
      Flow.closeQuietly(from, e);
      Flow.closeQuietly(to, e);
      throw e;
    }
  }
}
