package dev.stretto;

import dev.stretto.observe.WorkKind;

/**
 * Receives every operation of a device's streams. It is called on the thread that enqueues and must
 * not block. The two events of an operation belong to the observer, which closes them after reading
 * them.
 */
@FunctionalInterface
public interface Observer {
  /** The kind of an operation. */
  enum Kind {
    /** A copy from host memory to the device. */
    HOST_TO_DEVICE,
    /** A copy from the device to host memory. */
    DEVICE_TO_HOST,
    /** A copy within the device. */
    DEVICE_TO_DEVICE,
    /** A fill. */
    FILL,
    /** A kernel. */
    KERNEL,
    /** A launch of a graph, which counts as one operation. */
    GRAPH;

    static Kind of(WorkKind kind) {
      return valueOf(kind.name());
    }
  }

  /**
   * Called when an operation was enqueued.
   *
   * @param operation the operation, its stream and its times
   */
  void enqueued(Observed operation);

  /**
   * Called when an operation was enqueued but its end could not be marked, so that its times are
   * unknown. The operation itself is not affected.
   *
   * @param stream where it was enqueued
   * @param kind the kind of the operation
   * @param cause the exception that refused the mark
   */
  default void missed(Stream stream, Kind kind, RuntimeException cause) {}

  /**
   * An operation as it is reported.
   *
   * @param kind the kind of the operation
   * @param name the name of the kernel, a description of the copy, or the number of nodes of the
   *     graph
   * @param stream where it was enqueued
   * @param bytes how many bytes it moves; 0 for kernels and graphs
   * @param pinned whether the host end, if there is one, is pinned
   * @param begin an event that happens when everything before the operation on its stream is done
   * @param end an event that happens when the operation is done
   * @param hostNanos the time when it was enqueued, by {@link System#nanoTime()}
   */
  record Observed(
      Kind kind,
      String name,
      Stream stream,
      long bytes,
      boolean pinned,
      TimedEvent begin,
      TimedEvent end,
      long hostNanos) {}
}
