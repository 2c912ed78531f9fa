package dev.stretto.kernel;

/**
 * How many blocks a launch has, and how many threads a block, each in x, y and z; and for which
 * compute capability the kernel is compiled.
 */
record LaunchExtents(
    int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int computeCapability) {
  static LaunchExtents of(int[] grid, int[] block, int computeCapability) {
    return new LaunchExtents(
        grid[0], grid[1], grid[2], block[0], block[1], block[2], computeCapability);
  }

  int threadsPerBlock() {
    return blockX * blockY * blockZ;
  }

  /** Where a thread stands that waits for no other. */
  ThreadBlock thread(int blockX, int blockY, int blockZ, int x, int y, int z) {
    return new ThreadBlock(this, blockX, blockY, blockZ, x, y, z, null);
  }

  /** The block with a number, which counts x first, then y, then z: its x. */
  int x(long block) {
    return (int) (block % gridX);
  }

  int y(long block) {
    return (int) (block / gridX % gridY);
  }

  int z(long block) {
    return (int) (block / gridX / gridY);
  }
}
