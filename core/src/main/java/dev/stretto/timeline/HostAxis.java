package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.route.Loss;
import java.util.function.ToDoubleFunction;

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

  private final Stream probe;
  private final ClockRelation relation = new ClockRelation();

  HostAxis(Device device) {
    this.probe = device.stream();
  }

  /**
   * Compares the clocks once more.
   *
   * @param clock tells when an event happened by the device's clock, and closes it
   */
  void compare(ToDoubleFunction<TimedEvent> clock) {
    ClockRelation.Sample best = null;
    try {
      for (int i = 0; i < TRIES; i++) {
        ClockRelation.Sample sample = sample(clock);
        if (best == null || sample.uncertainty() < best.uncertainty()) {
          best = sample;
        }
      }
    } catch (RuntimeException e) {
      Loss.kept(e); // the device was lost or closed, which whoever uses it learns by itself
    }
    if (best != null) {
      relation.add(best);
    }
  }

  private ClockRelation.Sample sample(ToDoubleFunction<TimedEvent> clock) {
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
      return new ClockRelation.Sample(clock.applyAsDouble(event), before + half, half);
    } finally {
      if (!isTaken) {
        event.close();
      }
    }
  }

  ClockRelation relation() {
    return relation;
  }

  @Override
  public void close() {
    probe.close();
  }
}
