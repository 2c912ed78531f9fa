package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is being enqueued while somebody observes its device.
 *
 * @param begin for the observer, if there is one: happens when all before the operation is done
 * @param flight what the Flight Recorder is told, if it wants to know
 * @param flightBegin for the Flight Recorder
 * @param hostNanos when the call began, by {@link System#nanoTime()}
 */
record Observation(
    @Nullable TimedEvent begin,
    @Nullable FlightOperation flight,
    @Nullable TimedEvent flightBegin,
    long hostNanos) {
  static boolean isWantedByFlight(Kind kind) {
    return isLaunch(kind) ? Flight.wantsLaunches() : Flight.wantsCopies();
  }

  private static boolean isLaunch(Kind kind) {
    return kind == Kind.KERNEL || kind == Kind.GRAPH;
  }

  static Observation of(Stream stream, Kind kind, boolean observed) {
    boolean wanted = isWantedByFlight(kind);
    String device = stream.device().name();
    FlightOperation flight =
        !wanted
            ? null
            : isLaunch(kind)
                ? Flight.launch(device, stream.queue().handle(), stream.name())
                : Flight.copy(device, stream.queue().handle(), stream.name());
    TimedEvent begin = observed ? stream.recordTimed() : null;
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
  void letGo() {
    if (begin != null) {
      begin.close();
    }
    if (flightBegin != null) {
      flightBegin.close();
    }
  }
}
