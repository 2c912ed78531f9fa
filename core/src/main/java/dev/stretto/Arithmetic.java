package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Kinds of operations of kernels, by the part of a multiprocessor that does them. A product that is
 * added to a sum counts as two operations.
 */
public enum Arithmetic {
  /** Binary32, without tensor cores. */
  FLOATS("floats"),
  /** Binary64, without tensor cores. */
  DOUBLES("doubles"),
  /** Products of binary16 or bfloat16 with sums in binary32, on tensor cores, dense. */
  TENSOR_HALFS("halfs on tensor cores");

  private final String words;

  Arithmetic(String words) {
    this.words = words;
  }

  /**
   * {@return the most operations of this kind that a device does in a second, at its peak clock;
   * nothing if that is not known} Those of floats and doubles are from the CUDA C++ Programming
   * Guide, "Throughput of Native Arithmetic Instructions". Those of tensor cores are from NVIDIA's
   * descriptions of the architectures 8.0, 9.0 and 10.0; of others, products differ.
   *
   * @param device the device
   */
  public OptionalDouble mostPerSecond(DeviceProperties device) {
    Objects.requireNonNull(device, "device");
    int perClock = perClock(10 * device.computeMajor() + device.computeMinor());
    return perClock == 0 || device.clockKilohertz() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(1e3 * device.clockKilohertz() * device.multiprocessors() * perClock);
  }

  /** Operations of a multiprocessor; 0 if that is not known. */
  private int perClock(int capability) {
    return switch (this) {
      case FLOATS ->
          switch (capability) {
            case 75, 80 -> 128;
            case 86, 89, 90, 100, 120 -> 256;
            default -> 0;
          };
      case DOUBLES ->
          switch (capability) {
            case 75, 86, 89, 120 -> 4;
            case 80 -> 64;
            case 90, 100 -> 128;
            default -> 0;
          };
      case TENSOR_HALFS ->
          switch (capability) {
            case 80 -> 2048;
            case 90 -> 4096;
            case 100 -> 8192;
            default -> 0;
          };
    };
  }

  @Override
  public String toString() {
    return words;
  }
}
