package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties.Link;

/**
 * Devices of compute capability 8.9. Neither has peer access.
 *
 * <p>{@link #L4}: vendor data ("NVIDIA L4 Tensor Core GPU" data sheet: 24 GB, 300 GB/s, PCIe 4 x16;
 * 7,424 cores, which are 58 multiprocessors, up to 2,040 MHz, memory at 6,251 MHz on 192 bits, 48
 * MB of level-2 cache). Estimated: copy engines, as for the other.
 *
 * <p>{@link #RTX4090}: vendor data ("NVIDIA Ada GPU Architecture": 128 multiprocessors, 2,520 MHz,
 * 384 bits, 1,008 GB/s, 72 MB of level-2 cache). Shared memory for a block, 99 KiB: CUDA
 * programming guide.
 *
 * <p>Usual rates and estimates are those that {@link DeviceProfile} describes.
 */
final class AdaProfiles {
  /** NVIDIA L4. */
  static final DeviceProfile L4 =
      new DeviceProfile(
          "l4",
          DeviceModel.onUsualHost(
              /* toDevice= */ 25.0e9,
              /* toHost= */ 25.5e9,
              /* bothWays= */ 47.0e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.135e12,
              /* fill= */ 0.255e12,
              /* memoryTraffic= */ 0.27e12,
              /* operations= */ 7.57e12),
          DeviceProfile.product(
              /* name= */ "NVIDIA L4 (virtual)",
              /* major= */ 8,
              /* minor= */ 9,
              /* totalBytes= */ 23_034L << 20,
              /* multiprocessors= */ 58,
              /* sharedOptIn= */ 101_376,
              /* copyEngines= */ 2,
              /* clockKilohertz= */ 2_040_000,
              /* memoryClockKilohertz= */ 6_251_000,
              /* memoryBusBits= */ 192,
              /* l2Bytes= */ 48 << 20),
          new PeerModel(Link.HOST, 0, 0, 2_000, 17.2e9, 22.0e9));

  /** NVIDIA GeForce RTX 4090. */
  static final DeviceProfile RTX4090 =
      new DeviceProfile(
          "rtx4090",
          DeviceModel.onUsualHost(
              /* toDevice= */ 25.0e9,
              /* toHost= */ 25.5e9,
              /* bothWays= */ 47.0e9,
              /* pageableToDevice= */ 8.0e9,
              /* pageableToHost= */ 10.0e9,
              /* localCopy= */ 0.455e12,
              /* fill= */ 0.85e12,
              /* memoryTraffic= */ 0.91e12,
              /* operations= */ 20.6e12),
          DeviceProfile.product(
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

  private AdaProfiles() {}
}
