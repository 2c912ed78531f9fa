package dev.stretto.fault;

/**
 * Thrown when memory is to be allocated or freed in the order of a stream on a device that has no
 * memory pools; nothing was allocated or freed.
 */
public final class NoMemoryPoolException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public NoMemoryPoolException(String message) {
    super(message);
  }
}
