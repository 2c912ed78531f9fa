package dev.stretto.fault;

/**
 * Thrown on a seeded virtual device when the awaited work can never happen: nothing that was
 * enqueued is able to run.
 */
public final class DeadlockException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public DeadlockException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what caused it
   */
  public DeadlockException(String message, Throwable cause) {
    super(message, cause);
  }
}
