package dev.stretto.flow;

import dev.stretto.fault.StrettoException;

/**
 * Thrown when a flow could not be completed; the cause is the first failure, and the message says
 * how much had been written.
 */
public final class FlowException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public FlowException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause the first failure
   */
  public FlowException(String message, Throwable cause) {
    super(message, cause);
  }
}
