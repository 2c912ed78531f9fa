package dev.stretto.fault;

/**
 * Thrown when memory cannot be handed to other processes: the driver does not let them open it, as
 * in some containers and on some GPUs, or the system passes on no file descriptors. Nothing was
 * allocated.
 */
public final class NoSharingException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public NoSharingException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public NoSharingException(String message, Throwable cause) {
    super(message, cause);
  }
}
