package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import java.util.concurrent.atomic.AtomicLong;

/** How many clusters of a launch the device's multiprocessors hold at the same time. */
final class Residency {
  private final AtomicLong free;

  /**
   * Creates the room for a launch, as if no other launch ran.
   *
   * @param kernel its registers and static shared memory
   */
  Residency(LaunchShape shape, FunctionProperties kernel, DeviceProperties device) {
    long blocks = Multiprocessor.blocks(kernel, shape, device);
    long all = Math.max(1, blocks) * device.multiprocessors() / shape.blocksPerCluster();
    this.free = new AtomicLong(Math.max(0, all - 1)); // the first cluster is already resident
  }

  boolean admit() {
    return free.getAndUpdate(room -> Math.max(0, room - 1)) > 0;
  }

  void dismiss() {
    free.incrementAndGet();
  }
}
