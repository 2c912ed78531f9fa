package dev.stretto.cli;

import dev.stretto.Observer.Kind;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import java.util.List;

/**
 * Which fraction of the time between their first and their last copy the copy engines are busy; 0
 * without copies.
 *
 * @param toDevice of the engine that copies to the device
 * @param toHost of the engine that copies to the host
 */
record Engines(double toDevice, double toHost) {
  /** {@return how busy the engines are in a timeline} */
  static Engines of(List<Span> spans) {
    return new Engines(busy(spans, Kind.HOST_TO_DEVICE), busy(spans, Kind.DEVICE_TO_HOST));
  }

  private static double busy(List<Span> spans, Kind kind) {
    Overlap copies = Overlap.of(spans.stream().filter(span -> span.kind() == kind).toList());
    return copies.seconds() == 0 ? 0 : copies.copySeconds() / copies.seconds();
  }
}
