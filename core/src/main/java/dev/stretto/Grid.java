package dev.stretto;

import dev.stretto.driver.LaunchShape;

/**
 * The shape of a launch: the number of blocks, the threads per block, and the dynamic shared
 * memory.
 *
 * @param blocksX blocks in x
 * @param blocksY blocks in y
 * @param blocksZ blocks in z
 * @param threadsX threads per block in x
 * @param threadsY threads per block in y
 * @param threadsZ threads per block in z
 * @param sharedBytes dynamic shared memory per block, in bytes
 * @param clusterX blocks per cluster in x; blocks of one cluster run at the same time and can
 *     access each other's shared memory; a cluster is one block unless {@link #withCluster} sets
 *     more
 * @param clusterY blocks per cluster in y
 * @param clusterZ blocks per cluster in z
 * @param isCooperative whether all blocks run at the same time; see {@link #cooperative()}
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
    int clusterZ,
    boolean isCooperative) {
  /** Every device's limit; in x, it is the largest int. */
  private static final int MOST_IN_Y_AND_Z = 65_535;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an extent is not positive, the shared memory is negative,
   *     or the blocks do not form whole clusters
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
   * Creates a shape of a launch that is not cooperative.
   *
   * @param blocksX blocks in x
   * @param blocksY blocks in y
   * @param blocksZ blocks in z
   * @param threadsX threads per block in x
   * @param threadsY threads per block in y
   * @param threadsZ threads per block in z
   * @param sharedBytes dynamic shared memory per block, in bytes
   * @param clusterX blocks per cluster in x
   * @param clusterY blocks per cluster in y
   * @param clusterZ blocks per cluster in z
   * @throws IllegalArgumentException if an extent is not positive, the shared memory is negative,
   *     or the blocks do not form whole clusters
   */
  public Grid(
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
    this(
        blocksX,
        blocksY,
        blocksZ,
        threadsX,
        threadsY,
        threadsZ,
        sharedBytes,
        clusterX,
        clusterY,
        clusterZ,
        false);
  }

  /**
   * Creates a shape whose clusters are one block each.
   *
   * @param blocksX blocks in x
   * @param blocksY blocks in y
   * @param blocksZ blocks in z
   * @param threadsX threads per block in x
   * @param threadsY threads per block in y
   * @param threadsZ threads per block in z
   * @param sharedBytes dynamic shared memory per block, in bytes
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
    this(blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, sharedBytes, 1, 1, 1, false);
  }

  /**
   * {@return a one-dimensional shape}
   *
   * @param blocks how many blocks
   * @param threads how many threads each block has
   */
  public static Grid of(int blocks, int threads) {
    return new Grid(blocks, 1, 1, threads, 1, 1, 0);
  }

  /**
   * {@return a two-dimensional shape}
   *
   * @param blocksX how many blocks in x
   * @param blocksY how many blocks in y
   * @param threadsX how many threads each block has in x
   * @param threadsY how many threads each block has in y
   * @throws IllegalArgumentException if an extent is not positive
   */
  public static Grid of(int blocksX, int blocksY, int threadsX, int threadsY) {
    return new Grid(blocksX, blocksY, 1, threadsX, threadsY, 1, 0);
  }

  /**
   * {@return a three-dimensional shape}
   *
   * @param blocksX how many blocks in x
   * @param blocksY how many blocks in y
   * @param blocksZ how many blocks in z
   * @param threadsX how many threads each block has in x
   * @param threadsY how many threads each block has in y
   * @param threadsZ how many threads each block has in z
   * @throws IllegalArgumentException if an extent is not positive
   */
  public static Grid of(
      int blocksX, int blocksY, int blocksZ, int threadsX, int threadsY, int threadsZ) {
    return new Grid(blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, 0);
  }

  /**
   * {@return the one-dimensional shape with at least one thread for each of so many items}
   *
   * @param items 1 or more
   * @param threads the threads per block
   * @throws IllegalArgumentException if this takes more blocks than a grid can have
   */
  public static Grid covering(long items, int threads) {
    return of(blocks("", items, threads, Integer.MAX_VALUE), threads);
  }

  /**
   * {@return the two-dimensional shape with at least one thread for each item of a plane} In
   * kernels, {@code block.globalIndexX()} and {@code block.globalIndexY()} are an item's place;
   * threads beyond the plane's edges have to do nothing.
   *
   * @param itemsX items in x, 1 or more
   * @param itemsY items in y, 1 or more
   * @param threadsX the threads per block in x
   * @param threadsY the threads per block in y
   * @throws IllegalArgumentException if this takes more blocks than a grid can have: 2147483647 in
   *     x, 65535 in y
   */
  public static Grid covering(long itemsX, long itemsY, int threadsX, int threadsY) {
    return of(
        blocks(" in x", itemsX, threadsX, Integer.MAX_VALUE),
        blocks(" in y", itemsY, threadsY, MOST_IN_Y_AND_Z),
        threadsX,
        threadsY);
  }

  /**
   * {@return the three-dimensional shape with at least one thread for each item of a volume}
   *
   * @param itemsX items in x, 1 or more
   * @param itemsY items in y, 1 or more
   * @param itemsZ items in z, 1 or more
   * @param threadsX the threads per block in x
   * @param threadsY the threads per block in y
   * @param threadsZ the threads per block in z
   * @throws IllegalArgumentException if this takes more blocks than a grid can have: 2147483647 in
   *     x, 65535 in y and in z
   */
  public static Grid covering(
      long itemsX, long itemsY, long itemsZ, int threadsX, int threadsY, int threadsZ) {
    return of(
        blocks(" in x", itemsX, threadsX, Integer.MAX_VALUE),
        blocks(" in y", itemsY, threadsY, MOST_IN_Y_AND_Z),
        blocks(" in z", itemsZ, threadsZ, MOST_IN_Y_AND_Z),
        threadsX,
        threadsY,
        threadsZ);
  }

  /** The number of blocks that cover items in one dimension. */
  private static int blocks(String where, long items, int threads, int most) {
    if (threads < 1) {
      throw new IllegalArgumentException(
          "blocks of " + threads + " threads" + where + ": has to be 1 or more");
    }
    long blocks = items / threads + (items % threads == 0 ? 0 : 1);
    if (items < 1 || blocks > most) {
      throw new IllegalArgumentException(
          items
              + " items"
              + where
              + " at "
              + threads
              + " a block need "
              + blocks
              + " blocks; a grid has 1 to "
              + most
              + where);
    }
    return (int) blocks;
  }

  /**
   * {@return the same shape with this much dynamic shared memory}
   *
   * @param bytes the size per block
   */
  public Grid withSharedBytes(int bytes) {
    return with(bytes, clusterX, clusterY, clusterZ, isCooperative);
  }

  /**
   * {@return the same shape with blocks that form clusters} Needs compute capability 9.0; a cluster
   * can have up to 8 blocks.
   *
   * @param x blocks per cluster in x; the grid's number of blocks in x has to be a multiple
   * @param y blocks per cluster in y
   * @param z blocks per cluster in z
   * @throws IllegalArgumentException if the grid is not whole clusters
   */
  public Grid withCluster(int x, int y, int z) {
    return with(sharedBytes, x, y, z, isCooperative);
  }

  /**
   * {@return the same shape for a launch whose blocks all run at the same time} They may wait for
   * each other, with {@code block.grid().sync()} or through global memory. A launch of more blocks
   * than the device can hold is refused; {@link Launch#occupancy()} says how many it can. The
   * equivalent of {@code cuLaunchCooperativeKernel}.
   */
  public Grid cooperative() {
    return with(sharedBytes, clusterX, clusterY, clusterZ, true);
  }

  private Grid with(int bytes, int x, int y, int z, boolean cooperative) {
    return new Grid(
        blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, bytes, x, y, z, cooperative);
  }

  /** {@return the number of blocks per cluster} */
  public long blocksPerCluster() {
    return (long) clusterX * clusterY * clusterZ;
  }

  /**
   * The shape as the driver takes it.
   *
   * @param addedSharedBytes additional shared memory
   * @param awaitsGrids whether each thread waits itself for the kernels before this one
   */
  LaunchShape shape(int addedSharedBytes, boolean awaitsGrids) {
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
        sharedBytes + addedSharedBytes,
        isCooperative,
        awaitsGrids);
  }

  /** {@return the number of threads per block} */
  public long threadsPerBlock() {
    return (long) threadsX * threadsY * threadsZ;
  }
}
