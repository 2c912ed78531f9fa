package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.diagnosis.tally.Found;
import dev.stretto.diagnosis.tally.Places;
import dev.stretto.diagnosis.tally.Trail;
import dev.stretto.driver.LaunchShape;
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
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The observers of a device's operations: at most one observer, because it closes the events of an
 * operation; diagnoses; and the Flight Recorder. Usually there are none, which costs one read.
 */
public final class Observers {
  private final DeviceRuntime engine;
  private final boolean keepsPlaces;
  private final AtomicReference<@Nullable Listener> observer = new AtomicReference<>();

  /** The trace of the process, which does not keep the program from having an observer. */
  private final AtomicReference<@Nullable Listener> tracer = new AtomicReference<>();

  private final List<SynchronizationDetector> detectors = new CopyOnWriteArrayList<>();
  private final FlightLog flights = new FlightLog();
  private final OperationLines lines = new OperationLines();

  /** The last observer that threw an exception, which is logged once. */
  private final AtomicReference<@Nullable Listener> failed = new AtomicReference<>();

  /** Whether there is an observer or a detector. */
  private volatile boolean reporting;

  /** What metrics count; null until somebody asks for them. */
  private volatile @Nullable Counts counts;

  /**
   * Makes the observers of a device; there are none at first.
   *
   * @param keepsPlaces whether to record the lines of launches; where the driver names the launch
   *     that has faulted, they always are
   */
  public Observers(DeviceRuntime engine, boolean keepsPlaces) {
    this.engine = engine;
    this.keepsPlaces = keepsPlaces;
  }

  public AutoCloseable add(Listener added) {
    if (!observer.compareAndSet(null, added)) {
      throw new IllegalStateException(
          "the device is already being observed, by " + observer.get() + ": end that first");
    }
    look();
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      // Once only: the same observer may have been added again meanwhile.
      if (ended.compareAndSet(false, true)) {
        observer.compareAndSet(added, null);
        look();
      }
    };
  }

  /** Has a trace of the process hear of every operation from now on, beside an observer. */
  public void trace(Listener added) {
    tracer.set(added);
    look();
  }

  /** {@return the program's frame nearest to the caller, or null} */
  public static Supplier<@Nullable StackTraceElement> trail() {
    return new Trail();
  }

  DeviceRuntime engine() {
    return engine;
  }

  /** Whether there is an observer or a detector to report operations to. */
  public boolean isReporting() {
    return reporting;
  }

  /**
   * {@return the line of the program that launches, if it is to be recorded; or null}
   *
   * @param queue where it is about to launch
   * @param name the name of the kernel; of no account for a graph
   */
  public @Nullable StackTraceElement launchPlace(StreamQueue queue, WorkKind kind, String name) {
    if (keepsPlaces || engine.driver().namesFaultingLaunch()) {
      return Places.line();
    }
    return reporting && !detectors.isEmpty() ? lines.ahead(queue, kind, name) : null;
  }

  public void add(SynchronizationDetector detector) {
    detectors.add(detector);
    look();
  }

  public void remove(SynchronizationDetector detector) {
    detectors.remove(detector);
    look();
  }

  private synchronized void look() {
    reporting = observer.get() != null || tracer.get() != null || !detectors.isEmpty();
  }

  List<SynchronizationDetector> detectors() {
    return detectors;
  }

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  /** Called before an operation is enqueued; returns null if nothing observes it. */
  public @Nullable Observation before(OpenStream stream, WorkKind kind) {
    return reporting || Observation.isWantedByFlight(kind)
        ? Observation.of(stream, kind, observer.get(), tracer.get())
        : null;
  }

  /**
   * Called when an operation was enqueued. Its end is marked at once, because the mark has to come
   * directly after it on the stream. The operation is reported when the thread holds no lock.
   */
  public void after(Observation begun, OpenStream stream, Work work) {
    long nanos = ThreadTime.nanos(engine) - begun.hostNanos();
    Begun observed = begun.begun();
    Begun traced = begun.traced();
    if (observed != null) {
      observed.end(stream);
    }
    if (traced != null) {
      traced.end(stream);
    }
    ObservedEnd flightEnd = begun.flightBegin() == null ? null : ObservedEnd.record(stream);
    long hostNanos = System.nanoTime();
    Reports.send(
        () -> {
          DriverLock.assertNoneHeld("an operation is reported to observers");
          boolean isDiagnosed = !detectors.isEmpty() && work.kind().isWork();
          boolean needsLine = isDiagnosed || isWithLines(traced) || isWithLines(observed);
          Found found = needsLine ? lines.of(stream.queue(), work) : null;
          if (isDiagnosed && found != null) {
            StackTraceElement place = found.caller();
            detectors.forEach(detector -> detector.enqueued(stream, work, place, nanos));
          }
          writeFlight(begun, stream, work, flightEnd);
          Work told = found == null ? work : work.at(found.line());
          if (traced != null) {
            report(traced, stream, observed == null ? told : told.withoutNodes(), hostNanos);
          }
          if (observed != null) {
            reportToObserver(observed, stream, told, hostNanos);
          }
        });
  }

  private static boolean isWithLines(@Nullable Begun begun) {
    return begun != null && begun.listener().wantsLines();
  }

  private void writeFlight(
      Observation begun, OpenStream stream, Work work, @Nullable ObservedEnd end) {
    FlightOperation flight = begun.flight();
    TimedMark begin = begun.flightBegin();
    if (flight == null || begin == null || end == null) {
      return;
    }
    String route = work.way() == null ? "" : work.way().kind().name();
    LaunchShape shape = work.shape();
    String grid = shape == null ? "" : shape.inWords(Optional.ofNullable(work.function()));
    flight.enqueued(work.sequence(), work.name(), route, work.bytes(), grid, Places.caller());
    if (end.event() == null) {
      begin.close();
      flight.commitWithoutTimes();
    } else {
      flights.add(flight, begin, end.event(), stream);
    }
  }

  private void reportToObserver(Begun begun, OpenStream stream, Work work, long hostNanos) {
    Listener listener = begun.listener();
    if (!listener.equals(observer.get())) {
      begun.letGo();
      work.nodes().forEach(NodeMarks::close);
      return;
    }
    report(begun, stream, work, hostNanos);
  }

  private void report(Begun begun, OpenStream stream, Work work, long hostNanos) {
    try {
      begun.report(stream, work, hostNanos);
    } catch (Throwable e) { // the operation is enqueued, and its caller has done nothing wrong
      observerFailed(begun.listener(), e);
    }
  }

  /** {@return whether there is an observer that wants to know when the nodes of a graph ran} */
  public boolean looksInsideGraphs() {
    Listener listener = observer.get();
    if (listener == null) {
      return false;
    }
    try {
      return listener.looksInsideGraphs();
    } catch (Throwable e) { // the launch goes on
      observerFailed(listener, e);
      return false;
    }
  }

  /** {@return whether there is anybody who hears of the host's work} */
  public boolean isObserved() {
    return observer.get() != null || tracer.get() != null;
  }

  /** {@return whether the host's time is that of a model, in which it does not pass by itself} */
  public boolean isModelled() {
    return engine.driver().clock().isModelled();
  }

  /** Reports what a thread of the host did; it holds no lock. */
  public void worked(HostTask task) {
    tell(observer.get(), listener -> listener.worked(task));
    tell(tracer.get(), listener -> listener.worked(task));
  }

  /** {@return whether anybody wants to know the lines of calls that are reported} */
  boolean wantsLinesOfCalls() {
    return wantsLines(observer.get()) || wantsLines(tracer.get());
  }

  private static boolean wantsLines(@Nullable Listener listener) {
    return listener != null && listener.wantsLines();
  }

  /**
   * {@return the frames of the program that await an operation of a stream, or of all streams}
   *
   * @param queue the stream; null for all
   */
  Found awaiting(@Nullable StreamQueue queue) {
    return queue == null ? Places.foundFrames() : lines.awaiting(queue);
  }

  /**
   * Reports a call of the program that ends now.
   *
   * @param named what the call is about, which is added to its name; or empty
   * @param beginNanos when it began, by {@link ThreadTime}
   * @param found the program's frames; null if nobody wants to know them
   */
  void called(HostCallKind kind, String named, long bytes, long beginNanos, @Nullable Found found) {
    Listener listener = observer.get();
    Listener traces = tracer.get();
    if (listener == null && traces == null) {
      return;
    }
    long endNanos = ThreadTime.nanos(engine);
    String name = named.isEmpty() ? kind.words() : kind.words() + " " + named;
    List<String> frames = found == null ? List.of() : found.frames();
    HostCall call = new HostCall(kind, name, bytes, beginNanos, endNanos, frames);
    tell(listener, each -> each.called(call));
    tell(traces, each -> each.called(call));
  }

  private void tell(@Nullable Listener listener, Consumer<Listener> what) {
    if (listener == null) {
      return;
    }
    try {
      what.accept(listener);
    } catch (Throwable e) { // the call goes on
      observerFailed(listener, e);
    }
  }

  private void observerFailed(Listener listener, Throwable e) {
    if (!listener.equals(failed.getAndSet(listener))) { // equal if of the same observer
      ProgramLog.warn(
          "an observer of "
              + engine.name()
              + " threw an exception; the operation was enqueued anyway, and further"
              + " exceptions of this observer are not logged",
          e);
    }
  }

  // --- calls that may block
  // ---------------------------------------------------------------------------------------------------

  /** Called before a stream waits for an event. */
  public void waiting(OpenStream stream, StreamQueue other, long point) {
    if (!reporting) {
      return;
    }
    tell(observer.get(), listener -> listener.waiting(stream.queue(), other, point));
    tell(tracer.get(), listener -> listener.waiting(stream.queue(), other, point));
    if (detectors.isEmpty()) {
      return;
    }
    StackTraceElement place = Places.caller();
    detectors.forEach(detector -> detector.waiting(stream, other, point, place));
  }

  /**
   * Called when a copy makes the host read write-combined memory, now or later.
   *
   * @param what what it does with that memory
   */
  public void readsWriteCombined(String what) {
    if (!reporting || detectors.isEmpty()) {
      return;
    }
    StackTraceElement place = Places.caller();
    detectors.forEach(detector -> detector.readsWriteCombined(place, what));
  }

  /** Called when a copy between devices was refused because the stream is a default stream. */
  public void refusedBetweenDevices(OpenStream stream) {
    if (!reporting || detectors.isEmpty()) {
      return;
    }
    StackTraceElement place = Places.caller();
    detectors.forEach(detector -> detector.refusedBetweenDevices(stream, place));
  }

  /**
   * Called when a call begins that may block its caller or the device; returns null if nothing
   * observes it.
   *
   * @param rule the rule that the call may violate
   * @param bytes the size of the memory that the call handles
   */
  public @Nullable BlockingCall calling(Rule rule, long bytes) {
    return calling(rule, bytes, engine);
  }

  /** The same, for a call that involves another device too. */
  public @Nullable BlockingCall calling(Rule rule, long bytes, DeviceRuntime other) {
    return BlockingCall.begin(this, reporting, rule, bytes, engine, other);
  }

  // --- metrics
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return what is counted from the first such call on} */
  public synchronized Counts count() {
    Counts counting = counts;
    if (counting == null) {
      counting = new Counts();
      counts = counting;
    }
    return counting;
  }

  /** {@return what is counted, or null if nobody has asked for metrics} */
  public @Nullable Counts counts() {
    return counts;
  }

  /** {@return whether waits are to be reported} */
  boolean reportsWaits() {
    return reporting || Flight.wantsWaits() || flights.isPending();
  }

  /** Writes the operations that are done by now to the Flight Recorder. */
  void writeFlights() {
    flights.writeDone();
  }

  /** Called before the device is closed and can no longer be queried. */
  public void deviceCloses() {
    detectors.forEach(SynchronizationDetector::deviceCloses);
    Listener traces = tracer.getAndSet(null);
    if (flights.isPending() || traces != null) {
      // Otherwise a seeded device would not know when its last operations ended.
      engine.bringToAnEnd();
    }
    flights.writeAll();
    if (traces != null) {
      look();
      traces.deviceCloses();
    }
  }
}
