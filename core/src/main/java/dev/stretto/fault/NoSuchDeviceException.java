package dev.stretto.fault;

/**
 * Thrown when a device that was asked for by name does not exist on this machine, with the reason.
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
