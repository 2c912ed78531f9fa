package dev.stretto.driver;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * What a multiprocessor has room for. CUDA C++ Programming Guide, "Technical Specifications per
 * Compute Capability"; the units in which registers and shared memory are given away are those of
 * CUDA's {@code cuda_occupancy.h}.
 *
 * @param blocks the most blocks that it holds
 * @param threads the most threads that it holds; a warp counts as 32
 * @param registers its registers of 32 bits
 * @param sharedBytes its shared memory
 * @param reservedBytes the shared memory that the system takes for each block
 * @param sharedUnit shared memory is given to blocks in multiples of so many bytes
 */
public record MultiprocessorLimits(
    int blocks, int threads, int registers, int sharedBytes, int reservedBytes, int sharedUnit) {
  private static final int WARP = 32;
  private static final int REGISTERS = 1 << 16;

  /** Registers are given to warps in multiples of so many. */
  private static final int REGISTER_UNIT = 256;

  /** The registers lie in parts; those of a warp lie in one. */
  private static final int PARTS = 4;

  private static final int MOST_REGISTERS = 255;

  /**
   * Refuses numbers that no multiprocessor has.
   *
   * @throws IllegalArgumentException if one is negative, or the unit of shared memory not positive
   */
  public MultiprocessorLimits {
    if (blocks < 0
        || threads < 0
        || registers < 0
        || sharedBytes < 0
        || reservedBytes < 0
        || sharedUnit < 1) {
      throw new IllegalArgumentException(
          "a multiprocessor of %d blocks, %d threads, %d registers, and %d bytes of shared memory, of which each block reserves %d and gets multiples of %d"
              .formatted(blocks, threads, registers, sharedBytes, reservedBytes, sharedUnit));
    }
  }

  /**
   * {@return the limits of a compute capability; of one that is not known, those of most}
   *
   * @param major the first number of the compute capability; at least 7
   * @param minor the second number
   * @param mostSharedBytes the most shared memory that a block may have there, in bytes
   * @throws IllegalArgumentException if that is negative, or too much for an {@code int} with what
   *     the system takes
   */
  public static MultiprocessorLimits of(int major, int minor, int mostSharedBytes) {
    int capability = 10 * major + minor;
    int blocks =
        switch (capability) {
          case 75, 86, 87, 88 -> 16;
          case 89, 110, 120, 121 -> 24;
          default -> 32;
        };
    int threads =
        switch (capability) {
          case 75 -> 1024;
          case 86, 87, 88, 89, 110, 120, 121 -> 1536;
          default -> 2048;
        };
    int reserved = major < 8 ? 0 : 1024;
    int unit = major < 8 ? 256 : 128;
    return new MultiprocessorLimits(
        blocks, threads, REGISTERS, mostSharedBytes + reserved, reserved, unit);
  }

  /**
   * {@return the limits of a device}
   *
   * @param device its properties
   */
  public static MultiprocessorLimits of(DeviceProperties device) {
    Objects.requireNonNull(device, "device");
    MultiprocessorLimits usual =
        of(device.computeMajor(), device.computeMinor(), device.sharedBytesPerBlockOptIn());
    return new MultiprocessorLimits(
        usual.blocks,
        usual.threads,
        device.registersPerBlock(),
        usual.sharedBytes,
        usual.reservedBytes,
        usual.sharedUnit);
  }

  /**
   * {@return how many blocks it holds at the same time, if nothing else runs there}
   *
   * @param registersPerThread registers of a thread
   * @param blockBytes the shared memory of a block, static and dynamic, in bytes
   * @param threadsPerBlock threads of a block
   * @throws IllegalArgumentException if the threads are not positive, or another number is negative
   */
  public ResidentBlocks resident(int registersPerThread, int blockBytes, int threadsPerBlock) {
    if (threadsPerBlock < 1 || registersPerThread < 0 || blockBytes < 0) {
      throw new IllegalArgumentException(
          "a block of %d threads with %d registers each and %d bytes of shared memory"
              .formatted(threadsPerBlock, registersPerThread, blockBytes));
    }
    int warps = Math.ceilDiv(threadsPerBlock, WARP);
    return new ResidentBlocks(
        blocks,
        threads / WARP / warps,
        byRegisters(registersPerThread, warps),
        bySharedBytes(blockBytes),
        warps,
        threads / WARP);
  }

  private OptionalInt byRegisters(int registersPerThread, int warps) {
    if (registersPerThread > MOST_REGISTERS) {
      return OptionalInt.of(0);
    }
    int ofWarp = up(registersPerThread * WARP, REGISTER_UNIT);
    if ((long) ofWarp * up(warps, PARTS) > registers) {
      return OptionalInt.of(0);
    }
    return ofWarp == 0
        ? OptionalInt.empty()
        : OptionalInt.of(registers / PARTS / ofWarp * PARTS / warps);
  }

  private OptionalInt bySharedBytes(int blockBytes) {
    long taken = taken(blockBytes);
    return taken == 0 ? OptionalInt.empty() : OptionalInt.of((int) (sharedBytes / taken));
  }

  /**
   * {@return the shared memory that a block takes which asks for some, in bytes}
   *
   * @param blockBytes how many it asks for
   * @throws IllegalArgumentException if that is negative, or so much that the result is no {@code
   *     int}
   */
  public int takenBytes(int blockBytes) {
    long taken = taken(blockBytes);
    if (blockBytes < 0 || taken > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a block with %d bytes of shared memory".formatted(blockBytes));
    }
    return (int) taken;
  }

  /** A {@code long}, as a block that is too large for any multiprocessor may be asked about. */
  private long taken(int blockBytes) {
    return Math.ceilDiv((long) blockBytes + reservedBytes, sharedUnit) * sharedUnit;
  }

  private static int up(int number, int unit) {
    return Math.ceilDiv(number, unit) * unit;
  }
}
