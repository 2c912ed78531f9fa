package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * Devices of compute capability 9.0.
 *
 * <p>{@link #H200}: measured by this project on an H200 SXM (driver 580.159, CUDA 13.0, PCIe 5 x16,
 * 16-core virtual machine): all link, pageable and local-copy rates, memory traffic, all submit
 * costs (the 0.25 µs of a record and a wait together; the split is an estimate), the engine's time
 * per copy (from copies of 4 KiB, 64 KiB and 1 MiB), copy engines, memory size, cores, host memory
 * and file rates (ext4, page-cached, files of 4 GiB; the rates of pageable copies and of several
 * writers on other machines of this kind, as medians of eleven runs and of three). Vendor data: the
 * other properties. Estimated until they are calibrated: fill rate, time of an empty kernel,
 * wake-up, and the operation rate. Its peers: measured on two H200s of one host (NV18, driver
 * 580.159): 1 GiB each way and both ways, with and without access, and 4 KiB.
 *
 * <p>{@link #H100} (SXM, 80 GB): vendor data ("NVIDIA H100 Tensor Core GPU Architecture": 132
 * multiprocessors, 50 MB of level-2 cache, 5,120 bits, 3.35 TB/s). Not measured: the link and the
 * peers are taken to be those of the H200, which has the same ones (PCIe 5 x16, NVLink 4).
 *
 * <p>Usual rates and estimates are those that {@link DeviceProfile} describes.
 */
final class HopperProfiles {
  /** NVIDIA H100 SXM with 80 GB. */
  static final DeviceProfile H100 =
      new DeviceProfile(
          "h100",
          DeviceModel.onUsualHost(
              /* toDevice= */ 55.5e9,
              /* toHost= */ 55.4e9,
              /* bothWays= */ 101.7e9,
              /* pageableToDevice= */ 8.4e9,
              /* pageableToHost= */ 14.6e9,
              /* localCopy= */ 1.51e12,
              /* fill= */ 2.85e12,
              /* memoryTraffic= */ 3.02e12,
              /* operations= */ 16.7e12),
          DeviceProfile.product(
              /* name= */ "NVIDIA H100 80GB HBM3 (virtual)",
              /* major= */ 9,
              /* minor= */ 0,
              /* totalBytes= */ 81_559L << 20,
              /* multiprocessors= */ 132,
              /* sharedOptIn= */ 232_448,
              /* copyEngines= */ 3,
              /* clockKilohertz= */ 1_980_000,
              /* memoryClockKilohertz= */ 2_619_000,
              /* memoryBusBits= */ 5120,
              /* l2Bytes= */ 50 << 20),
          new PeerModel(Link.NVLINK, 396e9, 782e9, 2_000, 38.1e9, 48.0e9));

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
          DeviceProfile.product(
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

  private HopperProfiles() {}
}
