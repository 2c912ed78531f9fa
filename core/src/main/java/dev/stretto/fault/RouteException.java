package dev.stretto.fault;

/** Thrown when a copy cannot take the route that was demanded; nothing was enqueued. */
public final class RouteException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public RouteException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public RouteException(String message, Throwable cause) {
    super(message, cause);
  }
}
