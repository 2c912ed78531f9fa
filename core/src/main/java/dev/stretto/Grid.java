package dev.stretto;

import dev.stretto.driver.LaunchShape;

/**
 * The shape of a launch: how many blocks, of how many threads, with how much dynamic shared memory.
 *
 * @param blocksX blocks in x
 * @param blocksY blocks in y
 * @param blocksZ blocks in z
 * @param threadsX threads of a block in x
 * @param threadsY threads of a block in y
 * @param threadsZ threads of a block in z
 * @param sharedBytes dynamic shared memory of a block, in bytes
 * @param clusterX blocks of a cluster in x; blocks of one cluster run at the same time and reach
 *     each other's shared memory, and a cluster is one block unless {@link #withCluster} says more
 * @param clusterY blocks of a cluster in y
 * @param clusterZ blocks of a cluster in z
 */
public record Grid(
    int blocksX,
    int blocksY,
    int blocksZ,
    int threadsX,
    int threadsY,
    int threadsZ,
    int sharedBytes,
    int clusterX,
    int clusterY,
    int clusterZ) {
  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an extent is not positive, the shared memory is negative,
   *     or the blocks are no whole clusters
   */
  public Grid {
    if (blocksX < 1 || blocksY < 1 || blocksZ < 1 || threadsX < 1 || threadsY < 1 || threadsZ < 1) {
      throw new IllegalArgumentException(
          "a launch of ("
              + blocksX
              + ", "
              + blocksY
              + ", "
              + blocksZ
              + ") blocks of ("
              + threadsX
              + ", "
              + threadsY
              + ", "
              + threadsZ
              + ") threads: every extent has to be 1 or more");
    }
    if (sharedBytes < 0) {
      throw new IllegalArgumentException(
          sharedBytes + " bytes of shared memory: has to be 0 or more");
    }
    if (clusterX < 1 || clusterY < 1 || clusterZ < 1) {
      throw new IllegalArgumentException(
          "clusters of (%d, %d, %d) blocks: every extent has to be 1 or more"
              .formatted(clusterX, clusterY, clusterZ));
    }
    if (blocksX % clusterX != 0 || blocksY % clusterY != 0 || blocksZ % clusterZ != 0) {
      throw new IllegalArgumentException(
          "clusters of (%d, %d, %d) blocks in a grid of (%d, %d, %d): the grid has to be whole clusters"
              .formatted(clusterX, clusterY, clusterZ, blocksX, blocksY, blocksZ));
    }
  }

  /**
   * Creates a shape whose clusters are one block each.
   *
   * @param blocksX blocks in x
   * @param blocksY blocks in y
   * @param blocksZ blocks in z
   * @param threadsX threads of a block in x
   * @param threadsY threads of a block in y
   * @param threadsZ threads of a block in z
   * @param sharedBytes dynamic shared memory of a block, in bytes
   * @throws IllegalArgumentException if an extent is not positive or the shared memory is negative
   */
  public Grid(
      int blocksX,
      int blocksY,
      int blocksZ,
      int threadsX,
      int threadsY,
      int threadsZ,
      int sharedBytes) {
    this(blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, sharedBytes, 1, 1, 1);
  }

  /**
   * {@return a one-dimensional shape}
   *
   * @param blocks how many blocks
   * @param threads how many threads each
   */
  public static Grid of(int blocks, int threads) {
    return new Grid(blocks, 1, 1, threads, 1, 1, 0);
  }

  /**
   * {@return the one-dimensional shape with at least one thread for each of so many items}
   *
   * @param items 1 or more
   * @param threads of a block
   * @throws IllegalArgumentException if that takes more blocks than a grid can have
   */
  public static Grid covering(long items, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("blocks of " + threads + " threads: has to be 1 or more");
    }
    long blocks = items / threads + (items % threads == 0 ? 0 : 1);
    if (items < 1 || blocks > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          items
              + " items at "
              + threads
              + " a block need "
              + blocks
              + " blocks; a grid has 1 to 2147483647");
    }
    return of((int) blocks, threads);
  }

  /**
   * {@return the same shape with this much dynamic shared memory}
   *
   * @param bytes of each block
   */
  public Grid withSharedBytes(int bytes) {
    return new Grid(
        blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, bytes, clusterX, clusterY,
        clusterZ);
  }

  /**
   * {@return the same shape with blocks that form clusters} Needs compute capability 9.0; a cluster
   * can have 8 blocks.
   *
   * @param x blocks of a cluster in x, of which the grid's is a multiple
   * @param y blocks of a cluster in y
   * @param z blocks of a cluster in z
   * @throws IllegalArgumentException if the grid is not whole clusters
   */
  public Grid withCluster(int x, int y, int z) {
    return new Grid(blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, sharedBytes, x, y, z);
  }

  /** {@return how many blocks a cluster has} */
  public long blocksPerCluster() {
    return (long) clusterX * clusterY * clusterZ;
  }

  /** As a driver takes it, with more shared memory than the launch asks for. */
  LaunchShape shape(int addedSharedBytes) {
    return new LaunchShape(
        blocksX,
        blocksY,
        blocksZ,
        threadsX,
        threadsY,
        threadsZ,
        clusterX,
        clusterY,
        clusterZ,
        sharedBytes + addedSharedBytes);
  }

  /** {@return the threads of a block} */
  public long threadsPerBlock() {
    return (long) threadsX * threadsY * threadsZ;
  }
}
