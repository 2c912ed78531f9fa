package dev.stretto.fault;

/**
 * Thrown when a method uses Java that a kernel may not use. Nothing was enqueued. The message names
 * the file and the line, the construct that is refused, and what to write instead.
 */
public final class KernelRefusedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The source file's name. */
  private final String file;

  /** The line; 0 if the class file has no line numbers. */
  private final int line;

  /** The construct that is refused. */
  private final String reason;

  /** What to write instead. */
  private final String advice;

  /**
   * Creates an exception.
   *
   * @param file the source file's name
   * @param line the line; 0 if the class file has no line numbers
   * @param reason the construct that is refused
   * @param advice what to write instead
   */
  public KernelRefusedException(String file, int line, String reason, String advice) {
    super(file + ":" + line + ": " + reason + "; " + advice);
    this.file = file;
    this.line = line;
    this.reason = reason;
    this.advice = advice;
  }

  /** {@return the source file's name} */
  public String file() {
    return file;
  }

  /** {@return the line; 0 if the class file has no line numbers} */
  public int line() {
    return line;
  }

  /** {@return the construct that is refused} */
  public String reason() {
    return reason;
  }

  /** {@return what to write instead} */
  public String advice() {
    return advice;
  }
}
