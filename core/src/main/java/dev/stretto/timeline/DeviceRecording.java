package dev.stretto.timeline;

import dev.stretto.driver.HostClock;
import dev.stretto.observe.Listener;
import dev.stretto.observe.Recording;
import dev.stretto.route.DeviceRuntime;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Records the operations of one device of a timeline. */
final class DeviceRecording implements Recording {
  private final int number;
  private final Records records;
  private final AutoCloseable observation;
  private @Nullable DeviceRuntime engine;
  private @Nullable Recorder recorder;
  private volatile @Nullable HostAxis axis;

  /**
   * Records a device from now on.
   *
   * @param attach has the device report to this, until the result is closed
   */
  DeviceRecording(Function<Recording, AutoCloseable> attach, int number, Records records) {
    this.number = number;
    this.records = records;
    this.observation = attach.apply(this);
    if (!clock().isModelled()) {
      ReadingThread.start(recorder().reader());
    }
  }

  @Override
  public Listener listener(DeviceRuntime device) {
    Recorder made = new Recorder(device, number, records, this::end);
    engine = device;
    recorder = made;
    return made;
  }

  private DeviceRuntime engine() {
    return Objects.requireNonNull(engine);
  }

  private Recorder recorder() {
    return Objects.requireNonNull(recorder);
  }

  private HostClock clock() {
    return engine().driver().clock();
  }

  boolean hasOneCopyEngine() {
    return engine().driver().properties().copyEngines() < 2;
  }

  void lookInsideGraphs() {
    recorder().lookInsideGraphs();
  }

  void noteLines() {
    recorder().noteLines();
  }

  /** Measures all operations that are done. */
  void measureAll() {
    if (!recorder().reader().isReading()) {
      recorder().reader().readAll(this::compareClocks);
    }
  }

  // --- the host's clock -----------------------------------------------------------------------

  /** Relates the device's clock to the host's from now on, unless the two are one. */
  void shareClock() {
    if (clock().isModelled() || recorder().reader().isClosed()) {
      return;
    }
    recorder()
        .reader()
        .readAll(
            () -> {
              if (axis == null) {
                axis = new HostAxis(engine());
                compareClocks();
              }
            });
  }

  /** {@return whether its times are by the host's clock} */
  boolean sharesClock() {
    return axis != null;
  }

  private void compareClocks() {
    HostAxis known = axis;
    if (known != null && !records.hasEnded() && !recorder().reader().isClosed()) {
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

  /** Measures what is done and lets go of the rest. The second time it does nothing. */
  void end() {
    TimeReader reader = recorder().reader();
    reader.readAll(
        () -> {
          compareClocks();
          reader.end();
          HostAxis known = axis;
          if (known != null) {
            known.close();
          }
        });
  }
}
