package dev.stretto.bench.kernel;

/**
 * The sizes of the jobs and how often they run: as in the C++ program, or small enough for a
 * virtual device.
 *
 * @param side of a square of floats; kernels on streams of elements get as many elements
 * @param cached floats that stay in the L2 cache, read and written
 * @param passes over those in a launch
 * @param sumElements floats of the large sum
 * @param sumBlocks blocks that share a sum or a histogram
 * @param cipherWords words to encrypt
 * @param bodies of the n bodies
 * @param matrix rows and columns of a matrix
 * @param tensor rows and columns of a matrix that is processed in tiles
 * @param tensorBlocks blocks that share it
 * @param warmUps samples that are discarded
 * @param samples counted samples
 * @param launches timed in a sample
 */
record Size(
    int side,
    int cached,
    int passes,
    int sumElements,
    int sumBlocks,
    int cipherWords,
    int bodies,
    int matrix,
    int tensor,
    int tensorBlocks,
    int warmUps,
    int samples,
    int launches) {
  static final Size FULL =
      new Size(
          8192, 2 << 20, 128, 256 << 20, 1056, 64 << 20, 132 * 1024, 4096, 32768, 264, 3, 25, 4);

  /** The last iterations of the large sum and of the cipher are not full ones. */
  static final Size SMALL =
      new Size(128, 1 << 13, 3, (1 << 16) + 6000, 4, (1 << 14) - 60, 512, 256, 512, 3, 0, 1, 1);

  static Size named(String name) {
    return switch (name) {
      case "full" -> FULL;
      case "small" -> SMALL;
      default ->
          throw new IllegalArgumentException(
              "no such size: " + name + "; there are full and small");
    };
  }

  int elements() {
    return side * side;
  }

  /**
   * How often a kernel has run in total, including the launch ahead of the clock in every sample.
   */
  int allLaunches() {
    return (warmUps + samples) * (1 + launches);
  }
}
