package dev.stretto.timeline;

import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Loss;
import dev.stretto.route.OpenStream;
import dev.stretto.route.Stamp;
import java.util.concurrent.locks.LockSupport;
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

  /** How long the host looks at a stamp without a pause; usually it takes some microseconds. */
  private static final long SPIN_NANOS = 5_000_000;

  private static final long PAUSE_NANOS = 100_000;

  private final OpenStream probe;
  private final ClockRelation relation = new ClockRelation();

  HostAxis(DeviceRuntime engine) {
    this.probe = new OpenStream(engine, engine.streams().open(0, null));
  }

  /**
   * Compares the clocks once more.
   *
   * @param clock tells when a stamp was reached by the device's clock, and gives it back
   */
  void compare(ToDoubleFunction<Stamp> clock) {
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

  private ClockRelation.Sample sample(ToDoubleFunction<Stamp> clock) {
    long before = System.nanoTime();
    Stamp stamp = Stamp.record(probe);
    boolean isTaken = false;
    try {
      while (!stamp.isReached()) {
        if (System.nanoTime() - before < SPIN_NANOS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      long after = System.nanoTime();
      double half = (after - before) / 2.0;
      isTaken = true;
      return new ClockRelation.Sample(clock.applyAsDouble(stamp), before + half, half);
    } finally {
      if (!isTaken) {
        stamp.giveBack();
      }
    }
  }

  ClockRelation relation() {
    return relation;
  }

  @Override
  public void close() {
    probe.leave();
  }
}
