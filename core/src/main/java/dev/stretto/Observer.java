package dev.stretto;

import dev.stretto.observe.WorkKind;

/**
 * Is told of every operation of a device's streams. Called on the thread that enqueues; must not
 * block. The two events of an operation are the observer's, which closes them when it has read
 * them.
 */
@FunctionalInterface
public interface Observer {
  /** What an operation does. */
  enum Kind {
    /** Host memory to the device. */
    HOST_TO_DEVICE,
    /** The device to host memory. */
    DEVICE_TO_HOST,
    /** Within the device. */
    DEVICE_TO_DEVICE,
    /** A fill. */
    FILL,
    /** A kernel. */
    KERNEL,
    /** A launch of a graph: all that it does is one operation. */
    GRAPH;

    static Kind of(WorkKind kind) {
      return valueOf(kind.name());
    }
  }

  /**
   * An operation was enqueued.
   *
   * @param operation what, where, and when
   */
  void enqueued(Observed operation);

  /**
   * An operation was enqueued, but its end could not be marked, so that its times are not known.
   * The operation itself goes on as ever.
   *
   * @param stream where it was enqueued
   * @param kind what it does
   * @param cause why the mark was refused
   */
  default void missed(Stream stream, Kind kind, RuntimeException cause) {}

  /**
   * An operation as it is told.
   *
   * @param kind what it does
   * @param name the kernel's name, what is copied, or of how many nodes a graph is
   * @param stream where it was enqueued
   * @param bytes how many it moves; 0 for kernels and graphs
   * @param pinned whether the host end, if there is one, is pinned
   * @param begin happens when everything before it in its stream is done
   * @param end happens when it is done
   * @param hostNanos when it was enqueued, by {@link System#nanoTime()}
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
