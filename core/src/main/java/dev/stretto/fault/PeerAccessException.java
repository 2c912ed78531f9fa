package dev.stretto.fault;

/** One device cannot address the memory of another, or may not any more. */
public final class PeerAccessException extends StrettoException {
  private static final long serialVersionUID = 1;

  /**
   * With what the driver said.
   *
   * @param message names both devices and the way out
   * @param cause what the driver said
   */
  public PeerAccessException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Without a cause.
   *
   * @param message names both devices and the way out
   */
  public PeerAccessException(String message) {
    super(message);
  }
}
