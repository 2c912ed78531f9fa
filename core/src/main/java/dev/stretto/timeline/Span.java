package dev.stretto.timeline;

import dev.stretto.Observer;
import dev.stretto.Observer.Kind;
import java.util.List;
import java.util.Objects;

/**
 * An operation of a device, or work of the host for it, and when it ran. Times are in nanoseconds
 * by the device's clock; zero is the beginning of the first operation of the timeline.
 *
 * @param kind the kind of operation
 * @param name the kernel's name, the source and destination of a copy, or the number of nodes of a
 *     graph
 * @param stream the number of the stream that it was enqueued on; 1 is the one that ran first, 0 is
 *     none, for work of the host
 * @param streamName the stream's name in a picture: the name from the program ({@link
 *     dev.stretto.Device#stream(String)}), the name of a default or adopted stream, or {@code
 *     stream 1} by its number
 * @param correlation its number in the timeline, in the order of enqueuing; 1 is the first
 * @param bytes how many it moves; 0 for kernels and graphs
 * @param pinned whether the host end, if there is one, is pinned
 * @param enqueuedNanos when the host enqueued it, which may be before zero. The clocks of host and
 *     device are aligned as closely as can be observed: no operation of the timeline runs before it
 *     is enqueued, and at least one runs immediately.
 * @param startNanos when it began to run
 * @param endNanos when it was done
 */
public record Span(
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
  /** The number of no stream. */
  static final int HOST = 0;

  /** Refuses null. */
  public Span {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(streamName, "streamName");
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

  static Span ofHost(Observer.HostWork work) {
    return new Span(
        work.kind(),
        work.name(),
        HOST,
        "host",
        0,
        work.bytes(),
        false,
        work.beginNanos(),
        work.beginNanos(),
        work.endNanos());
  }

  /** {@return whether a thread of the host did it} */
  public boolean isOfHost() {
    return engine().isHost();
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

  Span at(long newEnqueued, long newStart, long newEnd) {
    if (newEnqueued == enqueuedNanos && newStart == startNanos && newEnd == endNanos) {
      return this;
    }
    return new Span(
        kind, name, stream, streamName, correlation, bytes, pinned, newEnqueued, newStart, newEnd);
  }

  /** The same span with another stream number, which also names a stream that has no name. */
  Span on(int newStream) {
    if (newStream == stream) {
      return this;
    }
    return new Span(
        kind,
        name,
        newStream,
        streamName.equals(byNumber(stream)) ? byNumber(newStream) : streamName,
        correlation,
        bytes,
        pinned,
        enqueuedNanos,
        startNanos,
        endNanos);
  }
}
