package dev.stretto.fault;

/**
 * Thrown when a device that was asked for does not exist on this machine or cannot be opened, with
 * the reason. A GPU that this process has lost cannot be opened again by it.
 */
public final class NoSuchDeviceException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public NoSuchDeviceException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what caused it
   */
  public NoSuchDeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
