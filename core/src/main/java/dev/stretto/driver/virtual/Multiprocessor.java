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
    long blocks = Math.min(blocks(device), threads(device) / threads(shape, device));
    blocks = Math.min(blocks, byRegisters(kernel, shape, device));
    return (int) Math.min(blocks, sharedBytes(device) / sharedBytes(kernel, shape));
  }

  /** {@return all that it has} */
  static BlockNeeds whole(DeviceProperties device) {
    return new BlockNeeds(
        (int) blocks(device),
        (int) threads(device),
        device.registersPerBlock(),
        (int) sharedBytes(device));
  }

  /**
   * {@return what a block of a kernel takes of it} Of registers a block takes so much that as many
   * blocks fit as {@link #blocks} says, which also counts what remains unused in each part.
   */
  static BlockNeeds needs(FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    long fit = Math.max(1, byRegisters(kernel, shape, device));
    return new BlockNeeds(
        1,
        (int) Math.min(threads(device), threads(shape, device)),
        (int) Math.max(1, device.registersPerBlock() / fit),
        (int) Math.min(sharedBytes(device), sharedBytes(kernel, shape)));
  }

  private static long threads(LaunchShape shape, DeviceProperties device) {
    return roundedUp(shape.threadsPerBlock(), device.warpSize());
  }

  private static long byRegisters(
      FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    long warp = device.warpSize();
    long registers = Math.max(1, roundedUp(kernel.registers() * warp, REGISTER_UNIT));
    return device.registersPerBlock() / PARTS / registers * PARTS / (threads(shape, device) / warp);
  }

  private static long sharedBytes(FunctionProperties kernel, LaunchShape shape) {
    return roundedUp((long) shape.sharedBytes() + kernel.sharedBytes(), SHARED_UNIT)
        + RESERVED_BYTES;
  }

  private static long roundedUp(long number, long unit) {
    return (number + unit - 1) / unit * unit;
  }

  private static int capability(DeviceProperties device) {
    return 10 * device.computeMajor() + device.computeMinor();
  }

  private static long blocks(DeviceProperties device) {
    return switch (capability(device)) {
      case 75, 86, 87, 88 -> 16;
      case 89, 110, 120, 121 -> 24;
      default -> 32;
    };
  }

  private static long threads(DeviceProperties device) {
    return switch (capability(device)) {
      case 75 -> 1024;
      case 86, 87, 88, 89, 110, 120, 121 -> 1536;
      default -> 2048;
    };
  }

  private static long sharedBytes(DeviceProperties device) {
    return (long) device.sharedBytesPerBlockOptIn() + RESERVED_BYTES;
  }
}
