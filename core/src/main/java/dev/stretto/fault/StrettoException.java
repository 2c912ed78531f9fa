package dev.stretto.fault;

/**
 * The superclass of every exception that Stretto itself defines. Invalid arguments are reported
 * with the JDK's own types ({@link IllegalArgumentException}, {@link IndexOutOfBoundsException},
 * {@link NullPointerException}); failures that are specific to a GPU library have subclasses of
 * this type.
 */
public abstract class StrettoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  protected StrettoException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  protected StrettoException(String message, Throwable cause) {
    super(message, cause);
  }
}
