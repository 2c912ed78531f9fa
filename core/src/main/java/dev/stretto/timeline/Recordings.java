package dev.stretto.timeline;

import dev.stretto.driver.HostClock;
import dev.stretto.observe.Recording;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/** What is recorded of the devices of one driver, and what comes out of it. */
final class Recordings {
  private final HostClock clock;
  private final Records records;
  private final List<DeviceRecording> devices = new CopyOnWriteArrayList<>();
  private boolean insideGraphs;
  private volatile LongUnaryOperator ofHost = LongUnaryOperator.identity();
  private boolean notesLines;

  Recordings(HostClock clock, int most) {
    this.clock = clock;
    this.records = new Records(most);
    OpenRecordings.add(this);
  }

  HostClock clock() {
    return clock;
  }

  Records records() {
    return records;
  }

  /**
   * Records another device from now on. Its number is the next one.
   *
   * @param attach has the device report to a recording, until the result is closed
   * @param sharesClock whether its times are to be compared with those of other devices
   */
  synchronized void add(Function<Recording, AutoCloseable> attach, boolean sharesClock) {
    DeviceRecording added = new DeviceRecording(attach, devices.size(), records);
    boolean isAdded = false;
    try {
      if (sharesClock || !devices.isEmpty()) {
        added.shareClock();
        devices.forEach(DeviceRecording::shareClock);
      }
      if (insideGraphs) {
        added.lookInsideGraphs();
      }
      if (notesLines) {
        added.noteLines();
      }
      devices.add(added);
      isAdded = true;
    } finally {
      if (!isAdded) {
        added.endObservation();
      }
    }
  }

  synchronized void lookInsideGraphs() {
    insideGraphs = true;
    devices.forEach(DeviceRecording::lookInsideGraphs);
  }

  synchronized void noteLines() {
    notesLines = true;
    devices.forEach(DeviceRecording::noteLines);
  }

  /** {@return the operations that are done, in the order in which they began} */
  List<Span> spans() {
    return content(false).spans();
  }

  /** {@return all that is recorded} */
  Content content() {
    return content(true);
  }

  private Content content(boolean withHost) {
    long now = clock.now();
    devices.forEach(DeviceRecording::measureAll);
    clock.set(now);
    List<Span> measured = records.measured();
    boolean commonClock =
        devices.size() > 1 || devices.stream().anyMatch(DeviceRecording::sharesClock);
    if (commonClock) {
      measured.replaceAll(span -> devices.get(span.device()).byHostClock(span));
    }
    Set<Integer> withOneCopyEngine = new HashSet<>();
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).hasOneCopyEngine()) {
        withOneCopyEngine.add(i);
      }
    }
    Clipping clipping = new Clipping(withOneCopyEngine, commonClock);
    List<Span> spans = clipping.clip(measured, records.ofHost(), records.sharing());
    ofHost = clipping::ofHost;
    if (!withHost) {
      return new Content(spans, List.of(), List.of(), 0);
    }
    return new Content(
        spans,
        hostSpans(spans.isEmpty(), clipping.shift()),
        records.arrows(spans),
        records.leftOut());
  }

  private List<HostSpan> hostSpans(boolean isAlone, long shift) {
    List<HostSpan> calls = records.calls();
    calls.sort(
        Comparator.comparingLong(HostSpan::startNanos)
            .thenComparing(Comparator.comparingLong(HostSpan::endNanos).reversed()));
    long by = isAlone && !calls.isEmpty() ? -calls.getFirst().startNanos() : shift;
    calls.replaceAll(call -> call.shifted(by));
    return calls;
  }

  /** {@return the host's time by the clock that the recorded calls have} */
  long hostNanos() {
    return clock.isModelled() ? clock.now() : System.nanoTime();
  }

  /** Notes a range of the program, which ends now. */
  void range(String name, Thread thread, long begun) {
    records.called(
        HostSpan.of(
            HostSpan.Kind.RANGE,
            name,
            HostSpan.NO_DEVICE,
            "",
            thread,
            0,
            List.of(),
            begun,
            hostNanos()));
  }

  /** {@return a time by the host's clock as a time of the spans that were asked for last} */
  long ofHost(long hostNanos) {
    return ofHost.applyAsLong(hostNanos);
  }

  /** {@return by how many nanoseconds two times of different devices may be shifted} */
  long uncertaintyNanos() {
    return (long)
        devices.stream().mapToDouble(DeviceRecording::uncertaintyNanos).map(Math::ceil).sum();
  }

  void close() {
    OpenRecordings.remove(this);
    devices.forEach(DeviceRecording::endObservation);
    long now = clock.now();
    devices.forEach(DeviceRecording::measureAll);
    if (records.end()) {
      devices.forEach(DeviceRecording::end);
    }
    clock.set(now);
  }
}
