package dev.stretto.driver;

import dev.stretto.fault.StrettoException;
import java.util.Objects;

/** A driver call returned an error. */
public final class DriverException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The kind of an error, as far as it matters to the layers above. */
  public enum Kind {
    /** Too little device memory. */
    OUT_OF_MEMORY,
    /** Too little host memory that can be pinned. */
    OUT_OF_HOST_MEMORY,
    /** The image or the entry could not be loaded; the message holds the log. */
    BAD_IMAGE,
    /** The driver refused the call's arguments. */
    INVALID,
    /**
     * The context is lost (a kernel faulted, or the device fell off the bus). Every later call
     * fails too.
     */
    LOST,
    /** No enqueued operation of a seeded virtual device can run. */
    DEADLOCK,
    /** Anything else. */
    OTHER
  }

  /** The kind of the error. */
  private final Kind kind;

  /** The CUDA result code. */
  private final int code;

  /** The message without the finding. */
  private final String call;

  /** What lost the device; empty if that is not known. */
  private final String finding;

  /**
   * Creates an exception.
   *
   * @param kind the kind of the error
   * @param code the CUDA result code, or the one that CUDA would have returned
   * @param message the call, the code's name and its meaning, and any log
   */
  public DriverException(Kind kind, int code, String message) {
    this(kind, code, message, "");
  }

  /**
   * Creates an exception about a device that is lost.
   *
   * @param kind the kind of the error
   * @param code the CUDA result code, or the one that CUDA would have returned
   * @param message the call, the code's name and its meaning
   * @param finding what lost the device, and where in which kernel; empty if that is not known
   */
  public DriverException(Kind kind, int code, String message, String finding) {
    super(
        Objects.requireNonNull(finding, "finding").isEmpty() ? message : message + ": " + finding);
    this.kind = kind;
    this.code = code;
    this.call = message;
    this.finding = finding;
  }

  /** {@return the kind of the error} */
  public Kind kind() {
    return kind;
  }

  /** {@return the CUDA result code} */
  public int code() {
    return code;
  }

  /** {@return the call, the code's name and its meaning, without what lost the device} */
  public String call() {
    return call;
  }

  /** {@return what lost the device, and where in which kernel; empty if that is not known} */
  public String finding() {
    return finding;
  }
}
