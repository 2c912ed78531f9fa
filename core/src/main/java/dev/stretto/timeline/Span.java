package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import java.util.List;
import java.util.Objects;

/**
 * One operation of a device, and when it ran. Times are in nanoseconds by the device's clock; zero
 * is the beginning of the first operation of the timeline.
 *
 * @param kind what it does
 * @param name the kernel's name, what is copied from where to where, or of how many nodes a graph
 *     is
 * @param stream the number of the stream that it was enqueued on; 1 is the one that ran first
 * @param correlation its number in the timeline, in the order of enqueuing; 1 is the first
 * @param bytes how many it moves; 0 for kernels and graphs
 * @param pinned whether the host end, if there is one, is pinned
 * @param enqueuedNanos when the host enqueued it, which may be before zero. The clocks of host and
 *     device are aligned as closely as can be told from outside: no operation of the timeline runs
 *     before it is enqueued, and at least one runs at once.
 * @param startNanos when it began to run
 * @param endNanos when it was done
 */
public record Span(
    Kind kind,
    String name,
    int stream,
    long correlation,
    long bytes,
    boolean pinned,
    long enqueuedNanos,
    long startNanos,
    long endNanos) {
  /** Refuses null. */
  public Span {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
  }

  static void requireEach(List<Span> spans) {
    Objects.requireNonNull(spans, "spans");
    for (Span span : spans) {
      Objects.requireNonNull(span, "an element of spans");
    }
  }

  /** {@return the part of the device that it occupies} */
  public Engine engine() {
    return Engine.of(kind);
  }

  /** {@return what a row of a timeline is called that shows its stream} */
  public String streamName() {
    return "stream " + stream;
  }

  /** {@return how long it ran, in nanoseconds} */
  public long nanos() {
    return endNanos - startNanos;
  }

  /** {@return the bytes that it moved per second, or 0 for kernels and for what took no time} */
  public double bytesPerSecond() {
    return nanos() == 0 ? 0 : bytes * 1e9 / nanos();
  }

  Span at(long newEnqueued, long newStart, long newEnd) {
    if (newEnqueued == enqueuedNanos && newStart == startNanos && newEnd == endNanos) {
      return this;
    }
    return new Span(kind, name, stream, correlation, bytes, pinned, newEnqueued, newStart, newEnd);
  }

  Span on(int newStream) {
    return newStream == stream
        ? this
        : new Span(
            kind, name, newStream, correlation, bytes, pinned, enqueuedNanos, startNanos, endNanos);
  }
}
