package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * Devices of compute capability 10.0 and 12.0. None of it is measured.
 *
 * <p>{@link #B200}: vendor data ("NVIDIA Blackwell Architecture Technical Brief" and the data sheet
 * of HGX B200: 180 GB of HBM3e, 8 TB/s, NVLink 5 with 900 GB/s each way; 148 multiprocessors).
 * Peers: nine tenths of that. As devices report it: 1,965 MHz, memory at 3,996 MHz on 8,192 bits,
 * 126 MB of level-2 cache, 183,359 MiB. Estimated: the link, PCIe 5 as on the H200, and copy
 * engines.
 *
 * <p>{@link #RTX5090}: vendor data ("NVIDIA RTX Blackwell GPU Architecture": 170 multiprocessors,
 * 2,407 MHz, 512 bits, 1,792 GB/s, 96 MB of level-2 cache, PCIe 5 x16). Shared memory for a block,
 * 99 KiB: CUDA programming guide. It has no peer access. Estimated: the link as on the H200, and
 * copy engines.
 *
 * <p>Usual rates and estimates are those that {@link DeviceProfile} describes.
 */
final class BlackwellProfiles {
  /** NVIDIA B200 with 180 GB. */
  static final DeviceProfile B200 =
      new DeviceProfile(
          "b200",
          DeviceModel.onUsualHost(
              /* toDevice= */ 55.5e9,
              /* toHost= */ 55.4e9,
              /* bothWays= */ 101.7e9,
              /* pageableToDevice= */ 8.4e9,
              /* pageableToHost= */ 14.6e9,
              /* localCopy= */ 3.6e12,
              /* fill= */ 6.8e12,
              /* memoryTraffic= */ 7.2e12,
              /* operations= */ 18.6e12),
          DeviceProfile.product(
              /* name= */ "NVIDIA B200 (virtual)",
              /* major= */ 10,
              /* minor= */ 0,
              /* totalBytes= */ 183_359L << 20,
              /* multiprocessors= */ 148,
              /* sharedOptIn= */ 232_448,
              /* copyEngines= */ 3,
              /* clockKilohertz= */ 1_965_000,
              /* memoryClockKilohertz= */ 3_996_000,
              /* memoryBusBits= */ 8192,
              /* l2Bytes= */ 126 << 20),
          new PeerModel(Link.NVLINK, 810e9, 1_590e9, 2_000, 38.1e9, 48.0e9));

  /** NVIDIA GeForce RTX 5090. */
  static final DeviceProfile RTX5090 =
      new DeviceProfile(
          "rtx5090",
          DeviceModel.onUsualHost(
              /* toDevice= */ 55.5e9,
              /* toHost= */ 55.4e9,
              /* bothWays= */ 101.7e9,
              /* pageableToDevice= */ 8.4e9,
              /* pageableToHost= */ 14.6e9,
              /* localCopy= */ 0.806e12,
              /* fill= */ 1.52e12,
              /* memoryTraffic= */ 1.61e12,
              /* operations= */ 26.2e12),
          DeviceProfile.product(
              /* name= */ "NVIDIA GeForce RTX 5090 (virtual)",
              /* major= */ 12,
              /* minor= */ 0,
              /* totalBytes= */ 32_607L << 20,
              /* multiprocessors= */ 170,
              /* sharedOptIn= */ 101_376,
              /* copyEngines= */ 2,
              /* clockKilohertz= */ 2_407_000,
              /* memoryClockKilohertz= */ 14_001_000,
              /* memoryBusBits= */ 512,
              /* l2Bytes= */ 96 << 20),
          new PeerModel(Link.HOST, 0, 0, 2_000, 38.1e9, 48.0e9));

  private BlackwellProfiles() {}
}
