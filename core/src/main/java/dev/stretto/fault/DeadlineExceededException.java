package dev.stretto.fault;

import java.util.List;
import java.util.Objects;

/**
 * Thrown when a scope is not done by its deadline. Its forks are interrupted, and nothing more is
 * enqueued. Operations that were already enqueued run to their end, and their memory stays alive
 * until then.
 */
public final class DeadlineExceededException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The work in flight, one clause each. It is an array because exceptions are serializable. */
  private final String[] inFlight;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   * @param inFlight the unfinished work: one clause for each stream, and one for the forks
   */
  public DeadlineExceededException(String message, List<String> inFlight) {
    super(message);
    for (String clause : Objects.requireNonNull(inFlight, "inFlight")) {
      Objects.requireNonNull(clause, "an element of inFlight");
    }
    this.inFlight = inFlight.toArray(String[]::new);
  }

  /** {@return the unfinished work: one clause for each stream, and one for the forks} */
  public List<String> inFlight() {
    return List.of(inFlight);
  }
}
