package dev.stretto.fault;

/**
 * Thrown when a program allocates or frees memory in stream order on a device without memory pools.
 * Nothing was allocated or freed.
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
}
