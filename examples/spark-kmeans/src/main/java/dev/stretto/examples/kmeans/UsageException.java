package dev.stretto.examples.kmeans;

/** A command line that cannot be followed. */
public final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * @param message one line that says what to write instead
   */
  public UsageException(String message) {
    super(message);
  }
}
