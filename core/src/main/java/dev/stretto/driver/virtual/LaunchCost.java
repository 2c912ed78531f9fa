package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/**
 * How long a launch takes on a modelled device that does nothing else.
 *
 * @param memoryNanos the time that its accesses to memory need
 * @param operationNanos the time that its operations need, which run beside its accesses
 */
record LaunchCost(long memoryNanos, long operationNanos) {
  /**
   * {@return what a launch takes}
   *
   * @param parameters the packed parameters
   */
  static LaunchCost of(
      KernelTwin twin, LaunchShape shape, MemorySegment parameters, KernelTwin.Machine machine) {
    KernelTwin.Machine unboundArithmetic =
        new KernelTwin.Machine(
            machine.memoryBytesPerSecond(),
            Double.POSITIVE_INFINITY,
            machine.linkBytesPerSecond(),
            machine.isHost());
    KernelTwin.Machine unboundMemory =
        new KernelTwin.Machine(
            Double.POSITIVE_INFINITY,
            machine.operationsPerSecond(),
            Double.POSITIVE_INFINITY,
            machine.isHost());
    return new LaunchCost(
        Math.max(0, twin.nanos(shape, parameters, unboundArithmetic)),
        Math.max(0, twin.nanos(shape, parameters, unboundMemory)));
  }
}
