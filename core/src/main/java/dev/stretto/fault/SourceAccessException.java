package dev.stretto.fault;

/**
 * Thrown when the source of a copy cannot be read at the time that the program demands. Nothing was
 * enqueued.
 */
public final class SourceAccessException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what cannot be honoured, with the numbers, and the way out
   */
  public SourceAccessException(String message) {
    super(message);
  }
}
