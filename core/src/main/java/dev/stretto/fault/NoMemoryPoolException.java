package dev.stretto.fault;

/**
 * Thrown when a program allocates or frees memory in stream order on a device without memory pools,
 * or makes a pool of its own where the driver has none. Nothing was allocated or freed.
 */
public final class NoMemoryPoolException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public NoMemoryPoolException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public NoMemoryPoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
