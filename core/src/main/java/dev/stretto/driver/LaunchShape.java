package dev.stretto.driver;

import java.util.Optional;

/**
 * The shape of a launch. Blocks are grouped into clusters, and the blocks of a cluster run at the
 * same time. By default a cluster is one block.
 *
 * @param gridX blocks in x, over all clusters
 * @param gridY blocks in y
 * @param gridZ blocks in z
 * @param blockX threads of a block in x
 * @param blockY threads of a block in y
 * @param blockZ threads of a block in z
 * @param clusterX blocks of a cluster in x; 1 to {@value #MOST_IN_CLUSTER}
 * @param clusterY blocks of a cluster in y; 1 to {@value #MOST_IN_CLUSTER}
 * @param clusterZ blocks of a cluster in z; 1 to {@value #MOST_IN_CLUSTER}
 * @param sharedBytes dynamic shared memory of a block
 * @param isCooperative whether all blocks run at the same time, so that they may wait for each
 *     other
 * @param awaitsGrids whether each thread waits itself for the kernels before this one on the stream
 *     ({@code griddepcontrol.wait}), so that blocks may begin before those have ended
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
    int sharedBytes,
    boolean isCooperative,
    boolean awaitsGrids) {
  /** More blocks in a direction than a cluster of any device has. */
  private static final int MOST_IN_CLUSTER = 1024;

  /**
   * Checks only the extents of clusters; a device itself checks the rest against its limits.
   *
   * @throws IllegalArgumentException if a cluster has no blocks or too many blocks in a direction
   */
  public LaunchShape {
    if (!isClusterExtent(clusterX) || !isClusterExtent(clusterY) || !isClusterExtent(clusterZ)) {
      throw new IllegalArgumentException(
          "clusters of %d by %d by %d blocks: each number has to be 1 to %d"
              .formatted(clusterX, clusterY, clusterZ, MOST_IN_CLUSTER));
    }
  }

  /**
   * Creates a shape of a launch that is not cooperative and begins when all before it has ended.
   *
   * @param gridX blocks in x, over all clusters
   * @param gridY blocks in y
   * @param gridZ blocks in z
   * @param blockX threads of a block in x
   * @param blockY threads of a block in y
   * @param blockZ threads of a block in z
   * @param clusterX blocks of a cluster in x
   * @param clusterY blocks of a cluster in y
   * @param clusterZ blocks of a cluster in z
   * @param sharedBytes dynamic shared memory of a block
   * @throws IllegalArgumentException if a cluster has no blocks or too many blocks in a direction
   */
  public LaunchShape(
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
    this(
        gridX,
        gridY,
        gridZ,
        blockX,
        blockY,
        blockZ,
        clusterX,
        clusterY,
        clusterZ,
        sharedBytes,
        false,
        false);
  }

  private static boolean isClusterExtent(int blocks) {
    return blocks >= 1 && blocks <= MOST_IN_CLUSTER;
  }

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

  /**
   * {@return the launch in words, such as {@code 4096 x 1 x 1 blocks of 256 x 1 x 1 threads, 24
   * registers, 0 bytes of shared memory}}
   *
   * @param function what the device's code for the kernel needs, if that is known
   */
  public String inWords(Optional<FunctionProperties> function) {
    String clusters =
        blocksPerCluster() == 1
            ? ""
            : ", clusters of %d x %d x %d".formatted(clusterX, clusterY, clusterZ);
    String registers = function.map(of -> ", %d registers".formatted(of.registers())).orElse("");
    long shared = (long) sharedBytes + function.map(FunctionProperties::sharedBytes).orElse(0);
    return "%d x %d x %d blocks of %d x %d x %d threads%s%s, %d bytes of shared memory"
        .formatted(gridX, gridY, gridZ, blockX, blockY, blockZ, clusters, registers, shared);
  }
}
