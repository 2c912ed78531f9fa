package dev.stretto.schedule;

import java.util.Objects;
import java.util.Optional;

/**
 * The end of a run.
 *
 * @param trace what happened until the program ended
 * @param misfits how often a repeated run went another way than its trace; 0 if a seed chose
 * @param failure what the program threw, if it failed
 */
public record Outcome(Trace trace, int misfits, Optional<Throwable> failure) {
  /** Checks for null. */
  public Outcome {
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(failure, "failure");
  }

  /** {@return whether the program failed} */
  public boolean failed() {
    return failure.isPresent();
  }

  /** {@return whether two runs failed by the same kind of exception} */
  boolean failedLike(Outcome other) {
    return failed()
        && other.failed()
        && failure.get().getClass().equals(other.failure.get().getClass());
  }
}
