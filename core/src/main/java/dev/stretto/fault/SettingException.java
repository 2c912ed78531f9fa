package dev.stretto.fault;

/**
 * Thrown when a system property of Stretto has a value that it cannot have. The message names the
 * property, the value and what is allowed. It is thrown by every call that needs the property, for
 * as long as the value is wrong; the guide lists all properties on its page "Settings".
 */
public final class SettingException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the property, its value and what is allowed
   */
  public SettingException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message the property, its value and what is allowed
   * @param cause what caused it
   */
  public SettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
