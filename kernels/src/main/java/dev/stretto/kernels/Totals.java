package dev.stretto.kernels;

/**
 * Where the totals are that blocks hand to later ones: one place for the number of the next tile,
 * then the totals of tiles, those of 32 tiles, and the running total before each 1,024 tiles. A
 * total has one word or two, so a place is counted in these.
 */
final class Totals {
  /** Leaves room for the number of the next tile, whether a total has one word or two. */
  private static final long FIRST = 1;

  private Totals() {}

  /** {@return how many words there are} */
  static long words(long tiles, int wordsOfTotal) {
    return wordsOfTotal * (batch((int) tiles, (int) (tiles >> 10)) + 1);
  }

  static long tile(int tile) {
    return FIRST + tile;
  }

  static long group(int tiles, int group) {
    return FIRST + tiles + group;
  }

  static long batch(int tiles, int batch) {
    return FIRST + tiles + (tiles >> 5) + 1 + batch;
  }
}
