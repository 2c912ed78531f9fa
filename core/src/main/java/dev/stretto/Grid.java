package dev.stretto;

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
 */
public record Grid(
    int blocksX,
    int blocksY,
    int blocksZ,
    int threadsX,
    int threadsY,
    int threadsZ,
    int sharedBytes) {
  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an extent is not positive or the shared memory is negative
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
    return new Grid(blocksX, blocksY, blocksZ, threadsX, threadsY, threadsZ, bytes);
  }

  /** {@return the threads of a block} */
  public long threadsPerBlock() {
    return (long) threadsX * threadsY * threadsZ;
  }
}
