package dev.stretto.fault;

/**
 * The root of every exception that Stretto itself defines. Wrong arguments are reported with the
 * JDK's own types ({@link IllegalArgumentException}, {@link IndexOutOfBoundsException}, {@link
 * NullPointerException}); what only a GPU library can go through has a type below this one.
 */
public abstract class StrettoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  protected StrettoException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what caused it
   */
  protected StrettoException(String message, Throwable cause) {
    super(message, cause);
  }
}
