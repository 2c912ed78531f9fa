package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.route.StartedWork;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells of work that a program has started and nobody has awaited: its diagnoses, or the log if
 * there is none.
 */
final class NeverAwaited implements StartedWork.Teller {
  private final Observers observers;

  NeverAwaited(Observers observers) {
    this.observers = observers;
  }

  @Override
  public void neverAwaited(StartedWork work, boolean processEnds) {
    Throwable failure = work.failure();
    String reason =
        "%s was started, and nobody has awaited it, so that nobody knows whether all of it was done%s"
            .formatted(work.what(), failure == null ? "" : "; it has failed: " + failure);
    List<Witness> witnesses = observers.witnesses();
    for (Witness witness : witnesses) {
      witness.neverAwaited(work.place(), reason);
    }
    if (witnesses.isEmpty()) {
      log(
          "%s (started at %s): %s".formatted(reason, work.place(), Rule.NEVER_AWAITED.advice()),
          failure,
          processEnds);
    }
  }

  /**
   * The JDK's own loggers are switched off by a thread of their own while a process ends; what they
   * would have printed is printed.
   */
  private static void log(String message, @Nullable Throwable failure, boolean processEnds) {
    System.Logger logger = System.getLogger("dev.stretto");
    String backend = logger.getClass().getName();
    if (processEnds && (backend.startsWith("sun.") || backend.startsWith("jdk."))) {
      System.err.println("WARNING: " + message);
      System.err.flush();
    } else if (failure == null) {
      logger.log(Level.WARNING, message);
    } else {
      logger.log(Level.WARNING, message, failure);
    }
  }
}
