package dev.stretto.observe;

import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is being enqueued while somebody observes its device.
 *
 * @param begin for the observer, if there is one: happens when all before the operation is done
 * @param flight what the Flight Recorder is told, if it wants to know
 * @param flightBegin for the Flight Recorder
 * @param hostNanos when the call began, by {@link System#nanoTime()}
 */
public record Observation(
    @Nullable TimedMark begin,
    @Nullable FlightOperation flight,
    @Nullable TimedMark flightBegin,
    long hostNanos) {
  static boolean isWantedByFlight(WorkKind kind) {
    return kind.isLaunch() ? Flight.wantsLaunches() : Flight.wantsCopies();
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

  /** The operation was refused. */
  public void letGo() {
    if (begin != null) {
      begin.close();
    }
    if (flightBegin != null) {
      flightBegin.close();
    }
  }
}
