package dev.stretto.kernel;

/**
 * Where a thread stands: its index in its block, its block's index in the grid, and the size of
 * both. What CUDA C++ calls {@code threadIdx}, {@code blockIdx}, {@code blockDim} and {@code
 * gridDim}.
 *
 * <p>The first parameter of every kernel method. It is valid during the call only.
 */
public final class ThreadBlock {
  private final int[] grid;
  private final int[] block;
  private int blockX;
  private int blockY;
  private int blockZ;
  private int threadX;
  private int threadY;
  private int threadZ;

  ThreadBlock(int[] grid, int[] block) {
    this.grid = grid;
    this.block = block;
  }

  void enter(long blockNumber) {
    blockX = (int) (blockNumber % grid[0]);
    blockY = (int) (blockNumber / grid[0] % grid[1]);
    blockZ = (int) (blockNumber / grid[0] / grid[1]);
  }

  void thread(int x, int y, int z) {
    threadX = x;
    threadY = y;
    threadZ = z;
  }

  /** {@return {@code blockIdx.x}} */
  public int blockIndexX() {
    return blockX;
  }

  /** {@return {@code blockIdx.y}} */
  public int blockIndexY() {
    return blockY;
  }

  /** {@return {@code blockIdx.z}} */
  public int blockIndexZ() {
    return blockZ;
  }

  /** {@return {@code threadIdx.x}} */
  public int threadIndexX() {
    return threadX;
  }

  /** {@return {@code threadIdx.y}} */
  public int threadIndexY() {
    return threadY;
  }

  /** {@return {@code threadIdx.z}} */
  public int threadIndexZ() {
    return threadZ;
  }

  /** {@return {@code blockDim.x}} */
  public int blockSizeX() {
    return block[0];
  }

  /** {@return {@code blockDim.y}} */
  public int blockSizeY() {
    return block[1];
  }

  /** {@return {@code blockDim.z}} */
  public int blockSizeZ() {
    return block[2];
  }

  /** {@return {@code gridDim.x}} */
  public int gridSizeX() {
    return grid[0];
  }

  /** {@return {@code gridDim.y}} */
  public int gridSizeY() {
    return grid[1];
  }

  /** {@return {@code gridDim.z}} */
  public int gridSizeZ() {
    return grid[2];
  }

  /**
   * {@return {@code (long) blockIdx.x * blockDim.x + threadIdx.x}: the thread's number in a
   * one-dimensional launch}
   */
  public long globalIndexX() {
    return (long) blockX * block[0] + threadX;
  }

  @Override
  public String toString() {
    return "block ("
        + blockX
        + ", "
        + blockY
        + ", "
        + blockZ
        + "), thread ("
        + threadX
        + ", "
        + threadY
        + ", "
        + threadZ
        + ")";
  }
}
