package dev.stretto.driver;

import java.lang.foreign.MemorySegment;

/** The Java method that does on a virtual device what an image does on a GPU. */
public interface KernelTwin {
  /**
   * What memory of a virtual device holds that nobody has written, 16 bits that repeat: a NaN in
   * every floating-point type, and far out of the range of any index.
   */
  short FRESH_MEMORY = 0x7FF5;

  /** Device memory as a kernel of a virtual device reaches it. */
  interface DeviceMemory {
    /**
     * {@return the memory from this device address to the end of its allocation}
     *
     * @param address a device address
     * @throws DriverException of kind LOST (as CUDA's illegal address) if no live allocation holds
     *     it
     */
    MemorySegment at(long address);
  }

  /**
   * Runs every thread of some of the launch's blocks, one block after the other. Blocks are
   * numbered x first, then y, then z. Called from several threads at once with disjoint ranges.
   *
   * @param grid blocks in x, y, z
   * @param block threads in x, y, z
   * @param sharedBytes dynamic shared memory of each block
   * @param firstBlock first block to run
   * @param lastBlock one past the last block to run
   * @param parameters the packed parameters, as {@link DriverDevice#launch} got them
   * @param memory the device's memory
   */
  void run(
      int[] grid,
      int[] block,
      int sharedBytes,
      long firstBlock,
      long lastBlock,
      MemorySegment parameters,
      DeviceMemory memory);

  /**
   * {@return a twin whose threads get their turns in an order that a seed picks, the same for the
   * same seed; by default this one}
   *
   * @param seed any number
   */
  default KernelTwin seeded(long seed) {
    return this;
  }

  /**
   * {@return the number of blocks from which on it is worth while to run a part of a launch on
   * another thread of the host; by default 64}
   */
  default int leastBlocks() {
    return 64;
  }

  /**
   * {@return how many nanoseconds the launch takes on the modelled device, beside the launch
   * itself}
   *
   * @param grid blocks in x, y, z
   * @param block threads in x, y, z
   * @param parameters the packed parameters
   * @param machine what the modelled device can do
   */
  long nanos(int[] grid, int[] block, MemorySegment parameters, Machine machine);

  /**
   * What a modelled device can do per second.
   *
   * @param memoryBytesPerSecond device memory traffic, read and written together
   * @param operationsPerSecond 32-bit integer or float operations
   */
  record Machine(double memoryBytesPerSecond, double operationsPerSecond) {}
}
