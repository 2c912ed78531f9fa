package dev.stretto.driver.virtual;

import org.jspecify.annotations.Nullable;

/** Memory that work of a device reaches by its address: its own, a peer's, and the host's. */
final class Reached {
  private Reached() {}

  /**
   * {@return the memory that holds an address; the caller releases it}
   *
   * @param what reaches it, for the report
   */
  static Backing at(PrimaryContext context, String what, long address) {
    HostRange pinned = pinned(context, address);
    return pinned == null
        ? space(context, address).retain(what, address, 1, CudaResult.ILLEGAL_ADDRESS)
        : pinned;
  }

  /** Refuses an address that no memory of the device holds, nor the host's, when it is given. */
  static void check(PrimaryContext context, String call, long address, long bytes) {
    HostRange pinned = pinned(context, address);
    if (pinned == null) {
      space(context, address).check(call, address, bytes);
    } else {
      pinned.release();
    }
  }

  /** As with CUDA's unified addressing, pinned memory has the same address on every device. */
  private static @Nullable HostRange pinned(PrimaryContext context, long address) {
    return DeviceSpace.isDeviceAddress(address)
        ? null
        : context.platform().hostSpace().retain(address, 1);
  }

  /**
   * {@return a peer's space if access is enabled, else the device's own, which reports the error}
   */
  private static DeviceSpace space(PrimaryContext context, long address) {
    Platform platform = context.platform();
    platform.lock().lock();
    try {
      PrimaryContext owner = platform.owner(address);
      return owner != null && context.reaches(owner) ? owner.memory() : context.memory();
    } finally {
      platform.lock().unlock();
    }
  }
}
