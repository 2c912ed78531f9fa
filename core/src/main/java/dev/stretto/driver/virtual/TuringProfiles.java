package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * Devices of compute capability 7.5.
 *
 * <p>{@link #T4}: vendor data ("NVIDIA T4 Tensor Core GPU" product brief, PB-09256-001: 16 GB of
 * GDDR6 at 5,001 MHz on 256 bits, 320 GB/s, PCIe 3 x16; 40 multiprocessors and 1,590 MHz by its
 * data sheet; 64 KiB of shared memory for a block by the CUDA programming guide). Estimated: the
 * link, half of what PCIe 4 usually gives; level-2 cache (4 MiB) and copy engines, as devices of
 * this chip report.
 *
 * <p>Usual rates and estimates are those that {@link DeviceProfile} describes.
 */
final class TuringProfiles {
  /** NVIDIA T4. */
  static final DeviceProfile T4 =
      new DeviceProfile(
          "t4",
          DeviceModel.onUsualHost(
              /* toDevice= */ 12.4e9,
              /* toHost= */ 12.8e9,
              /* bothWays= */ 23.6e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.144e12,
              /* fill= */ 0.27e12,
              /* memoryTraffic= */ 0.288e12,
              /* operations= */ 4.07e12),
          DeviceProfile.product(
              /* name= */ "NVIDIA T4 (virtual)",
              /* major= */ 7,
              /* minor= */ 5,
              /* totalBytes= */ 15_360L << 20,
              /* multiprocessors= */ 40,
              /* sharedOptIn= */ 65_536,
              /* copyEngines= */ 3,
              /* clockKilohertz= */ 1_590_000,
              /* memoryClockKilohertz= */ 5_001_000,
              /* memoryBusBits= */ 256,
              /* l2Bytes= */ 4 << 20),
          new PeerModel(Link.HOST, 0, 0, 2_000, 9.0e9, 11.5e9));

  private TuringProfiles() {}
}
