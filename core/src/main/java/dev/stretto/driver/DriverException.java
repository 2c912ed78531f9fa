package dev.stretto.driver;

import dev.stretto.fault.StrettoException;
import java.util.Objects;

/** A driver call returned an error. */
public final class DriverException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** What kind of error it is, as far as the layers above care. */
  public enum Kind {
    /** Too little device memory. */
    OUT_OF_MEMORY,
    /** Too little host memory that can be pinned. */
    OUT_OF_HOST_MEMORY,
    /** The image or the entry could not be loaded; the message holds the log. */
    BAD_IMAGE,
    /** The call's values were refused. */
    INVALID,
    /**
     * The context is gone (a kernel faulted, the device fell off the bus): every later call fails
     * too.
     */
    LOST,
    /** On a seeded virtual device: nothing that is enqueued can run. */
    DEADLOCK,
    /** Anything else. */
    OTHER
  }

  /** What the layers above need to know. */
  private final Kind kind;

  /** The CUDA result code. */
  private final int code;

  /** The message without the finding. */
  private final String call;

  /** What lost the device, as far as that is known; empty if it is not. */
  private final String finding;

  /**
   * Creates an exception.
   *
   * @param kind what the layers above need to know
   * @param code the CUDA result code, or the one that CUDA would have given
   * @param message the call, the code's name and its meaning, and any log
   */
  public DriverException(Kind kind, int code, String message) {
    this(kind, code, message, "");
  }

  /**
   * Creates an exception about a device that is lost.
   *
   * @param kind what the layers above need to know
   * @param code the CUDA result code, or the one that CUDA would have given
   * @param message the call, the code's name and its meaning
   * @param finding what lost the device, and where in which kernel; empty if nobody knows
   */
  public DriverException(Kind kind, int code, String message, String finding) {
    super(
        Objects.requireNonNull(finding, "finding").isEmpty() ? message : message + ": " + finding);
    this.kind = kind;
    this.code = code;
    this.call = message;
    this.finding = finding;
  }

  /** {@return what the layers above need to know} */
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

  /** {@return what lost the device, and where in which kernel; empty if nobody knows} */
  public String finding() {
    return finding;
  }
}
