package dev.stretto.cli;

import dev.stretto.Observer.Kind;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.FlowTimes;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A part of a flow's work. That which is busy for most of the time bounds all others.
 *
 * @param name what is done
 * @param by what does it
 * @param bytesPerSecond how fast it is while it is busy
 * @param busy for which fraction of the time it is
 */
record Part(String name, String by, double bytesPerSecond, double busy) {
  /**
   * {@return the parts of a flow, in the order in which a chunk passes them}
   *
   * @param spans what its device did
   */
  static List<Part> of(FlowReport flow, List<Span> spans) {
    FlowTimes times = flow.times();
    double seconds = times.totalNanos() / 1e9;
    List<Part> parts = new ArrayList<>();
    if (times.readNanos() > 0) {
      parts.add(byThreads("reading", times.readers(), times.readNanos(), flow.bytes(), seconds));
    }
    addEngine(parts, "copy in", Kind.HOST_TO_DEVICE, flow.bytes(), spans, seconds);
    addEngine(parts, "kernels", Kind.KERNEL, flow.bytes(), spans, seconds);
    addEngine(parts, "copy out", Kind.DEVICE_TO_HOST, flow.bytes(), spans, seconds);
    if (times.writeNanos() > 0) {
      parts.add(byThreads("writing", times.writers(), times.writeNanos(), flow.bytes(), seconds));
    }
    return parts;
  }

  /** {@return the part that is busy for most of the time} */
  static Part bound(List<Part> parts) {
    return parts.stream().max(Comparator.comparingDouble(Part::busy)).orElseThrow();
  }

  private static Part byThreads(String name, int threads, long nanos, long bytes, double seconds) {
    double each = nanos / 1e9 / threads;
    String by = threads == 1 ? "1 thread" : threads + " threads";
    return new Part(name, by, bytes / each, Math.min(1, each / seconds));
  }

  private static void addEngine(
      List<Part> parts, String name, Kind kind, long bytes, List<Span> spans, double seconds) {
    Overlap its = Overlap.of(spans.stream().filter(span -> span.kind() == kind).toList());
    double busy = its.copySeconds() + its.kernelSeconds();
    if (busy > 0) {
      parts.add(new Part(name, "the device", bytes / busy, Math.min(1, busy / seconds)));
    }
  }
}
