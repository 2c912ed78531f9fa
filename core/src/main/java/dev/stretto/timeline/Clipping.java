package dev.stretto.timeline;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes spans from the times of two events in a stream, and shifts them so that the first begins
 * at zero. Streams are numbered in the order in which they began to run.
 *
 * <p>Streams and copy engines run one operation after the other, so nothing on them begins before
 * the previous operation ended. The nodes of a graph run beside each other, and only their copy
 * engines tell more.
 */
final class Clipping {
  private static final Comparator<Span> BY_BEGINNING =
      Comparator.comparingLong(Span::startNanos)
          .thenComparingLong(Span::correlation)
          .thenComparingInt(Span::node);

  private final Set<Integer> withOneCopyEngine;
  private final boolean commonClock;
  private final Map<Integer, Long> streamEnds = new HashMap<>();
  private final Map<DeviceEngine, Long> engineEnds = new HashMap<>();

  /** What was added to times of the host. */
  private long shift;

  private record DeviceEngine(int device, Engine engine) {}

  /**
   * For the spans of one device, by its own clock. Host times are moved to it by the smallest
   * observed delay between enqueuing and running, since nothing runs before it is enqueued.
   *
   * @param oneCopyEngine whether both directions share a copy engine
   */
  Clipping(boolean oneCopyEngine) {
    this(oneCopyEngine ? Set.of(0) : Set.of(), false);
  }

  /**
   * For spans of any number of devices.
   *
   * @param withOneCopyEngine the devices whose two directions share a copy engine
   * @param commonClock whether all times, those of the host too, are by one clock
   */
  Clipping(Set<Integer> withOneCopyEngine, boolean commonClock) {
    this.withOneCopyEngine = withOneCopyEngine;
    this.commonClock = commonClock;
  }

  /**
   * Clips the spans in place, and returns them in the order in which they began.
   *
   * @param host what threads of the host did, by the host's clock
   */
  List<Span> clip(List<Span> spans, List<Span> host) {
    return clip(spans, host, new BitSet());
  }

  /**
   * The same for spans of which some begin where the one before them ended, or later.
   *
   * @param sharing the numbers of those
   */
  List<Span> clip(List<Span> spans, List<Span> host, BitSet sharing) {
    spans.sort(Comparator.comparingLong(Span::endNanos).thenComparingLong(Span::correlation));
    spans.replaceAll(span -> span.at(span.enqueuedNanos(), startOf(span), span.endNanos()));
    long hostAhead = commonClock ? 0 : smallestDelay(spans, sharing);
    spans.replaceAll(span -> isSharing(span, sharing) ? afterEnqueuing(span, hostAhead) : span);
    long first = spans.stream().mapToLong(Span::startNanos).min().orElse(Long.MAX_VALUE);
    long firstOfHost =
        host.stream().mapToLong(span -> span.startNanos() + hostAhead).min().orElse(first);
    long zero = Math.min(first, firstOfHost);
    shift = hostAhead - zero;
    spans.replaceAll(
        span ->
            span.at(
                // Clocks that were compared may differ by as much as that was uncertain.
                Math.min(span.enqueuedNanos() + hostAhead, span.startNanos()) - zero,
                span.startNanos() - zero,
                span.endNanos() - zero));
    spans.sort(BY_BEGINNING);
    Map<Integer, Integer> numbers = new HashMap<>();
    spans.replaceAll(
        span -> span.on(numbers.computeIfAbsent(span.stream(), stream -> numbers.size() + 1)));
    for (Span span : host) {
      long begin = span.startNanos() + hostAhead - zero;
      spans.add(span.at(begin, begin, span.endNanos() + hostAhead - zero));
    }
    spans.sort(BY_BEGINNING);
    return List.copyOf(spans);
  }

  /** {@return a time by the host's clock as a time of the spans that were clipped} */
  long ofHost(long hostNanos) {
    return hostNanos + shift;
  }

  /**
   * {@return what the clipping has added to times of the host, to make them those of the result; of
   * no account if there was nothing to clip}
   */
  long shift() {
    return shift;
  }

  private static boolean isSharing(Span span, BitSet sharing) {
    return !span.isNode() && sharing.get((int) span.correlation());
  }

  private static Span afterEnqueuing(Span span, long hostAhead) {
    long earliest = Math.min(span.enqueuedNanos() + hostAhead, span.endNanos());
    return span.at(span.enqueuedNanos(), Math.max(span.startNanos(), earliest), span.endNanos());
  }

  private static long smallestDelay(List<Span> spans, BitSet sharing) {
    return spans.stream()
        .filter(span -> !isSharing(span, sharing))
        .mapToLong(span -> span.startNanos() - span.enqueuedNanos())
        .min()
        .orElse(0);
  }

  private long startOf(Span span) {
    long end = span.endNanos();
    long start = span.startNanos();
    if (!span.isNode()) {
      Long streamEnd = streamEnds.put(span.stream(), end);
      start = Math.max(start, streamEnd == null ? Long.MIN_VALUE : streamEnd);
    }
    if (span.engine() == Engine.HOST_TO_DEVICE || span.engine() == Engine.DEVICE_TO_HOST) {
      boolean one = withOneCopyEngine.contains(span.device());
      Long engineEnd =
          engineEnds.put(
              new DeviceEngine(span.device(), one ? Engine.HOST_TO_DEVICE : span.engine()), end);
      start = Math.max(start, engineEnd == null ? Long.MIN_VALUE : engineEnd);
    }
    return Math.min(start, end);
  }
}
