package dev.stretto.observe;

import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was enqueued, as those are told who observe a device.
 *
 * @param kind what it does
 * @param name the kernel's name, what is copied, or of how many nodes a graph is
 * @param sequence its number in its stream
 * @param bytes how many it moves; 0 for kernels and graphs
 * @param way the way of a copy, or null
 * @param host the host end of a copy, or null
 * @param pinned whether that is pinned
 */
public record Work(
    WorkKind kind,
    String name,
    long sequence,
    long bytes,
    @Nullable Way way,
    @Nullable MemorySegment host,
    boolean pinned) {
  /** Of an operation that is no copy. */
  public Work(WorkKind kind, String name, long sequence, long bytes) {
    this(kind, name, sequence, bytes, null, null, false);
  }

  /** Of a copy that touches no host memory. */
  public Work(WorkKind kind, String name, long sequence, long bytes, Way way) {
    this(kind, name, sequence, bytes, way, null, false);
  }

  boolean isCopyToOrFromHost() {
    return kind == WorkKind.HOST_TO_DEVICE || kind == WorkKind.DEVICE_TO_HOST;
  }
}
