package dev.stretto.compiler.classfile;

/** A kernel does what only its own method does on the JVM so far. */
public final class NotForCallsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param what what it does
   */
  public NotForCallsException(String what) {
    super(what, null, false, false);
  }
}
