package dev.stretto.observe;

import dev.stretto.diagnosis.tally.Places;
import dev.stretto.jfr.Flight;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.StreamQueue;
import org.jspecify.annotations.Nullable;

/** A thread that waits, while somebody wants to know. */
public final class Wait {
  private final Observers observers;
  private final DeviceRuntime engine;
  private final @Nullable StreamQueue queue;
  private final long sequence;
  private final boolean really;
  private final boolean alone;
  private final Flight.@Nullable Timed flight;
  private final long begun = System.nanoTime();

  private Wait(
      Observers observers,
      @Nullable StreamQueue queue,
      long sequence,
      boolean really,
      boolean alone) {
    this.observers = observers;
    this.engine = observers.engine();
    this.queue = queue;
    this.sequence = sequence;
    this.really = really;
    this.alone = alone;
    this.flight =
        Flight.wantsWaits()
            ? Flight.wait(
                engine.name(),
                queue == null ? 0 : queue.handle(),
                queue == null ? "" : queue.name().text(),
                sequence)
            : null;
  }

  /** A point of a stream is about to be awaited; null if nobody is to be told. */
  public static @Nullable Wait begin(Observers observers, StreamQueue queue, long sequence) {
    if (!observers.wantWaits()) {
      return null;
    }
    boolean really = !InFlight.isReached(queue, sequence);
    return new Wait(observers, queue, sequence, really, really && !InFlight.besides(queue));
  }

  /** All of a device is about to be awaited; null if nobody is to be told. */
  public static @Nullable Wait begin(Observers observers) {
    if (!observers.wantWaits()) {
      return null;
    }
    int busy = InFlight.streams(observers.engine());
    return new Wait(observers, null, 0, busy > 0, busy == 1);
  }

  /** The wait is over. */
  public static void end(@Nullable Wait wait, boolean done) {
    if (wait != null) {
      wait.end(done);
    }
  }

  private void end(boolean done) {
    if (flight != null) {
      flight.end(done);
    }
    observers.writeFlights();
    engine.finishIfClosed(); // what the Flight Recorder has enqueued may be all that is left
    if (!really || !done || observers.witnesses().isEmpty()) {
      return;
    }
    long nanos = System.nanoTime() - begun;
    StackTraceElement place = Places.caller();
    for (SynchronizationDetector witness : observers.witnesses()) {
      boolean last =
          queue == null ? !InFlight.any(engine) : witness.isNothingBehind(queue, sequence);
      witness.awaited(place, alone && last, nanos);
    }
  }
}
