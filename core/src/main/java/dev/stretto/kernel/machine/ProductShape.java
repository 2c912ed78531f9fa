package dev.stretto.kernel.machine;

/**
 * A product of a warp group, apart from its operands.
 *
 * @param what the instruction
 * @param type the type of the matrices' elements
 * @param columns the number of columns of B
 * @param transposedA whether A lies column by column
 * @param transposedB whether B lies row by row
 */
public record ProductShape(
    String what, ProductType type, int columns, boolean transposedA, boolean transposedB) {
  static final int ROWS = 64;
  static final int THREADS = 128;

  private static final int MOST_COLUMNS = 256;

  public ProductShape {
    boolean steps = type != ProductType.S8 || columns <= 32 || columns % 16 == 0;
    if (columns < 8 || columns > MOST_COLUMNS || columns % 8 != 0 || !steps) {
      throw new IllegalArgumentException(
          what + " of " + columns + " columns: has to be 8 to 256, in steps of 8, or of 16 for S8");
    }
  }

  /** The row of a thread's element. */
  static int row(int thread, int element) {
    return thread / 32 * 16 + thread % 32 / 4 + element / 2 % 2 * 8;
  }

  /** The column of a thread's element. */
  static int column(int thread, int element) {
    return element / 4 * 8 + thread % 4 * 2 + element % 2;
  }
}
