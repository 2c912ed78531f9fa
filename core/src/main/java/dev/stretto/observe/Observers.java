package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.diagnosis.tally.Places;
import dev.stretto.jfr.Flight;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.DriverLock;
import dev.stretto.route.OpenStream;
import dev.stretto.route.ProgramLog;
import dev.stretto.route.Reports;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.TimedMark;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of a device's operations. Nobody, as a rule, which costs one read: an observer, which
 * can be one at most, since the events of an operation are its to close; diagnoses; the Flight
 * Recorder.
 */
public final class Observers {
  private final DeviceRuntime engine;
  private final boolean keepsPlaces;
  private final AtomicReference<@Nullable Listener> observer = new AtomicReference<>();
  private final List<SynchronizationDetector> witnesses = new CopyOnWriteArrayList<>();
  private final FlightLog flights = new FlightLog();

  /** The last observer that threw an exception, which is logged once. */
  private final AtomicReference<@Nullable Listener> failed = new AtomicReference<>();

  /** Whether there is an observer or a witness. */
  private volatile boolean told;

  /**
   * Observes a device.
   *
   * @param keepsPlaces whether it keeps the lines of launches; a virtual device always does
   */
  public Observers(DeviceRuntime engine, boolean keepsPlaces) {
    this.engine = engine;
    this.keepsPlaces = keepsPlaces || engine.driver().namesFaultingLaunch();
  }

  public AutoCloseable add(Listener added) {
    if (!observer.compareAndSet(null, added)) {
      throw new IllegalStateException(
          "the device is being observed already, by " + observer.get() + ": end that first");
    }
    look();
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      if (ended.compareAndSet(false, true)) { // the same observer may observe again by then
        observer.compareAndSet(added, null);
        look();
      }
    };
  }

  DeviceRuntime engine() {
    return engine;
  }

  /** Whether somebody is to be told of operations. */
  public boolean areTold() {
    return told;
  }

  /** {@return the line of the program that launches, if it is to be kept; or null} */
  public @Nullable StackTraceElement launchPlace() {
    return keepsPlaces || (told && !witnesses.isEmpty()) ? Places.line() : null;
  }

  public void add(SynchronizationDetector witness) {
    witnesses.add(witness);
    look();
  }

  public void remove(SynchronizationDetector witness) {
    witnesses.remove(witness);
    look();
  }

  private synchronized void look() {
    told = observer.get() != null || !witnesses.isEmpty();
  }

  List<SynchronizationDetector> witnesses() {
    return witnesses;
  }

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  /** An operation is about to be enqueued; null if nobody observes it. */
  public @Nullable Observation before(OpenStream stream, WorkKind kind) {
    return told || Observation.isWantedByFlight(kind)
        ? Observation.of(stream, kind, observer.get() != null)
        : null;
  }

  /**
   * An operation was enqueued. Its end is recorded at once, for that belongs to this place of the
   * stream; it is reported when the thread holds no lock.
   */
  public void after(Observation begun, OpenStream stream, Work work) {
    long nanos = System.nanoTime() - begun.hostNanos();
    ObservedEnd end = ObservedEnd.record(begun.begin(), stream);
    ObservedEnd flightEnd = ObservedEnd.record(begun.flightBegin(), stream);
    long hostNanos = System.nanoTime();
    Reports.send(
        () -> {
          DriverLock.assertNoneHeld("an operation is reported to observers");
          reportToWitnesses(stream, work, nanos);
          writeFlight(begun, stream, work, flightEnd);
          reportToObserver(begun, stream, work, end, hostNanos);
        });
  }

  private void reportToWitnesses(OpenStream stream, Work work, long nanos) {
    if (!witnesses.isEmpty()) {
      StackTraceElement place = Places.caller();
      witnesses.forEach(witness -> witness.enqueued(stream, work, place, nanos));
    }
  }

  private void writeFlight(
      Observation begun, OpenStream stream, Work work, @Nullable ObservedEnd end) {
    FlightOperation flight = begun.flight();
    TimedMark begin = begun.flightBegin();
    if (flight == null || begin == null || end == null) {
      return;
    }
    String route = work.way() == null ? "" : work.way().kind().name();
    flight.enqueued(work.sequence(), work.name(), route, work.bytes(), Places.caller());
    if (end.event() == null) {
      begin.close();
      flight.commitWithoutTimes();
    } else {
      flights.add(flight, begin, end.event(), stream);
    }
  }

  private void reportToObserver(
      Observation begun, OpenStream stream, Work work, @Nullable ObservedEnd end, long hostNanos) {
    TimedMark begin = begun.begin();
    if (begin == null || end == null) {
      return;
    }
    Listener listener = observer.get();
    TimedMark ended = end.event();
    if (listener == null || ended == null) {
      begin.close();
      end.close();
    }
    if (listener == null) {
      return;
    }
    try {
      if (ended == null) {
        listener.missed(stream, work, end.refusal());
        return;
      }
      listener.enqueued(stream, work, begin, ended, hostNanos);
    } catch (Throwable e) { // the operation is enqueued, and its caller has done nothing wrong
      observerFailed(listener, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very observer
  private void observerFailed(Listener listener, Throwable e) {
    if (failed.getAndSet(listener) != listener) {
      ProgramLog.warn(
          "an observer of "
              + engine.name()
              + " threw an exception; the operation is enqueued all the same, and further"
              + " exceptions of this observer are not logged",
          e);
    }
  }

  // --- calls that may block
  // ---------------------------------------------------------------------------------------------------

  /** A stream is about to be told to wait for an event. */
  public void waiting(OpenStream stream, StreamQueue other, long point) {
    if (!told || witnesses.isEmpty()) {
      return;
    }
    StackTraceElement place = Places.caller();
    witnesses.forEach(witness -> witness.waiting(stream, other, point, place));
  }

  /** A copy between devices was refused, since the stream is a default one. */
  public void refusedBetweenDevices(OpenStream stream) {
    if (!told || witnesses.isEmpty()) {
      return;
    }
    StackTraceElement place = Places.caller();
    witnesses.forEach(witness -> witness.refusedBetweenDevices(stream, place));
  }

  /**
   * A call begins that may hold up its caller or the device; null if nobody is to be told of it.
   *
   * @param rule what it may be against
   * @param bytes how many it is about
   */
  public @Nullable BlockingCall calling(Rule rule, long bytes) {
    return calling(rule, bytes, engine);
  }

  /** The same, where another device is concerned too. */
  public @Nullable BlockingCall calling(Rule rule, long bytes, DeviceRuntime other) {
    return BlockingCall.begin(this, told, rule, bytes, engine, other);
  }

  /** {@return whether somebody is to be told of waits} */
  boolean wantWaits() {
    return told || Flight.wantsWaits() || flights.isPending();
  }

  /** Writes to the Flight Recorder what is done by now. */
  void writeFlights() {
    flights.writeDone();
  }

  /** The device is closed: nothing more can be asked of it. */
  public void deviceCloses() {
    if (flights.isPending()) {
      engine.bringToAnEnd(); // or a seeded device would not know when its last operations ended
    }
    flights.writeAll();
  }
}
