package dev.stretto.timeline;

import dev.stretto.driver.HostClock;
import dev.stretto.observe.Recording;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** What is recorded of the devices of one driver, and what comes out of it. */
final class Recordings {
  private final HostClock clock;
  private final Records records;
  private final List<DeviceRecording> devices = new CopyOnWriteArrayList<>();
  private boolean insideGraphs;
  private boolean notesLines;

  Recordings(HostClock clock, int most) {
    this.clock = clock;
    this.records = new Records(most);
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
    return new Clipping(withOneCopyEngine, commonClock)
        .clip(measured, records.ofHost(), records.sharing());
  }

  /** {@return by how many nanoseconds two times of different devices may be shifted} */
  long uncertaintyNanos() {
    return (long)
        devices.stream().mapToDouble(DeviceRecording::uncertaintyNanos).map(Math::ceil).sum();
  }

  void close() {
    devices.forEach(DeviceRecording::endObservation);
    long now = clock.now();
    devices.forEach(DeviceRecording::measureAll);
    if (records.end()) {
      devices.forEach(DeviceRecording::end);
    }
    clock.set(now);
  }
}
