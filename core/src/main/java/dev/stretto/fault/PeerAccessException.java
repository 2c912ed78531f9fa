package dev.stretto.fault;

/** Thrown when one device cannot access the memory of another, or no longer may. */
public final class PeerAccessException extends StrettoException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception with its cause.
   *
   * @param message names both devices and the way out
   * @param cause the driver's failure
   */
  public PeerAccessException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Creates an exception.
   *
   * @param message names both devices and the way out
   */
  public PeerAccessException(String message) {
    super(message);
  }
}
