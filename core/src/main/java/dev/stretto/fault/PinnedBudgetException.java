package dev.stretto.fault;

/**
 * Thrown when an allocation would exceed the budget of pinned host memory; nothing was allocated.
 */
public final class PinnedBudgetException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public PinnedBudgetException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public PinnedBudgetException(String message, Throwable cause) {
    super(message, cause);
  }
}
