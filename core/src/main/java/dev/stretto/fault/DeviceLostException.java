package dev.stretto.fault;

/**
 * Thrown when a device can no longer be used because a kernel faulted on it or the driver lost it.
 * Other virtual devices keep working. On a GPU, the loss may extend to the other GPUs of the
 * process.
 *
 * <p>The message begins with the fault, as far as it is known. The kernel, the line that launched
 * it and its stream follow, then the device, and finally the driver's code. A virtual device knows
 * all of these. CUDA does not say which kernel faulted, so on a GPU the message names the kernels
 * that were in flight. It names the lines that launched them only if the device was diagnosed or
 * opened with {@code -Ddev.stretto.launchPlaces=true}.
 */
public final class DeviceLostException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers and the way out
   */
  public DeviceLostException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public DeviceLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
