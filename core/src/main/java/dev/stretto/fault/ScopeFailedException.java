package dev.stretto.fault;

/**
 * Thrown when a fork or a stream of a scope fails. The cause is the first failure; later failures
 * are suppressed exceptions of the cause. The other forks are interrupted.
 */
public final class ScopeFailedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the first failure
   */
  public ScopeFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
