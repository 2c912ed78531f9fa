package dev.stretto;

import dev.stretto.driver.LinkTraffic;
import dev.stretto.observe.WorkKind;
import java.util.List;
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
    /** A copy between two devices. */
    PEER,
    /** A fill. */
    FILL,
    /** A kernel. */
    KERNEL,
    /**
     * A launch of a graph, which counts as one operation; inside of one, a node that runs other
     * nodes, depending on a value.
     */
    GRAPH,
    /** A stream writes a number to memory: {@code stream.writeValue}. */
    WRITE_VALUE,
    /** A stream waits until a number in memory has come: {@code stream.waitValue}. */
    WAIT_VALUE,
    /**
     * A stream waits for an event of another process ({@code stream.waitFor} with an {@link
     * IpcEvent}); inside of a graph, a node that waits for a {@link GraphEvent}.
     */
    WAIT_EVENT,
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
   * {@return whether it wants to know when the nodes of a graph ran} Asked at every launch of a
   * graph, on the thread that launches. If so, the launch is made with a graph of the driver's own
   * that does the same work, once, and records an event after each node. That graph is made for
   * this launch, which costs the host time for each node, and the events cost the device some time
   * between two nodes (CUDA Driver API, {@code cuGraphAddEventRecordNode}). By default it does not
   * want to know.
   */
  default boolean looksInsideGraphs() {
    return false;
  }

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
   * @param from the name of the device that sends, for a copy between two devices, or empty
   * @param to the name of the device that receives, or empty
   * @param nodes when the nodes of a graph run, if the observer {@linkplain #looksInsideGraphs
   *     wants} to know; nodes on the host, records, and nodes that do nothing are left out
   * @param traffic what a launch of a kernel moves over the link, because arguments of it are views
   *     of host memory; {@link LinkTraffic#NONE} for everything else, also for graphs
   */
  record Observed(
      Kind kind,
      String name,
      Stream stream,
      long bytes,
      boolean pinned,
      TimedEvent begin,
      TimedEvent end,
      long hostNanos,
      String from,
      String to,
      List<ObservedNode> nodes,
      LinkTraffic traffic) {
    /** Refuses null, and keeps an immutable copy of the list. */
    public Observed {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(stream, "stream");
      Objects.requireNonNull(begin, "begin");
      Objects.requireNonNull(end, "end");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(nodes, "nodes");
      nodes.forEach(node -> Objects.requireNonNull(node, "an element of nodes"));
      nodes = List.copyOf(nodes);
      Objects.requireNonNull(traffic, "traffic");
    }

    /**
     * An operation that is neither a copy between devices, nor a graph whose nodes are known, nor a
     * launch with views.
     *
     * @param kind the kind of the operation
     * @param name the name of the kernel, or a description of the copy
     * @param stream where it was enqueued
     * @param bytes how many bytes it moves
     * @param pinned whether the host end, if there is one, is pinned
     * @param begin an event that happens when everything before it is done
     * @param end an event that happens when it is done
     * @param hostNanos the time when it was enqueued
     */
    public Observed(
        Kind kind,
        String name,
        Stream stream,
        long bytes,
        boolean pinned,
        TimedEvent begin,
        TimedEvent end,
        long hostNanos) {
      this(
          kind,
          name,
          stream,
          bytes,
          pinned,
          begin,
          end,
          hostNanos,
          "",
          "",
          List.of(),
          LinkTraffic.NONE);
    }
  }

  /**
   * A node of a graph, in one launch. Its events belong to the observer, too. Several nodes may
   * have an event in common, which may be closed several times.
   *
   * @param kind the kind of its operation
   * @param name the name of the kernel, or a description of the copy
   * @param index its {@linkplain GraphNode#index() index}; that of the node that contains it, if it
   *     is part of a child graph
   * @param bytes how many bytes it moves; 0 for kernels
   * @param from the name of the device that sends, for a copy between two devices, or empty
   * @param to the name of the device that receives, or empty
   * @param after it begins when all of these have happened
   * @param end an event that happens when it is done
   */
  record ObservedNode(
      Kind kind,
      String name,
      int index,
      long bytes,
      String from,
      String to,
      List<TimedEvent> after,
      TimedEvent end) {
    /** Refuses null, and keeps an immutable copy of the list. */
    public ObservedNode {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(after, "after");
      after.forEach(event -> Objects.requireNonNull(event, "an element of after"));
      after = List.copyOf(after);
      Objects.requireNonNull(end, "end");
    }
  }
}
