package dev.stretto.fault;

/** Thrown when a copy fails after it has started. The message says how many bytes had arrived. */
public final class CopyFailedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public CopyFailedException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public CopyFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
