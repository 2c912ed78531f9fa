package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.PeerProperties.Link;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A device that can be modelled. This class has all constants of the model.
 *
 * <p>Sources of the figures:
 *
 * <ul>
 *   <li>{@link #H200}: measured by this project on an H200 SXM (driver 580.159, CUDA 13.0, PCIe 5
 *       x16, 16-core virtual machine): all link, pageable and local-copy rates, memory traffic, all
 *       submit costs (the 0.25 µs of a record and a wait together; the split is an estimate), the
 *       engine's time per copy (from copies of 4 KiB, 64 KiB and 1 MiB), copy engines, memory size,
 *       cores, host memory and file rates (ext4, page-cached, files of 4 GiB; the rates of pageable
 *       copies and of several writers on other machines of this kind, as medians of eleven runs and
 *       of three). Vendor data: the other properties. Estimated until they are calibrated: fill
 *       rate, time of an empty kernel, wake-up, and the operation rate (64 a clock in each
 *       multiprocessor).
 *   <li>Peers of {@link #H200}: measured by this project on two H200s of one host (NV18, driver
 *       580.159): 1 GiB each way and both ways, with and without access, and 4 KiB. Those of {@link
 *       #A100}: nine tenths of NVLink 3's 300 GB/s each way; through the host in proportion to the
 *       link. {@link #RTX4090} has no peer access.
 *   <li>{@link #A100} (SXM4, 80 GB) and {@link #RTX4090}: vendor data for the properties and the
 *       peak memory bandwidth; the link with the usual rates of PCIe 4 x16 (25 GB/s each way, about
 *       1.9 times that both ways); memory at 90 % of its peak; the operation rate as above; call
 *       costs and host as for the machine of the H200.
 * </ul>
 *
 * @param word its name in a configuration
 * @param model its speed
 * @param product its properties, as ordinal 0
 * @param peers how several devices of this kind reach each other
 */
record DeviceProfile(String word, DeviceModel model, DeviceProperties product, PeerModel peers) {
  /** NVIDIA H200 SXM. */
  static final DeviceProfile H200 =
      new DeviceProfile(
          "h200",
          new DeviceModel(
              /* toDevice= */ 55.5e9,
              /* toHost= */ 55.4e9,
              /* bothWays= */ 101.7e9,
              /* pageableToDevice= */ 8.4e9,
              /* pageableToHost= */ 14.6e9,
              /* localCopy= */ 2.11e12,
              /* fill= */ 3.6e12,
              /* memoryTraffic= */ 4.22e12,
              /* operations= */ 16.7e12,
              /* copySubmitNanos= */ 1_600,
              /* launchSubmitNanos= */ 2_700,
              /* recordSubmitNanos= */ 150,
              /* waitSubmitNanos= */ 100,
              /* copyEngineNanos= */ 2_530,
              /* kernelNanos= */ 1_500,
              /* wakeUpNanos= */ 5_000,
              /* hostCopy= */ 10.3e9,
              /* fileRead= */ 7.2e9,
              /* fileWrite= */ 5.2e9,
              /* fileWrites= */ 10.0e9,
              /* hostCores= */ 16),
          product(
              /* name= */ "NVIDIA H200 (virtual)",
              /* major= */ 9,
              /* minor= */ 0,
              /* totalBytes= */ 143_771L << 20,
              /* multiprocessors= */ 132,
              /* sharedOptIn= */ 232_448,
              /* copyEngines= */ 3,
              /* clockKilohertz= */ 1_980_000,
              /* memoryClockKilohertz= */ 3_201_000,
              /* memoryBusBits= */ 6144,
              /* l2Bytes= */ 60 << 20),
          new PeerModel(Link.NVLINK, 396e9, 782e9, 2_000, 38.1e9, 48.0e9));

  /** NVIDIA A100 SXM4 with 80 GB. */
  static final DeviceProfile A100 =
      new DeviceProfile(
          "a100",
          new DeviceModel(
              /* toDevice= */ 25.0e9,
              /* toHost= */ 25.5e9,
              /* bothWays= */ 47.0e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.915e12,
              /* fill= */ 1.6e12,
              /* memoryTraffic= */ 1.83e12,
              /* operations= */ 9.7e12,
              /* copySubmitNanos= */ 1_600,
              /* launchSubmitNanos= */ 2_700,
              /* recordSubmitNanos= */ 150,
              /* waitSubmitNanos= */ 100,
              /* copyEngineNanos= */ 2_530,
              /* kernelNanos= */ 1_500,
              /* wakeUpNanos= */ 5_000,
              /* hostCopy= */ 10.3e9,
              /* fileRead= */ 7.2e9,
              /* fileWrite= */ 5.2e9,
              /* fileWrites= */ 10.0e9,
              /* hostCores= */ 16),
          product(
              /* name= */ "NVIDIA A100-SXM4-80GB (virtual)",
              /* major= */ 8,
              /* minor= */ 0,
              /* totalBytes= */ 81_050L << 20,
              /* multiprocessors= */ 108,
              /* sharedOptIn= */ 166_912,
              /* copyEngines= */ 3,
              /* clockKilohertz= */ 1_410_000,
              /* memoryClockKilohertz= */ 1_593_000,
              /* memoryBusBits= */ 5120,
              /* l2Bytes= */ 40 << 20),
          new PeerModel(Link.NVLINK, 270e9, 530e9, 2_000, 17.2e9, 22.0e9));

  /** NVIDIA GeForce RTX 4090. */
  static final DeviceProfile RTX4090 =
      new DeviceProfile(
          "rtx4090",
          new DeviceModel(
              /* toDevice= */ 25.0e9,
              /* toHost= */ 25.5e9,
              /* bothWays= */ 47.0e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.455e12,
              /* fill= */ 0.85e12,
              /* memoryTraffic= */ 0.91e12,
              /* operations= */ 20.6e12,
              /* copySubmitNanos= */ 1_600,
              /* launchSubmitNanos= */ 2_700,
              /* recordSubmitNanos= */ 150,
              /* waitSubmitNanos= */ 100,
              /* copyEngineNanos= */ 2_530,
              /* kernelNanos= */ 1_500,
              /* wakeUpNanos= */ 5_000,
              /* hostCopy= */ 10.3e9,
              /* fileRead= */ 7.2e9,
              /* fileWrite= */ 5.2e9,
              /* fileWrites= */ 10.0e9,
              /* hostCores= */ 16),
          product(
              /* name= */ "NVIDIA GeForce RTX 4090 (virtual)",
              /* major= */ 8,
              /* minor= */ 9,
              /* totalBytes= */ 24_217L << 20,
              /* multiprocessors= */ 128,
              /* sharedOptIn= */ 101_376,
              /* copyEngines= */ 2,
              /* clockKilohertz= */ 2_520_000,
              /* memoryClockKilohertz= */ 10_501_000,
              /* memoryBusBits= */ 384,
              /* l2Bytes= */ 72 << 20),
          new PeerModel(Link.HOST, 0, 0, 2_000, 17.2e9, 22.0e9));

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

  /** All profiles. */
  static final List<DeviceProfile> ALL = List.of(H200, A100, RTX4090);

  /** {@return the words of all profiles, for a message} */
  static String words() {
    return ALL.stream().map(DeviceProfile::word).collect(Collectors.joining(", "));
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
  private static DeviceProperties product(
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
