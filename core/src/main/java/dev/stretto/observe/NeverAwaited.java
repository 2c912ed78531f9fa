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
 * Tells of flows and copies to the host that a program has started and nobody has awaited: its
 * diagnoses, or the log if there is none.
 */
public final class NeverAwaited implements StartedWork.Teller {
  /** Of more streams the first are told: a report is read by people. */
  private static final int MOST_TOLD = 16;

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
        "%s was started, and nobody has awaited it, so that nobody knows whether all of it was done%s"
            .formatted(work.what(), failure == null ? "" : "; it has failed: " + failure);
    List<SynchronizationDetector> witnesses = observers.witnesses();
    for (SynchronizationDetector witness : witnesses) {
      witness.neverAwaited(work.place(), reason);
    }
    if (witnesses.isEmpty()) {
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
    for (StreamQueue each : unawaited.subList(0, Math.min(unawaited.size(), MOST_TOLD))) {
      tell(each, unawaited.size());
    }
  }

  private void tell(StreamQueue queue, int streams) {
    ToHost copies = queue.toHost();
    copies.share(); // so that it is not reported again
    String reason =
        "a copy to host memory (operation %d of %s%s) was enqueued, and nobody has awaited it or anything behind it, so that nobody knows whether its bytes are there"
            .formatted(
                copies.last(),
                queue.describe(),
                streams <= MOST_TOLD ? "" : ", one of %d such streams".formatted(streams));
    List<SynchronizationDetector> witnesses = observers.witnesses();
    for (SynchronizationDetector witness : witnesses) {
      witness.copyNeverAwaited(queue, reason);
    }
    if (witnesses.isEmpty()) {
      ProgramLog.warn(
          reason
              + ": await it, or its stream, before the device closes; stretto check, or "
              + Settings.DIAGNOSIS.option()
              + "=true, names the line",
          null);
    }
  }
}
