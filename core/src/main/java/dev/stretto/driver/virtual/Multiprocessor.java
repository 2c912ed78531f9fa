package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;

/**
 * What a multiprocessor has room for, from CUDA's table "Technical Specifications per Compute
 * Capability". Registers are given to warps in units of 256, shared memory to blocks in units of
 * 128 bytes, and the system keeps 1 KiB of it for each block.
 */
final class Multiprocessor {
  private static final int RESERVED_BYTES = 1024;
  private static final int SHARED_UNIT = 128;
  private static final int REGISTER_UNIT = 256;

  /** The registers lie in parts; those of a warp lie in one. */
  private static final int PARTS = 4;

  private Multiprocessor() {}

  /** {@return how many blocks of a kernel it holds at the same time} */
  static int blocks(FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    int warp = device.warpSize();
    long warps = (shape.threadsPerBlock() + warp - 1) / warp;
    long registers = Math.max(1, roundedUp((long) kernel.registers() * warp, REGISTER_UNIT));
    long shared =
        roundedUp((long) shape.sharedBytes() + kernel.sharedBytes(), SHARED_UNIT) + RESERVED_BYTES;
    long blocks = Math.min(blocks(device), threads(device) / (warps * warp));
    blocks = Math.min(blocks, device.registersPerBlock() / PARTS / registers * PARTS / warps);
    return (int) Math.min(blocks, sharedBytes(device) / shared);
  }

  private static long roundedUp(long number, long unit) {
    return (number + unit - 1) / unit * unit;
  }

  private static int capability(DeviceProperties device) {
    return 10 * device.computeMajor() + device.computeMinor();
  }

  private static long blocks(DeviceProperties device) {
    return switch (capability(device)) {
      case 75, 86, 87 -> 16;
      case 89, 120 -> 24;
      default -> 32;
    };
  }

  private static long threads(DeviceProperties device) {
    return switch (capability(device)) {
      case 75 -> 1024;
      case 86, 87, 89, 120 -> 1536;
      default -> 2048;
    };
  }

  private static long sharedBytes(DeviceProperties device) {
    return (long) device.sharedBytesPerBlockOptIn() + RESERVED_BYTES;
  }
}
