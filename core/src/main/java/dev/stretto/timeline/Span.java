package dev.stretto.timeline;

import dev.stretto.Observer;
import dev.stretto.Observer.Kind;
import dev.stretto.driver.LinkTraffic;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An operation of a device, a node of a graph, or work of the host, and when it ran. Times are in
 * nanoseconds by the device's clock, or by a clock that the devices of the timeline share; zero is
 * the beginning of the first operation of the timeline.
 *
 * @param kind the kind of operation
 * @param name the kernel's name, the source and destination of a copy, or the number of nodes of a
 *     graph
 * @param device the number of the device in its timeline; 0 is the first, and the only one in a
 *     timeline of one device
 * @param deviceName the {@linkplain dev.stretto.Device#name() name} of the device whose stream it
 *     was enqueued on, or for which the host worked; empty in a span that was made without one
 * @param stream the number of the stream that it was enqueued on; 1 is the one that ran first, 0 is
 *     none, for work of the host. Streams of several devices are numbered together.
 * @param streamName the stream's name in a picture: the name from the program ({@link
 *     dev.stretto.Device#stream(String)}), the name of a default or adopted stream, or {@code
 *     stream 1} by its number
 * @param correlation its number in the timeline, in the order of enqueuing; 1 is the first. A node
 *     has that of its launch.
 * @param node for a node of a graph, its {@linkplain dev.stretto.GraphNode#index() index}; else
 *     {@link #NO_NODE}
 * @param from the name of the device that sends, for a copy between two devices; else empty
 * @param to the name of the device that receives, for a copy between two devices; else empty
 * @param bytes how many it moves; 0 for kernels and graphs
 * @param pinned whether the host end, if there is one, is pinned
 * @param enqueuedNanos when the host enqueued it, which may be before zero. The clocks of host and
 *     device are aligned as closely as can be observed: no operation of the timeline runs before it
 *     is enqueued, and, in a timeline of one device, at least one runs immediately.
 * @param startNanos when it began to run
 * @param endNanos when it was done
 * @param traffic what a launch of a kernel moved over the link at most, because arguments of it are
 *     views of host memory; {@link LinkTraffic#NONE} for everything else, also for graphs
 * @param detail the line of the program, the route, and the shape of a launch, as far as they are
 *     known
 */
public record Span(
    Kind kind,
    String name,
    int device,
    String deviceName,
    int stream,
    String streamName,
    long correlation,
    int node,
    String from,
    String to,
    long bytes,
    boolean pinned,
    long enqueuedNanos,
    long startNanos,
    long endNanos,
    LinkTraffic traffic,
    Detail detail) {
  /** The index of what is no node of a graph. */
  public static final int NO_NODE = -1;

  /** The number of no stream. */
  static final int HOST = 0;

  /** Refuses null. */
  public Span {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(deviceName, "deviceName");
    Objects.requireNonNull(streamName, "streamName");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(traffic, "traffic");
    Objects.requireNonNull(detail, "detail");
  }

  /**
   * An operation of the only device of a timeline.
   *
   * @param kind the kind of operation
   * @param name the kernel's name, what is copied, or the number of nodes of a graph
   * @param stream the number of the stream
   * @param streamName the stream's name in a picture
   * @param correlation its number in the timeline
   * @param bytes how many it moves
   * @param pinned whether the host end, if there is one, is pinned
   * @param enqueuedNanos when the host enqueued it
   * @param startNanos when it began to run
   * @param endNanos when it was done
   */
  public Span(
      Kind kind,
      String name,
      int stream,
      String streamName,
      long correlation,
      long bytes,
      boolean pinned,
      long enqueuedNanos,
      long startNanos,
      long endNanos) {
    this(
        kind,
        name,
        0,
        "",
        stream,
        streamName,
        correlation,
        NO_NODE,
        "",
        "",
        bytes,
        pinned,
        enqueuedNanos,
        startNanos,
        endNanos,
        LinkTraffic.NONE,
        Detail.NONE);
  }

  /**
   * An operation on a stream without a name.
   *
   * @param kind the kind of operation
   * @param name the kernel's name, what is copied, or the number of nodes of a graph
   * @param stream the number of the stream
   * @param correlation its number in the timeline
   * @param bytes how many it moves
   * @param pinned whether the host end, if there is one, is pinned
   * @param enqueuedNanos when the host enqueued it
   * @param startNanos when it began to run
   * @param endNanos when it was done
   */
  public Span(
      Kind kind,
      String name,
      int stream,
      long correlation,
      long bytes,
      boolean pinned,
      long enqueuedNanos,
      long startNanos,
      long endNanos) {
    this(
        kind,
        name,
        stream,
        byNumber(stream),
        correlation,
        bytes,
        pinned,
        enqueuedNanos,
        startNanos,
        endNanos);
  }

  /** {@return the name of a stream that has none} */
  static String byNumber(int stream) {
    return "stream " + stream;
  }

  static void requireEach(List<Span> spans) {
    Objects.requireNonNull(spans, "spans");
    for (Span span : spans) {
      Objects.requireNonNull(span, "an element of spans");
    }
  }

  static Span ofHost(Observer.HostWork work, int device, String deviceName) {
    return new Span(
        work.kind(),
        work.name(),
        device,
        deviceName,
        HOST,
        "host",
        0,
        NO_NODE,
        "",
        "",
        work.bytes(),
        false,
        work.beginNanos(),
        work.beginNanos(),
        work.endNanos(),
        LinkTraffic.NONE,
        Detail.NONE);
  }

  /**
   * {@return the spans that occupy engines: all but the launches of graphs whose nodes are among
   * the spans}
   */
  static List<Span> onEngines(List<Span> spans) {
    Set<Long> known =
        spans.stream().filter(Span::isNode).map(Span::correlation).collect(Collectors.toSet());
    return known.isEmpty()
        ? spans
        : spans.stream()
            .filter(span -> span.isNode() || !known.contains(span.correlation) || span.isOfHost())
            .toList();
  }

  /** {@return whether a thread of the host did it} */
  public boolean isOfHost() {
    return engine().isHost();
  }

  /**
   * {@return whether it is a node of a graph} The launch of the graph is a span, too, with the same
   * {@linkplain #correlation number}.
   */
  public boolean isNode() {
    return node != NO_NODE;
  }

  /** {@return the engine that it occupies} */
  public Engine engine() {
    return Engine.of(kind);
  }

  /** {@return how long it ran, in nanoseconds} */
  public long nanos() {
    return endNanos - startNanos;
  }

  /**
   * {@return the bytes that it moved per second; 0 for kernels and for operations that took no
   * time}
   */
  public double bytesPerSecond() {
    return nanos() == 0 ? 0 : bytes * 1e9 / nanos();
  }

  /** {@return whether it is a copy that has one of its ends on a device of this name} */
  boolean reaches(String name) {
    return !name.isEmpty() && (from.equals(name) || to.equals(name));
  }

  Span at(long newEnqueued, long newStart, long newEnd) {
    return with(stream, streamName, newEnqueued, newStart, newEnd);
  }

  /** The same span with another stream number, which also names a stream that has no name. */
  Span on(int newStream) {
    String named = streamName.equals(byNumber(stream)) ? byNumber(newStream) : streamName;
    return with(newStream, named, enqueuedNanos, startNanos, endNanos);
  }

  private Span with(
      int newStream, String newStreamName, long newEnqueued, long newStart, long newEnd) {
    return new Span(
        kind,
        name,
        device,
        deviceName,
        newStream,
        newStreamName,
        correlation,
        node,
        from,
        to,
        bytes,
        pinned,
        newEnqueued,
        newStart,
        newEnd,
        traffic,
        detail);
  }
}
