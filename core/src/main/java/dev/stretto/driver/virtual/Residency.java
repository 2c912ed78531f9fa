package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.LaunchShape;
import java.util.concurrent.atomic.AtomicLong;

/** How many clusters of a launch the device's multiprocessors hold at the same time. */
final class Residency {
  private static final int RESERVED_BYTES = 1024;

  private final AtomicLong free;

  /**
   * Creates the room for a launch, as if no other launch ran.
   *
   * @param sharedBytes shared memory of a block, static and dynamic
   */
  Residency(LaunchShape shape, long sharedBytes, DeviceProperties device) {
    long blocks =
        Math.min(
            blocks(device),
            Math.min(
                threads(device) / Math.max(1, shape.threadsPerBlock()),
                sharedBytes(device) / (sharedBytes + RESERVED_BYTES)));
    long all = Math.max(1, blocks) * device.multiprocessors() / shape.blocksPerCluster();
    this.free = new AtomicLong(Math.max(0, all - 1)); // the first cluster is already resident
  }

  boolean admit() {
    return free.getAndUpdate(room -> Math.max(0, room - 1)) > 0;
  }

  void dismiss() {
    free.incrementAndGet();
  }

  private static int capability(DeviceProperties device) {
    return 10 * device.computeMajor() + device.computeMinor();
  }

  // The resources of a multiprocessor, from CUDA's table of compute capabilities.

  private static long blocks(DeviceProperties device) {
    return switch (capability(device)) {
      case 75, 86, 87 -> 16;
      case 89, 120 -> 24;
      default -> 32;
    };
  }

  private static long threads(DeviceProperties device) {
    return switch (capability(device)) {
      case 75 -> 1024;
      case 86, 87, 89, 120 -> 1536;
      default -> 2048;
    };
  }

  private static long sharedBytes(DeviceProperties device) {
    return (long) device.sharedBytesPerBlockOptIn() + RESERVED_BYTES;
  }
}
