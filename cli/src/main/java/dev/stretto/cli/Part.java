package dev.stretto.cli;

import dev.stretto.Observer;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.FlowTimes;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A part of a flow's work. That which is busy for most of the time bounds all others.
 *
 * @param kind what is done
 * @param threads how many threads do it; 0 if the device does
 * @param bytesPerSecond how fast it is while it is busy
 * @param busy for which fraction of the time it is
 */
record Part(Kind kind, int threads, double bytesPerSecond, double busy) {
  /** What is done. */
  enum Kind {
    READING("reading"),
    COPY_IN("copy in"),
    KERNELS("kernels"),
    COPY_OUT("copy out"),
    WRITING("writing");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** {@return what is done, in words} */
  String name() {
    return kind.words;
  }

  /** {@return what does it} */
  String by() {
    return threads == 0 ? "the device" : threads == 1 ? "1 thread" : threads + " threads";
  }

  /**
   * {@return the parts of a flow, in the order in which a chunk passes them}
   *
   * @param spans what its device did
   * @param link tells how many bytes per second a kind of copy moves alone: a staged copy is under
   *     way while threads read or write what it moves, so its time says nothing of the link
   */
  static List<Part> of(FlowReport flow, List<Span> spans, ToDoubleFunction<Kind> link) {
    FlowTimes times = flow.times();
    double seconds = times.totalNanos() / 1e9;
    List<Part> parts = new ArrayList<>();
    if (times.readNanos() > 0) {
      parts.add(byThreads(Kind.READING, times.readers(), times.readNanos(), flow.bytes(), seconds));
    }
    addEngine(
        parts, Kind.COPY_IN, Observer.Kind.HOST_TO_DEVICE, flow.bytes(), spans, seconds, link);
    addEngine(parts, Kind.KERNELS, Observer.Kind.KERNEL, flow.bytes(), spans, seconds, link);
    addEngine(
        parts, Kind.COPY_OUT, Observer.Kind.DEVICE_TO_HOST, flow.bytes(), spans, seconds, link);
    if (times.writeNanos() > 0) {
      parts.add(
          byThreads(Kind.WRITING, times.writers(), times.writeNanos(), flow.bytes(), seconds));
    }
    return parts;
  }

  /** {@return the part that is busy for most of the time} */
  static Part bound(List<Part> parts) {
    return parts.stream().max(Comparator.comparingDouble(Part::busy)).orElseThrow();
  }

  private static Part byThreads(Kind kind, int threads, long nanos, long bytes, double seconds) {
    double each = nanos / 1e9 / threads;
    return new Part(kind, threads, bytes / each, Math.min(1, each / seconds));
  }

  private static void addEngine(
      List<Part> parts,
      Kind kind,
      Observer.Kind spanKind,
      long bytes,
      List<Span> spans,
      double seconds,
      ToDoubleFunction<Kind> link) {
    List<Span> all = spans.stream().filter(span -> span.kind() == spanKind).toList();
    boolean staged = kind != Kind.KERNELS && all.stream().anyMatch(span -> !span.pinned());
    double rate = staged ? link.applyAsDouble(kind) : 0;
    Overlap its = Overlap.of(all);
    double busy = rate > 0 ? bytes / rate : its.copySeconds() + its.kernelSeconds();
    if (busy > 0) {
      parts.add(new Part(kind, 0, bytes / busy, Math.min(1, busy / seconds)));
    }
  }
}
