package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A device that can be modelled. Each generation has a class with its devices, which says where
 * each figure comes from: measured here, vendor data, or an estimate.
 *
 * <p>Unless that class says otherwise: the link has the usual rates of PCIe 4 x16 (25 GB/s each
 * way, about 1.9 times that both ways); memory moves 90 % of its peak, counting reads and writes,
 * and copies half of that; fills reach about 85 % of the peak; each multiprocessor does 64
 * operations a clock; call costs and the host are those of the machine of the H200 ({@link
 * DeviceModel#onUsualHost}).
 *
 * @param word its name in a configuration
 * @param model its speed
 * @param product its properties, as ordinal 0
 * @param peers how several devices of this kind reach each other
 */
record DeviceProfile(String word, DeviceModel model, DeviceProperties product, PeerModel peers) {
  /**
   * Host time of a call that launches a graph; estimated from published figures, like all figures
   * for graphs.
   */
  static final long GRAPH_LAUNCH_NANOS = 2_500;

  /** Additional time for each node of the graph. */
  static final long GRAPH_LAUNCH_NODE_NANOS = 25;

  /**
   * Time in which a conditional node reads its condition and starts the chosen body. An H200 takes
   * 5.1 µs for one pass of a loop around an almost empty kernel.
   */
  static final long GRAPH_CONDITION_NANOS = 3_000;

  /** Host time of uploading a graph to the device, by an own call or with the first launch. */
  static final long GRAPH_UPLOAD_NANOS = 6_000;

  /** Additional time for each node of the graph. */
  static final long GRAPH_UPLOAD_NODE_NANOS = 300;

  /** {@return all profiles, oldest first} */
  static List<DeviceProfile> all() {
    return List.of(
        TuringProfiles.T4,
        AmpereProfiles.A100,
        AdaProfiles.L4,
        AdaProfiles.RTX4090,
        HopperProfiles.H100,
        HopperProfiles.H200,
        BlackwellProfiles.B200,
        BlackwellProfiles.RTX5090);
  }

  /** {@return the words of all profiles, for a message} */
  static String words() {
    return all().stream().map(DeviceProfile::word).collect(Collectors.joining(", "));
  }

  /**
   * {@return the properties of a device}
   *
   * @param totalBytes its global memory
   * @param copyEngines how many copy engines it has
   */
  DeviceProperties properties(int ordinal, long totalBytes, int copyEngines) {
    return new DeviceProperties(
        product.name(),
        product.driver(),
        ordinal,
        product.driverVersion(),
        product.computeMajor(),
        product.computeMinor(),
        totalBytes,
        product.multiprocessors(),
        product.warpSize(),
        product.maxThreadsPerBlock(),
        product.maxBlockX(),
        product.maxBlockY(),
        product.maxBlockZ(),
        product.maxGridX(),
        product.maxGridY(),
        product.maxGridZ(),
        product.sharedBytesPerBlock(),
        product.sharedBytesPerBlockOptIn(),
        product.registersPerBlock(),
        copyEngines,
        product.clockKilohertz(),
        product.memoryClockKilohertz(),
        product.memoryBusBits(),
        product.l2Bytes(),
        product.pciBusId(),
        product.lowestPriority(),
        product.greatestPriority());
  }

  /** {@return the properties of a product, from those that differ between products} */
  static DeviceProperties product(
      String name,
      int major,
      int minor,
      long totalBytes,
      int multiprocessors,
      int sharedOptIn,
      int copyEngines,
      int clockKilohertz,
      int memoryClockKilohertz,
      int memoryBusBits,
      int l2Bytes) {
    return new DeviceProperties(
        name,
        /* driver= */ "virtual",
        /* ordinal= */ 0,
        /* driverVersion= */ 13_000,
        major,
        minor,
        totalBytes,
        multiprocessors,
        /* warpSize= */ 32,
        /* maxThreadsPerBlock= */ 1024,
        /* maxBlockX= */ 1024,
        /* maxBlockY= */ 1024,
        /* maxBlockZ= */ 64,
        /* maxGridX= */ Integer.MAX_VALUE,
        /* maxGridY= */ 65_535,
        /* maxGridZ= */ 65_535,
        /* sharedBytesPerBlock= */ 48 << 10,
        sharedOptIn,
        /* registersPerBlock= */ 65_536,
        copyEngines,
        clockKilohertz,
        memoryClockKilohertz,
        memoryBusBits,
        l2Bytes,
        /* pciBusId= */ "",
        /* lowestPriority= */ 0,
        /* greatestPriority= */ -5);
  }
}
