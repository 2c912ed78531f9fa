package dev.stretto.fault;

/**
 * Thrown when a launch asks for more than the device or the kernel offers. Nothing was enqueued. If
 * the launch was held back and the driver refuses it later, the exception is thrown where the work
 * is awaited. It then names the kernel, the stream and, if known, the line that launched it.
 */
public final class LaunchException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public LaunchException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public LaunchException(String message, Throwable cause) {
    super(message, cause);
  }
}
