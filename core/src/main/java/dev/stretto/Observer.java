package dev.stretto;

import dev.stretto.observe.WorkKind;
import java.util.Objects;

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
    GRAPH,
    /** A thread of the host read bytes for the device, of a file or of a flow's source. */
    READ,
    /** A thread of the host wrote bytes of the device, to a file or to a flow's sink. */
    WRITE;

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
   * Called when a thread of the host has read or written bytes for copies, on that thread.
   *
   * @param work what it did, and when
   */
  default void worked(HostWork work) {}

  /**
   * What a thread of the host did for copies.
   *
   * @param kind {@link Kind#READ} or {@link Kind#WRITE}
   * @param name what it read or wrote
   * @param bytes how many
   * @param beginNanos when it began; by {@link System#nanoTime()}, or on a virtual device in the
   *     modelled time of the thread
   * @param endNanos when it ended
   */
  record HostWork(Kind kind, String name, long bytes, long beginNanos, long endNanos) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the kind is one of a device's operations, the bytes are
     *     negative, or it ends before it begins
     */
    public HostWork {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(name, "name");
      if (kind != Kind.READ && kind != Kind.WRITE) {
        throw new IllegalArgumentException("work of the host is READ or WRITE, not " + kind);
      }
      if (bytes < 0 || endNanos < beginNanos) {
        throw new IllegalArgumentException(
            "%d bytes from %d to %d ns: must be 0 or more, and end after the beginning"
                .formatted(bytes, beginNanos, endNanos));
      }
    }
  }

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
