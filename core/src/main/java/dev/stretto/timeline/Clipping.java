package dev.stretto.timeline;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes spans from the times of two events in a stream, and shifts them so that the first begins
 * at zero. Streams are numbered in the order in which they began to run.
 *
 * <p>Streams and copy engines run one operation after the other, so nothing on them begins before
 * the previous operation ended. Host times are moved to the device's clock by the smallest observed
 * delay between enqueuing and running, since nothing runs before it is enqueued.
 */
final class Clipping {
  private final boolean oneCopyEngine;
  private final Map<Integer, Long> streamEnds = new HashMap<>();
  private final Map<Engine, Long> engineEnds = new HashMap<>();

  /**
   * @param oneCopyEngine whether both directions share a copy engine
   */
  Clipping(boolean oneCopyEngine) {
    this.oneCopyEngine = oneCopyEngine;
  }

  /**
   * Clips the spans in place, and returns them in the order in which they began.
   *
   * @param host what threads of the host did, by the host's clock
   */
  List<Span> clip(List<Span> spans, List<Span> host) {
    spans.sort(Comparator.comparingLong(Span::endNanos).thenComparingLong(Span::correlation));
    spans.replaceAll(span -> span.at(span.enqueuedNanos(), startOf(span), span.endNanos()));
    long hostAhead =
        spans.stream().mapToLong(span -> span.startNanos() - span.enqueuedNanos()).min().orElse(0);
    long first = spans.stream().mapToLong(Span::startNanos).min().orElse(Long.MAX_VALUE);
    long firstOfHost =
        host.stream().mapToLong(span -> span.startNanos() + hostAhead).min().orElse(first);
    long zero = Math.min(first, firstOfHost);
    spans.replaceAll(
        span ->
            span.at(
                span.enqueuedNanos() + hostAhead - zero,
                span.startNanos() - zero,
                span.endNanos() - zero));
    spans.sort(Comparator.comparingLong(Span::startNanos).thenComparingLong(Span::correlation));
    Map<Integer, Integer> numbers = new HashMap<>();
    spans.replaceAll(
        span -> span.on(numbers.computeIfAbsent(span.stream(), stream -> numbers.size() + 1)));
    for (Span span : host) {
      long begin = span.startNanos() + hostAhead - zero;
      spans.add(span.at(begin, begin, span.endNanos() + hostAhead - zero));
    }
    spans.sort(Comparator.comparingLong(Span::startNanos).thenComparingLong(Span::correlation));
    return List.copyOf(spans);
  }

  private long startOf(Span span) {
    long end = span.endNanos();
    Long streamEnd = streamEnds.put(span.stream(), end);
    long start = Math.max(span.startNanos(), streamEnd == null ? Long.MIN_VALUE : streamEnd);
    if (span.engine() != Engine.KERNELS) {
      Long engineEnd = engineEnds.put(oneCopyEngine ? Engine.HOST_TO_DEVICE : span.engine(), end);
      start = Math.max(start, engineEnd == null ? Long.MIN_VALUE : engineEnd);
    }
    return Math.min(start, end);
  }
}
