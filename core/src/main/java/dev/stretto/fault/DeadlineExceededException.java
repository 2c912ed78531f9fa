package dev.stretto.fault;

import java.util.List;
import java.util.Objects;

/**
 * Thrown when a scope was not done by its deadline. Its forks were interrupted and nothing more is
 * enqueued; what had been enqueued runs to its end, and its memory stays alive until then.
 */
public final class DeadlineExceededException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** What was in flight, a clause each; an array, for exceptions are serializable. */
  private final String[] inFlight;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   * @param inFlight what was not done by then, a clause for each stream and one for the forks
   */
  public DeadlineExceededException(String message, List<String> inFlight) {
    super(message);
    for (String clause : Objects.requireNonNull(inFlight, "inFlight")) {
      Objects.requireNonNull(clause, "an element of inFlight");
    }
    this.inFlight = inFlight.toArray(String[]::new);
  }

  /** {@return what was not done by then: a clause for each stream, and one for the forks} */
  public List<String> inFlight() {
    return List.of(inFlight);
  }
}
