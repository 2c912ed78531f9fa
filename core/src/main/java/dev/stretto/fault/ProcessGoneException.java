package dev.stretto.fault;

/**
 * Thrown when work depends on another process that has ended, or on something that it no longer
 * shares. What the process had enqueued may or may not have been done.
 */
public final class ProcessGoneException extends StrettoException {
  private static final long serialVersionUID = 1;

  /** The number of the process, as the operating system counts them. */
  private final long process;

  /**
   * Creates an exception.
   *
   * @param process the number of the process
   * @param message what happened, with the numbers and the way out
   */
  public ProcessGoneException(long process, String message) {
    super(message);
    this.process = process;
  }

  /**
   * Creates an exception with its cause.
   *
   * @param process the number of the process
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public ProcessGoneException(long process, String message, Throwable cause) {
    super(message, cause);
    this.process = process;
  }

  /** {@return the number of the process, as the operating system counts them} */
  public long process() {
    return process;
  }
}
