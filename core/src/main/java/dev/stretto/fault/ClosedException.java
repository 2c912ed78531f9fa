package dev.stretto.fault;

/** Thrown when memory, a stream, an arena or a device is used after it has been closed. */
public final class ClosedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public ClosedException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public ClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
