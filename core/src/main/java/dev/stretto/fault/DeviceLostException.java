package dev.stretto.fault;

/**
 * Thrown when a device can no longer be used, because a kernel faulted on it or the driver lost it;
 * other virtual devices go on. A GPU may take the other GPUs of the process with it.
 *
 * <p>The message begins with what went wrong, as far as that is known; then come the kernel, the
 * line that launched it and its stream, then the device, and the driver's code last. A virtual
 * device knows all of that. CUDA does not say which kernel has faulted: there the kernels are named
 * that were in flight, with their lines if the device was diagnosed or opened with {@code
 * -Ddev.stretto.launchPlaces=true}.
 */
public final class DeviceLostException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what happened, with the numbers, and the way out
   */
  public DeviceLostException(String message) {
    super(message);
  }

  /**
   * Creates an exception with its cause.
   *
   * @param message what happened, with the numbers, and the way out
   * @param cause what caused it
   */
  public DeviceLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
