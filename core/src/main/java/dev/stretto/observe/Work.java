package dev.stretto.observe;

import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was enqueued, as it is reported to observers of a device.
 *
 * @param kind the kind of the operation
 * @param name the name of the kernel, a description of the copy, or the number of nodes of the
 *     graph
 * @param sequence its number in its stream
 * @param bytes how many bytes it moves; 0 for kernels and graphs
 * @param way the way of a copy, or null
 * @param host the host end of a copy, or null
 * @param pinned whether the host end is pinned
 */
public record Work(
    WorkKind kind,
    String name,
    long sequence,
    long bytes,
    @Nullable Way way,
    @Nullable MemorySegment host,
    boolean pinned) {
  /** For an operation that is not a copy. */
  public Work(WorkKind kind, String name, long sequence, long bytes) {
    this(kind, name, sequence, bytes, null, null, false);
  }

  /** For a copy that uses no host memory. */
  public Work(WorkKind kind, String name, long sequence, long bytes, Way way) {
    this(kind, name, sequence, bytes, way, null, false);
  }

  boolean isCopyToOrFromHost() {
    return kind == WorkKind.HOST_TO_DEVICE || kind == WorkKind.DEVICE_TO_HOST;
  }
}
