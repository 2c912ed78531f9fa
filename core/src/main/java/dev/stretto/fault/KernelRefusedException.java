package dev.stretto.fault;

/**
 * Thrown when a method is not the Java that a kernel may use. Nothing was enqueued. The message
 * says the file and the line, what stands there, and what to write instead.
 */
public final class KernelRefusedException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The source file's name. */
  private final String file;

  /** The line, 0 where the class file does not tell. */
  private final int line;

  /** What stands there. */
  private final String reason;

  /** What to write instead. */
  private final String advice;

  /**
   * Creates an exception.
   *
   * @param file the source file's name
   * @param line the line, 0 where the class file does not tell
   * @param reason what stands there
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

  /** {@return the line, 0 where the class file does not tell} */
  public int line() {
    return line;
  }

  /** {@return what stands there} */
  public String reason() {
    return reason;
  }

  /** {@return what to write instead} */
  public String advice() {
    return advice;
  }
}
