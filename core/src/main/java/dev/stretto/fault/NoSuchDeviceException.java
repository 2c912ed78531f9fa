package dev.stretto.fault;

/**
 * Thrown when a requested device does not exist on this machine or cannot be opened. The message
 * says why. A process cannot reopen a GPU that it has lost.
 */
public final class NoSuchDeviceException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public NoSuchDeviceException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public NoSuchDeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
