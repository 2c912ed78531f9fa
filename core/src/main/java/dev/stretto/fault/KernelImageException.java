package dev.stretto.fault;

/** Thrown when a PTX text or a cubin cannot be loaded; the message holds the assembler's log. */
public final class KernelImageException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public KernelImageException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what caused it
   */
  public KernelImageException(String message, Throwable cause) {
    super(message, cause);
  }
}
