package dev.stretto.observe;

import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is being enqueued while its device is observed.
 *
 * @param begin a mark for the observer, if there is one: reached when all earlier operations are
 *     done
 * @param flight the record for the Flight Recorder, if it is enabled for the operation
 * @param flightBegin a mark for the Flight Recorder
 * @param hostNanos the time when the call began, by {@link System#nanoTime()}
 */
public record Observation(
    @Nullable TimedMark begin,
    @Nullable FlightOperation flight,
    @Nullable TimedMark flightBegin,
    long hostNanos) {
  static boolean isWantedByFlight(WorkKind kind) {
    return kind.isWork() && (kind.isLaunch() ? Flight.wantsLaunches() : Flight.wantsCopies());
  }

  static Observation of(OpenStream stream, WorkKind kind, boolean observed) {
    boolean wanted = isWantedByFlight(kind);
    String device = stream.engine().name();
    FlightOperation flight =
        !wanted
            ? null
            : kind.isLaunch()
                ? Flight.launch(device, stream.queue().handle(), stream.queue().name().text())
                : Flight.copy(device, stream.queue().handle(), stream.queue().name().text());
    TimedMark begin = observed ? stream.recordTimed() : null;
    try {
      return new Observation(
          begin, flight, wanted ? stream.recordTimed() : null, System.nanoTime());
    } catch (RuntimeException e) {
      if (begin != null) {
        begin.close();
      }
      throw e;
    }
  }

  /** Releases the marks of an operation that was refused. */
  public void letGo() {
    if (begin != null) {
      begin.close();
    }
    if (flightBegin != null) {
      flightBegin.close();
    }
  }
}
