package dev.stretto.observe;

import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is being enqueued while its device is observed.
 *
 * @param begun the operation as the device's listener hears of it, if there is one
 * @param traced the same for the trace of the process
 * @param flight the record for the Flight Recorder, if it is enabled for the operation
 * @param flightBegin a mark for the Flight Recorder
 * @param hostNanos the thread's time when the call began
 */
public record Observation(
    @Nullable Begun begun,
    @Nullable Begun traced,
    @Nullable FlightOperation flight,
    @Nullable TimedMark flightBegin,
    long hostNanos) {
  static boolean isWantedByFlight(WorkKind kind) {
    return kind.isWork() && (kind.isLaunch() ? Flight.wantsLaunches() : Flight.wantsCopies());
  }

  static Observation of(
      OpenStream stream, WorkKind kind, @Nullable Listener observer, @Nullable Listener tracer) {
    boolean wanted = isWantedByFlight(kind);
    String device = stream.engine().name();
    FlightOperation flight =
        !wanted
            ? null
            : kind.isLaunch()
                ? Flight.launch(device, stream.queue().handle(), stream.queue().name().text())
                : Flight.copy(device, stream.queue().handle(), stream.queue().name().text());
    Begun begun = observer == null ? null : observer.begin(stream);
    Begun traced = null;
    try {
      traced = tracer == null ? null : tracer.begin(stream);
      return new Observation(
          begun,
          traced,
          flight,
          wanted ? stream.recordTimed() : null,
          ThreadTime.nanos(stream.engine()));
    } catch (RuntimeException e) {
      letGo(begun);
      letGo(traced);
      throw e;
    }
  }

  /** Releases the marks of an operation that was refused. */
  public void letGo() {
    letGo(begun);
    letGo(traced);
    if (flightBegin != null) {
      flightBegin.close();
    }
  }

  private static void letGo(@Nullable Begun begun) {
    if (begun != null) {
      begun.letGo();
    }
  }
}
