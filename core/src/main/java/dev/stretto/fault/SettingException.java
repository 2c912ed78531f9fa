package dev.stretto.fault;

/**
 * Thrown when a system property of Stretto has a value that is not allowed. The message names the
 * property, the value and the allowed values. Every call that needs the property throws this
 * exception for as long as the value is wrong. The guide's page "Settings" lists all properties.
 */
public final class SettingException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the property, its value and the allowed values
   */
  public SettingException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message the property, its value and the allowed values
   * @param cause the cause
   */
  public SettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
