package dev.stretto.observe;

import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.tally.Tally;
import dev.stretto.route.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The detectors of several devices, and their findings. */
public final class Detection implements AutoCloseable {
  private record Watched(Observers observers, SynchronizationDetector detector) {}

  private final Tally tally = new Tally();

  @GuardedBy("this")
  private final List<Watched> watched = new ArrayList<>();

  /** Observes a device from now on. */
  public synchronized void watch(Observers observers) {
    watched.removeIf(each -> each.observers.engine().isClosed());
    SynchronizationDetector detector =
        new SynchronizationDetector(
            observers.engine().name(), tally, () -> ThreadTime.nanos(observers.engine()));
    watched.add(new Watched(observers, detector));
    observers.add(detector);
  }

  /** {@return the findings so far} */
  public List<Finding> findings() {
    return tally.findings();
  }

  /**
   * {@return when some of a finding's calls began, by the host's clock; for a virtual device that
   * of the model}
   */
  public List<Long> moments(Finding finding) {
    return tally.moments(finding);
  }

  /** {@return the findings as text} */
  public String report() {
    List<Finding> findings = findings();
    if (findings.isEmpty()) {
      return "stretto: no hidden synchronization found%n".formatted();
    }
    String head =
        findings.size() == 1
            ? "stretto: 1 finding%n".formatted()
            : "stretto: %d findings%n".formatted(findings.size());
    return findings.stream().map(Finding::toString).collect(Collectors.joining("", head, ""));
  }

  /** Stops observing all devices. */
  @Override
  public synchronized void close() {
    watched.forEach(each -> each.observers.remove(each.detector));
    watched.clear();
  }
}
