package dev.stretto.driver;

/**
 * The shape of a launch. Blocks come in clusters, whose blocks run at the same time; a cluster is
 * one block unless the launch says more.
 *
 * @param gridX blocks in x, those of all clusters
 * @param gridY blocks in y
 * @param gridZ blocks in z
 * @param blockX threads of a block in x
 * @param blockY threads of a block in y
 * @param blockZ threads of a block in z
 * @param clusterX blocks of a cluster in x
 * @param clusterY blocks of a cluster in y
 * @param clusterZ blocks of a cluster in z
 * @param sharedBytes dynamic shared memory of a block
 */
public record LaunchShape(
    int gridX,
    int gridY,
    int gridZ,
    int blockX,
    int blockY,
    int blockZ,
    int clusterX,
    int clusterY,
    int clusterZ,
    int sharedBytes) {
  /**
   * {@return a shape whose clusters are one block each}
   *
   * @param gridX blocks in x
   * @param gridY blocks in y
   * @param gridZ blocks in z
   * @param blockX threads of a block in x
   * @param blockY threads of a block in y
   * @param blockZ threads of a block in z
   * @param sharedBytes dynamic shared memory of a block
   */
  public static LaunchShape of(
      int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {
    return new LaunchShape(gridX, gridY, gridZ, blockX, blockY, blockZ, 1, 1, 1, sharedBytes);
  }

  /** {@return how many blocks there are} */
  public long blocks() {
    return (long) gridX * gridY * gridZ;
  }

  /** {@return how many blocks a cluster has} */
  public long blocksPerCluster() {
    return (long) clusterX * clusterY * clusterZ;
  }

  /** {@return how many clusters there are} */
  public long clusters() {
    return blocks() / blocksPerCluster();
  }

  /** {@return how many threads a block has} */
  public long threadsPerBlock() {
    return (long) blockX * blockY * blockZ;
  }
}
