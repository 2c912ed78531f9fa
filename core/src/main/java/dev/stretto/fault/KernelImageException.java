package dev.stretto.fault;

/** Thrown when PTX text or a cubin cannot be loaded. The message contains the assembler's log. */
public final class KernelImageException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public KernelImageException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public KernelImageException(String message, Throwable cause) {
    super(message, cause);
  }
}
