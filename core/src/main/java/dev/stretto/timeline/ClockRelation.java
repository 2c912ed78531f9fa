package dev.stretto.timeline;

import org.jspecify.annotations.Nullable;

/**
 * How a device's clock relates to the host's, as far as comparisons of the two have shown. Between
 * the first comparison and the last, the clocks are assumed to drift evenly. Before and after, the
 * same drift is assumed if it is known well enough, and none otherwise.
 */
final class ClockRelation {
  /** How wrong a drift may be that is assumed before the first comparison and after the last. */
  private static final double DRIFT_ERROR = 1e-5;

  /**
   * A comparison of the two clocks.
   *
   * @param device a time by the device's clock
   * @param host the same time by the host's clock
   * @param uncertainty by how much the host's time may be wrong at most
   */
  record Sample(double device, double host, double uncertainty) {}

  private @Nullable Sample first;
  private @Nullable Sample last;

  synchronized void add(Sample sample) {
    first = first == null ? sample : first;
    last = sample;
  }

  /** {@return a time of the device by the host's clock; the same if nothing was compared} */
  synchronized double hostNanos(double deviceNanos) {
    Sample from = first;
    Sample to = last;
    if (from == null || to == null) {
      return deviceNanos;
    }
    double between = to.device - from.device;
    double rate = between > 0 ? (to.host - from.host) / between : 1;
    boolean isBetween = deviceNanos >= from.device && deviceNanos <= to.device;
    boolean isKnown = from.uncertainty + to.uncertainty < between * DRIFT_ERROR;
    Sample near = deviceNanos <= to.device ? from : to;
    return near.host + (deviceNanos - near.device) * (isBetween || isKnown ? rate : 1);
  }

  /** {@return by how many nanoseconds a time may be wrong at most} */
  synchronized double uncertaintyNanos() {
    Sample from = first;
    Sample to = last;
    return from == null || to == null ? 0 : Math.max(from.uncertainty, to.uncertainty);
  }
}
