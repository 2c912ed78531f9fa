package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Observer;
import dev.stretto.driver.HostClock;
import dev.stretto.observe.Listener;
import dev.stretto.observe.Recording;
import dev.stretto.route.DeviceRuntime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records the operations of one device of a timeline. */
final class DeviceRecording implements Observer, Recording {
  private final Device device;
  private final int number;
  private final Records records;
  private final HostClock clock;
  private final AutoCloseable observation;
  private @Nullable Recorder recorder;
  private @Nullable HostAxis axis;

  DeviceRecording(Device device, int number, Records records) {
    this.device = device;
    this.number = number;
    this.records = records;
    this.clock = device.hostClock();
    this.observation = device.observe(this);
    if (!clock.isModelled()) {
      ReadingThread.start(recorder().reader());
    }
  }

  @Override
  public Listener listener(DeviceRuntime engine) {
    Recorder made = new Recorder(engine, number, records);
    recorder = made;
    return made;
  }

  @Override
  public void enqueued(Observed operation) {
    throw new AssertionError("the device reports to the listener: " + operation);
  }

  private Recorder recorder() {
    return Objects.requireNonNull(recorder);
  }

  boolean hasOneCopyEngine() {
    return device.properties().copyEngines() < 2;
  }

  void lookInsideGraphs() {
    recorder().lookInsideGraphs();
  }

  /** Reads the times of all operations that are done. */
  void measureAll() {
    if (!recorder().reader().isReading()) {
      recorder().reader().readAll(this::compareClocks);
    }
  }

  // --- the host's clock -----------------------------------------------------------------------

  /** Relates the device's clock to the host's from now on, unless the two are one. */
  void shareClock() {
    if (clock.isModelled()) {
      return;
    }
    recorder()
        .reader()
        .readAll(
            () -> {
              if (axis == null) {
                axis = new HostAxis(device);
                compareClocks();
              }
            });
  }

  private void compareClocks() {
    HostAxis known = axis;
    if (known != null && !records.hasEnded()) {
      known.compare(recorder().reader()::nanos);
    }
  }

  /** {@return a span of this device by the host's clock} */
  Span byHostClock(Span span) {
    HostAxis known = axis;
    return known == null
        ? span
        : span.at(
            span.enqueuedNanos(),
            Math.round(known.relation().hostNanos((double) span.startNanos())),
            Math.round(known.relation().hostNanos((double) span.endNanos())));
  }

  double uncertaintyNanos() {
    HostAxis known = axis;
    return known == null ? 0 : known.relation().uncertaintyNanos();
  }

  // --- the end --------------------------------------------------------------------------------

  /** Hears of nothing more. */
  void endObservation() {
    try {
      observation.close();
    } catch (Exception e) {
      throw new IllegalStateException("the observation cannot be ended", e);
    }
  }

  /** Measures what is done and lets go of the rest. Called once. */
  void end() {
    TimeReader reader = recorder().reader();
    reader.readAll(
        () -> {
          reader.end();
          if (axis != null) {
            axis.close();
          }
        });
  }
}
