package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether one opened device can still be used. After a sticky error it is lost for good; each other
 * device has its own state.
 */
final class Health {
  /** The reason why it cannot, with the contents of the exception that every later call throws. */
  private record End(Kind kind, int code, String message) {}

  private static final int CONTEXT_IS_DESTROYED = 709;

  private final int ordinal;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();

  Health(int ordinal) {
    this.ordinal = ordinal;
  }

  /** Throws if the device is lost or closed. */
  void require() {
    End reason = end.get();
    if (reason != null) {
      throw new DriverException(reason.kind, reason.code, reason.message);
    }
  }

  /** The same, for a call that names a handle. */
  void require(long handle, String what) {
    require();
    if (handle == 0) {
      throw invalid(what + " is 0, which is not valid");
    }
  }

  /** {@return whether a sticky error has occurred} */
  boolean isLost() {
    End reason = end.get();
    return reason != null && reason.kind == Kind.LOST;
  }

  /** Refuses all later calls, because the device has been closed. */
  void close() {
    end.set(
        new End(
            Kind.INVALID,
            CONTEXT_IS_DESTROYED,
            "device " + ordinal + " has been closed by the program"));
  }

  /** {@return the exception for an argument that is refused before CUDA sees it} */
  DriverException invalid(String message) {
    return new DriverException(
        Kind.INVALID, CudaError.INVALID_VALUE, "device " + ordinal + ": " + message);
  }

  /**
   * {@return the exception for a call that failed}
   *
   * @param code the result code
   * @param call its name in cuda.h
   * @param values the arguments for the message, or the empty string
   */
  DriverException failure(int code, String call, String values) {
    return failure(code, CudaError.kind(code), call, values);
  }

  /** {@return the same, with a kind that the caller knows better than the code says} */
  DriverException failure(int code, Kind kind, String call, String values) {
    String message =
        call
            + ": "
            + CudaError.describe(code)
            + (values.isEmpty() ? "" : "; " + values)
            + " (device "
            + ordinal
            + ")";
    if (CudaError.isSticky(code)) {
      lose(code, message);
      return new DriverException(Kind.LOST, code, message);
    }
    return new DriverException(kind, code, message);
  }

  // Takes no lock: a call may fail where its thread must not block, see Context.
  private void lose(int code, String message) {
    if (end.get() == null) {
      // Whichever call comes next reports an error of earlier, asynchronous work.
      End lost = new End(Kind.LOST, code, "device " + ordinal + " is lost since " + message);
      boolean _ = end.compareAndSet(null, lost);
    }
  }
}
