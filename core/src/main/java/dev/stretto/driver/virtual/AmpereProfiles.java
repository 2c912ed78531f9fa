package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * Devices of compute capability 8.0.
 *
 * <p>{@link #A100}: vendor data ("NVIDIA A100 Tensor Core GPU Architecture": 108 multiprocessors,
 * 1,410 MHz, 5,120 bits, 2,039 GB/s with 80 GB, 40 MB of level-2 cache, 163 KiB of shared memory
 * for a block). Peers: nine tenths of NVLink 3's 300 GB/s each way; through the host in proportion
 * to the link.
 *
 * <p>Usual rates and estimates are those that {@link DeviceProfile} describes.
 */
final class AmpereProfiles {
  /** NVIDIA A100 SXM4 with 80 GB. */
  static final DeviceProfile A100 =
      new DeviceProfile(
          "a100",
          DeviceModel.onUsualHost(
              /* toDevice= */ 25.0e9,
              /* toHost= */ 25.5e9,
              /* bothWays= */ 47.0e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.915e12,
              /* fill= */ 1.6e12,
              /* memoryTraffic= */ 1.83e12,
              /* operations= */ 9.7e12),
          DeviceProfile.product(
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

  private AmpereProfiles() {}
}
