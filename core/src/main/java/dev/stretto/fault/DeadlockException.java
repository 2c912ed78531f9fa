package dev.stretto.fault;

/**
 * Thrown when the awaited work can never happen. Every device throws it if the work comes after the
 * callback, or after the stage of a flow, that awaits it. A seeded virtual device also throws it if
 * no enqueued operation is able to run.
 */
public final class DeadlockException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public DeadlockException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public DeadlockException(String message, Throwable cause) {
    super(message, cause);
  }
}
