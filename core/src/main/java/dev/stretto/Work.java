package dev.stretto;

import dev.stretto.Observer.Kind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was enqueued, as those are told who observe a device.
 *
 * @param kind what it does
 * @param name the kernel's name, what is copied, or of how many nodes a graph is
 * @param sequence its number in its stream
 * @param bytes how many it moves; 0 for kernels and graphs
 * @param route the way of a copy, or null
 * @param host the host end of a copy, or null
 * @param pinned whether that is pinned
 */
record Work(
    Kind kind,
    String name,
    long sequence,
    long bytes,
    Route.@Nullable Kind route,
    @Nullable MemorySegment host,
    boolean pinned) {
  Work(Kind kind, String name, long sequence, long bytes) {
    this(kind, name, sequence, bytes, null, null, false);
  }

  Work(Kind kind, String name, Copy copy, long bytes) {
    this(kind, name, copy.sequence(), bytes, copy.route().kind(), null, false);
  }

  boolean isCopyToOrFromHost() {
    return kind == Kind.HOST_TO_DEVICE || kind == Kind.DEVICE_TO_HOST;
  }
}
