package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ProgramLog;
import dev.stretto.route.StartedWork;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.ToHost;
import dev.stretto.settings.Settings;
import java.util.List;

/**
 * Reports flows and copies to the host that a program has started and never awaited: to the
 * diagnoses, or to the log if there is none.
 */
public final class NeverAwaited implements StartedWork.Teller {
  /** The most streams that are reported, because people read the report. */
  private static final int MOST_REPORTED = 16;

  private final DeviceRuntime engine;
  private final Observers observers;

  public NeverAwaited(DeviceRuntime engine, Observers observers) {
    this.engine = engine;
    this.observers = observers;
  }

  @Override
  public void neverAwaited(StartedWork work) {
    Throwable failure = work.failure();
    String reason =
        "%s was started and never awaited, so the program cannot know whether it was completed%s"
            .formatted(work.what(), failure == null ? "" : "; it has failed: " + failure);
    List<SynchronizationDetector> detectors = observers.detectors();
    for (SynchronizationDetector detector : detectors) {
      detector.neverAwaited(work.place(), reason);
    }
    if (detectors.isEmpty()) {
      ProgramLog.warn(
          "%s (started at %s): %s".formatted(reason, work.place(), Rule.NEVER_AWAITED.advice()),
          failure);
    }
  }

  @Override
  public void processEnds() {
    engine.loss().processEnds();
    deviceCloses();
  }

  @Override
  public void deviceCloses() {
    List<StreamQueue> unawaited = engine.streams().unawaited();
    for (StreamQueue each : unawaited.subList(0, Math.min(unawaited.size(), MOST_REPORTED))) {
      report(each, unawaited.size());
    }
  }

  private void report(StreamQueue queue, int streams) {
    ToHost copies = queue.toHost();
    copies.share(); // so that it is not reported again
    String reason =
        "a copy to host memory (operation %d of %s%s) was enqueued, and neither it nor anything after it was awaited, so the program cannot know whether its bytes have arrived"
            .formatted(
                copies.last(),
                queue.describe(),
                streams <= MOST_REPORTED ? "" : ", one of %d such streams".formatted(streams));
    List<SynchronizationDetector> detectors = observers.detectors();
    for (SynchronizationDetector detector : detectors) {
      detector.copyNeverAwaited(queue, reason);
    }
    if (detectors.isEmpty()) {
      ProgramLog.warn(
          reason
              + ": await it, or its stream, before the device closes; stretto check, or "
              + Settings.DIAGNOSIS.option()
              + "=true, names the line",
          null);
    }
  }
}
