package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many clusters of a launch the device's multiprocessors hold at the same time, and where they
 * meet.
 */
final class Residency {
  private final AtomicLong free;
  private final MemorySegment meeting = MemorySegment.ofArray(new long[2]);

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

  /** The word at which the blocks of a cooperative launch meet. */
  MemorySegment meeting() {
    return meeting;
  }

  void dismiss() {
    free.incrementAndGet();
  }
}
