package dev.stretto.observe;

import dev.stretto.diagnosis.tally.Found;
import dev.stretto.diagnosis.tally.Places;
import dev.stretto.jfr.Flight;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.StreamQueue;
import org.jspecify.annotations.Nullable;

/** The wait of a thread, while waits are observed. */
public final class Wait {
  private final Observers observers;
  private final DeviceRuntime engine;
  private final @Nullable StreamQueue queue;
  private final long sequence;
  private final boolean really;
  private final boolean alone;
  private final @Nullable Counts counts;
  private final Flight.@Nullable Timed flight;
  private final long begun;
  private final long begunInFact = System.nanoTime();

  private Wait(
      Observers observers,
      @Nullable StreamQueue queue,
      long sequence,
      boolean really,
      boolean alone) {
    this.observers = observers;
    this.engine = observers.engine();
    this.begun = ThreadTime.nanos(engine);
    this.queue = queue;
    this.sequence = sequence;
    this.really = really;
    this.alone = alone;
    this.counts = observers.counts();
    this.flight =
        Flight.wantsWaits()
            ? Flight.wait(
                engine.name(),
                queue == null ? 0 : queue.handle(),
                queue == null ? "" : queue.name().text(),
                sequence,
                Places::caller)
            : null;
  }

  /** Called before a point of a stream is awaited; returns null if nothing observes the wait. */
  public static @Nullable Wait begin(Observers observers, StreamQueue queue, long sequence) {
    if (!observers.reportsWaits()) {
      return counted(observers);
    }
    if (observers.detectors().isEmpty()) {
      return new Wait(observers, queue, sequence, false, false);
    }
    boolean really = !InFlight.isReached(queue, sequence);
    return new Wait(observers, queue, sequence, really, really && !InFlight.besides(queue));
  }

  /** Called before all work of a device is awaited; returns null if nothing observes the wait. */
  public static @Nullable Wait begin(Observers observers) {
    if (!observers.reportsWaits()) {
      return counted(observers);
    }
    if (observers.detectors().isEmpty()) {
      return new Wait(observers, null, 0, false, false);
    }
    int busy = InFlight.streams(observers.engine());
    return new Wait(observers, null, 0, busy > 0, busy == 1);
  }

  /** A wait that is counted and nothing else, if metrics are asked for. */
  private static @Nullable Wait counted(Observers observers) {
    return observers.counts() == null ? null : new Wait(observers, null, 0, false, false);
  }

  /** Ends a wait. */
  public static void end(@Nullable Wait wait, boolean done) {
    if (wait != null) {
      wait.end(done);
    }
  }

  private void end(boolean done) {
    if (counts != null) {
      counts.waited(System.nanoTime() - begunInFact);
    }
    if (flight != null) {
      flight.end(done);
    }
    boolean isDiagnosed = really && done && !observers.detectors().isEmpty();
    boolean wantsLines = observers.wantsLinesOfCalls();
    Found found = isDiagnosed || wantsLines ? observers.awaiting(queue) : null;
    String named =
        queue == null ? engine.name() : queue.name().given() ? queue.name().text() : "a stream";
    observers.called(HostCallKind.WAIT, named, 0, begun, wantsLines ? found : null);
    observers.writeFlights();
    engine.finishIfClosed(); // the marks of the Flight Recorder may be all the work that is left
    if (!isDiagnosed || found == null) {
      return;
    }
    long nanos = ThreadTime.nanos(engine) - begun;
    StackTraceElement place = found.caller();
    for (SynchronizationDetector detector : observers.detectors()) {
      boolean last =
          queue == null ? !InFlight.any(engine) : detector.isNothingAfter(queue, sequence);
      detector.awaited(place, alone && last, nanos);
    }
  }
}
