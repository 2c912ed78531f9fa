package dev.stretto.fault;

/**
 * Thrown when the awaited work can never happen: by every device if it comes after the callback, or
 * the stage of a flow, that awaits it; by a seeded virtual device also if nothing that was enqueued
 * is able to run.
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
