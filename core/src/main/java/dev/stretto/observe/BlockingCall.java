package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.diagnosis.tally.Found;
import dev.stretto.diagnosis.tally.Places;
import dev.stretto.jfr.Flight;
import dev.stretto.route.DeviceRuntime;
import org.jspecify.annotations.Nullable;

/** A call that may block its caller or the device, while calls are observed. */
public final class BlockingCall implements AutoCloseable {
  private final Observers observers;
  private final Rule rule;
  private final boolean besideWork;
  private final Flight.@Nullable Timed flight;
  private final long begun;
  private final long bytes;
  private boolean harmless;
  private String about = "";

  private BlockingCall(
      Observers observers, Rule rule, long bytes, DeviceRuntime engine, DeviceRuntime other) {
    this.observers = observers;
    this.begun = ThreadTime.nanos(observers.engine());
    this.rule = rule;
    this.bytes = bytes;
    this.besideWork =
        !observers.detectors().isEmpty()
            && (InFlight.any(engine) || (!other.equals(engine) && InFlight.any(other)));
    this.flight =
        (rule == Rule.ALLOCATION || rule == Rule.PINNING) && Flight.wantsAllocations()
            ? Flight.allocation(engine.name(), rule == Rule.ALLOCATION ? "device" : "pinned", bytes)
            : null;
  }

  /**
   * {@return a call that begins now; null if nothing observes it} The check is made here and not by
   * the caller, so that this class is already loaded when the first call is reported. There may be
   * thousands of calls at that moment, and virtual threads that wait for a class to be loaded pin
   * their carriers.
   */
  static @Nullable BlockingCall begin(
      Observers observers,
      boolean told,
      Rule rule,
      long bytes,
      DeviceRuntime engine,
      DeviceRuntime other) {
    return told || Flight.wantsAllocations()
        ? new BlockingCall(observers, rule, bytes, engine, other)
        : null;
  }

  /** Notes that the call turned out to need nothing from the driver. */
  public void harmless() {
    harmless = true;
  }

  /** Notes what the call is about, such as the name of a kernel. */
  public void about(String name) {
    about = name;
  }

  @Override
  public void close() {
    if (flight != null) {
      flight.end(true);
    }
    HostCallKind kind = harmless ? null : HostCallKind.of(rule);
    if (kind != null) {
      Found found = observers.wantsLinesOfCalls() ? Places.foundFrames() : null;
      observers.called(kind, about, bytes, begun, found);
    }
    if (harmless || !besideWork) {
      return;
    }
    long nanos = ThreadTime.nanos(observers.engine()) - begun;
    StackTraceElement place = Places.caller();
    observers.detectors().forEach(detector -> detector.called(rule, place, nanos));
  }
}
