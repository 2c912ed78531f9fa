package dev.stretto.junit;

import dev.stretto.schedule.Explorer;
import dev.stretto.schedule.Outcome;
import dev.stretto.schedule.Shrunk;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds a short run that fails as one of a test has, and describes it. */
final class ShortestRun {
  /** So often the test runs again at most. */
  private static final int RUNS = 1_000;

  /** After that much time every run counts as one that does not fail, so that the search ends. */
  private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

  private ShortestRun() {}

  /**
   * {@return the shortest run that was found, in words; nothing if the test cannot be run again, or
   * does not fail then}
   *
   * @param run the run that has failed
   * @param test the test
   * @param thrown what it threw
   */
  static Optional<String> of(Run run, Rerun test, Throwable thrown) {
    if (!run.isScheduled() || run.fault() > 0 || !test.isPossible()) {
      return Optional.empty();
    }
    long until = System.nanoTime() + NANOS;
    Explorer explorer = Explorer.of(run.scheduledWords());
    Outcome failing =
        run.trace().isPresent()
            ? explorer.replay(run.trace().get(), test)
            : explorer.run(run.seed().orElseThrow(), test);
    boolean isAlike =
        failing.failure().filter(again -> again.getClass().equals(thrown.getClass())).isPresent();
    if (!isAlike) {
      return Optional.empty();
    }
    Shrunk shrunk =
        explorer.shrink(
            failing,
            devices -> {
              if (System.nanoTime() < until) {
                test.run(devices);
              }
            },
            RUNS);
    return Optional.of(describe(shrunk));
  }

  private static String describe(Shrunk shrunk) {
    return "The shortest run that fails so, from top to bottom:%n%s%nIt alone: \"-D%s=%s\""
        .formatted(shrunk.picture().stripTrailing(), Parameters.REPLAY, shrunk.outcome().trace());
  }
}
