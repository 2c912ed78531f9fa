package dev.stretto.driver;

import java.util.Objects;

/**
 * The properties of a device. Sizes are in bytes, clocks in kilohertz.
 *
 * @param name the product's name, such as {@code NVIDIA H200}
 * @param driver {@code cuda} or {@code virtual}
 * @param ordinal the index within the driver
 * @param driverVersion CUDA version that the driver supports, as {@code 1000 * major + 10 * minor}
 * @param computeMajor major compute capability
 * @param computeMinor minor compute capability
 * @param totalBytes global memory
 * @param multiprocessors streaming multiprocessors
 * @param warpSize threads in a warp
 * @param maxThreadsPerBlock the most threads in a block
 * @param maxBlockX the largest extent of a block in x
 * @param maxBlockY the largest extent of a block in y
 * @param maxBlockZ the largest extent of a block in z
 * @param maxGridX the largest extent of a grid in x
 * @param maxGridY the largest extent of a grid in y
 * @param maxGridZ the largest extent of a grid in z
 * @param sharedBytesPerBlock the most shared memory of a block without opting in
 * @param sharedBytesPerBlockOptIn the most shared memory of a block
 * @param registersPerBlock the most 32-bit registers of a block
 * @param copyEngines copy engines that work while kernels run ({@code asyncEngineCount})
 * @param clockKilohertz peak clock of the multiprocessors
 * @param memoryClockKilohertz peak clock of the memory
 * @param memoryBusBits width of the memory bus in bits
 * @param l2Bytes level-2 cache
 * @param pciBusId PCI bus id such as {@code 0000:0a:00.0}, or the empty string if there is none
 * @param lowestPriority numerically greatest stream priority
 * @param greatestPriority numerically least stream priority
 */
public record DeviceProperties(
    String name,
    String driver,
    int ordinal,
    int driverVersion,
    int computeMajor,
    int computeMinor,
    long totalBytes,
    int multiprocessors,
    int warpSize,
    int maxThreadsPerBlock,
    int maxBlockX,
    int maxBlockY,
    int maxBlockZ,
    int maxGridX,
    int maxGridY,
    int maxGridZ,
    int sharedBytesPerBlock,
    int sharedBytesPerBlockOptIn,
    int registersPerBlock,
    int copyEngines,
    int clockKilohertz,
    int memoryClockKilohertz,
    int memoryBusBits,
    int l2Bytes,
    String pciBusId,
    int lowestPriority,
    int greatestPriority) {
  /** Refuses null. */
  public DeviceProperties {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(driver, "driver");
    Objects.requireNonNull(pciBusId, "pciBusId");
  }
}
