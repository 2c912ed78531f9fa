package dev.stretto.driver;

/**
 * How one device reaches the memory of another of the same driver.
 *
 * @param access whether access can be enabled, so that copies go from device to device and kernels
 *     read and write the other's memory
 * @param link what joins the two
 * @param atomics whether kernels may use atomic operations on the other's memory
 * @param bytesPerSecond of one copy on a modelled device; 0 where it has to be measured
 */
public record PeerProperties(boolean access, Link link, boolean atomics, double bytesPerSecond) {
  /** What joins two devices. */
  public enum Link {
    /** NVLink, directly or through a switch. */
    NVLINK,
    /** The PCIe bus. */
    PCIE,
    /** No way but through the memory of the host. */
    HOST
  }
}
