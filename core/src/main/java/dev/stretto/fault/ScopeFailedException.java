package dev.stretto.fault;

/**
 * Thrown when a fork or a stream of a scope failed; the cause is what failed first, and what failed
 * after it is suppressed there. The other forks were interrupted.
 */
public final class ScopeFailedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what failed first
   */
  public ScopeFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
