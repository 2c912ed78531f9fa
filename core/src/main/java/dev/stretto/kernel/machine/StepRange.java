package dev.stretto.kernel.machine;

/**
 * Which threads of a step have a turn, if that depends on how their index within a row compares
 * with a number that all have in common. Blocks are rows. Written code calls this.
 */
public final class StepRange {
  // How the index compares: the order of IdleThreads.Relation in the compiler.
  private static final int BELOW = 0;
  private static final int UP_TO = 1;
  private static final int ABOVE = 2;
  private static final int FROM = 3;

  private StepRange() {}

  /**
   * {@return the rank of the first thread that has a turn}
   *
   * @param side the step's first thread
   * @param first the rank of the block's first thread
   * @param relation how an index compares
   * @param bound with what
   * @param from the step's first thread
   * @param to one behind its last
   */
  public static int begin(int side, int first, int relation, int bound, int from, int to) {
    long index =
        switch (relation) {
          case BELOW, UP_TO -> 0;
          case ABOVE -> bound + 1L;
          default -> bound; // from, or at
        };
    return (int) Math.clamp(first + index, (long) side, to);
  }

  /**
   * {@return one behind the rank of the last thread that has a turn} The parameters are those of
   * {@link #begin}, but for the first.
   *
   * @param side one behind the step's last thread
   */
  public static int end(int side, int first, int relation, int bound, int from, int to) {
    long index =
        switch (relation) {
          case BELOW -> bound;
          case ABOVE, FROM -> Integer.MAX_VALUE;
          default -> bound + 1L; // up to, or at
        };
    int begin = begin(from, first, relation, bound, from, to);
    return (int) Math.clamp(first + index, (long) begin, side);
  }

  /** {@return whether some numbers are all the same} */
  public static boolean isSame(int[] numbers, int from, int to) {
    int one = numbers[from];
    int differs = 0;
    for (int i = from; i < to; i++) {
      differs |= numbers[i] ^ one;
    }
    return differs == 0;
  }
}
