package dev.stretto.fault;

/** Thrown when a device has too little free memory for an allocation; nothing was allocated. */
public final class OutOfDeviceMemoryException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public OutOfDeviceMemoryException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public OutOfDeviceMemoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
