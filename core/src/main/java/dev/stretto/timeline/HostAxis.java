package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.route.Loss;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the clock of a device with a clock of its own relates to the host's. An event is recorded on
 * a stream that does nothing else, and the host looks at its own clock before, and again as soon as
 * it sees that the event has happened. So the event happened between the two, and the middle is
 * wrong by at most half of that time. The narrowest of several tries counts. Clocks drift, so this
 * is done once when the recording begins, and again whenever times are asked for; times between the
 * two are interpolated.
 */
final class HostAxis implements AutoCloseable {
  private static final int TRIES = 16;

  /** How long the host looks at an event without a pause; usually it takes some microseconds. */
  private static final long SPIN_NANOS = 5_000_000;

  /** How wrong a drift may be that is assumed before the first comparison and after the last. */
  private static final double DRIFT_ERROR = 1e-5;

  /**
   * A comparison of the two clocks.
   *
   * @param device a time by the device's clock
   * @param host the same time by {@link System#nanoTime()}
   * @param uncertainty by how much the host's time may be wrong at most
   */
  private record Sample(double device, double host, double uncertainty) {}

  private final Stream probe;
  private @Nullable Sample first;
  private @Nullable Sample last;

  HostAxis(Device device) {
    this.probe = device.stream();
  }

  /**
   * Compares the clocks once more.
   *
   * @param clock tells when an event happened by the device's clock, and closes it
   */
  void compare(ToDoubleFunction<TimedEvent> clock) {
    Sample best = null;
    try {
      for (int i = 0; i < TRIES; i++) {
        Sample sample = sample(clock);
        if (best == null || sample.uncertainty < best.uncertainty) {
          best = sample;
        }
      }
    } catch (RuntimeException e) {
      Loss.kept(e); // the device was lost or closed, which whoever uses it learns by itself
    }
    if (best != null) {
      first = first == null ? best : first;
      last = best;
    }
  }

  private Sample sample(ToDoubleFunction<TimedEvent> clock) {
    long before = System.nanoTime();
    TimedEvent event = probe.recordTimed();
    boolean isTaken = false;
    try {
      while (!event.hasHappened() && System.nanoTime() - before < SPIN_NANOS) {
        Thread.onSpinWait();
      }
      if (!event.hasHappened()) {
        event.await();
      }
      long after = System.nanoTime();
      double half = (after - before) / 2.0;
      isTaken = true;
      return new Sample(clock.applyAsDouble(event), before + half, half);
    } finally {
      if (!isTaken) {
        event.close();
      }
    }
  }

  /** {@return a time of the device by the host's clock} */
  double hostNanos(double deviceNanos) {
    Sample from = first;
    Sample to = last;
    if (from == null || to == null) {
      return deviceNanos; // nothing was measured either
    }
    double between = to.device - from.device;
    double rate = between <= 0 ? 1 : (to.host - from.host) / between;
    if (between > 0 && deviceNanos >= from.device && deviceNanos <= to.device) {
      return from.host + (deviceNanos - from.device) * rate;
    }
    boolean isKnown = from.uncertainty + to.uncertainty < between * DRIFT_ERROR;
    Sample near = deviceNanos < from.device ? from : to;
    return near.host + (deviceNanos - near.device) * (isKnown ? rate : 1);
  }

  /** {@return by how many nanoseconds a time may be wrong at most} */
  double uncertaintyNanos() {
    Sample from = first;
    Sample to = last;
    return from == null || to == null ? 0 : Math.max(from.uncertainty, to.uncertainty);
  }

  @Override
  public void close() {
    probe.close();
  }
}
