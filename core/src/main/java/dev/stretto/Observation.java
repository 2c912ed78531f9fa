package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.ProgramLog;
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
                ? Flight.launch(device, stream.handle())
                : Flight.copy(device, stream.handle());
    return new Observation(
        observed ? stream.recordTimed() : null,
        flight,
        wanted ? stream.recordTimed() : null,
        System.nanoTime());
  }

  /**
   * {@return the event after the operation, which is enqueued; null where there is none before it}
   * If the event cannot be had, the operation is not observed: its caller has done nothing wrong.
   */
  @Nullable TimedEvent recordEnd(@Nullable TimedEvent begin, Stream stream) {
    if (begin == null) {
      return null;
    }
    try {
      return stream.recordTimed();
    } catch (RuntimeException e) {
      begin.close();
      ProgramLog.warn("an operation of " + stream + " is not observed", e);
      return null;
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
