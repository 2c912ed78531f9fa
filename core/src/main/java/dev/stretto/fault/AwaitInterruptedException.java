package dev.stretto.fault;

/**
 * Thrown when a thread is interrupted while it awaits the GPU. The work goes on, its memory stays
 * alive, and the thread's interrupt status is set.
 */
public final class AwaitInterruptedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public AwaitInterruptedException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public AwaitInterruptedException(String message, Throwable cause) {
    super(message, cause);
  }
}
