package dev.stretto.driver;

/**
 * How one device reaches the memory of another of the same driver.
 *
 * @param access whether access can be enabled, so that copies go from device to device and kernels
 *     read and write the other's memory
 * @param link the link between the two
 * @param atomics whether kernels may use atomic operations on the other's memory
 * @param bytesPerSecond the speed of one copy on a modelled device; 0 if it has to be measured
 */
public record PeerProperties(boolean access, Link link, boolean atomics, double bytesPerSecond) {
  /** The link between two devices. */
  public enum Link {
    /** NVLink, directly or through a switch. */
    NVLINK,
    /** The PCIe bus. */
    PCIE,
    /** No link; data goes through host memory. */
    HOST
  }
}
