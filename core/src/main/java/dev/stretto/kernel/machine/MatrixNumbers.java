package dev.stretto.kernel.machine;

/**
 * The numbers of both matrices of a warp group's product, laid out so that each thread's sums are
 * loops over neighbours. The products are added in the same order as one by one.
 */
final class MatrixNumbers {
  /** Threads whose ranks differ by a multiple of this have the same columns. */
  private static final int SORTS = 4;

  /** So many products are added to a sum while it is at hand; it divides every depth. */
  private static final int AT_ONCE = 4;

  /** From a thread's first row to its second. */
  private static final int ROWS_APART = 8;

  private final ProductShape shape;
  private final int depth;

  /** How many columns a thread has. */
  private final int width;

  /** Row by row. */
  private final float[] left;

  /** For each sort of threads, along the inner dimension, the numbers of its columns. */
  private final float[] right;

  /**
   * Lays numbers out.
   *
   * @param left rows of A
   * @param columns columns of B, one after the other
   */
  MatrixNumbers(ProductShape shape, float[] left, float[] columns) {
    this.shape = shape;
    this.depth = shape.type().depth();
    this.width = shape.columns() / SORTS;
    this.left = left;
    this.right = new float[columns.length];
    for (int column = 0; column < shape.columns(); column++) {
      int sort = column % 8 / 2;
      int at = sort * depth * width + column / 8 * 2 + column % 2;
      for (int k = 0; k < depth; k++) {
        right[at + k * width] = columns[column * depth + k];
      }
    }
  }

  /**
   * {@return the sums of a thread, as bits}
   *
   * @param rank its rank in the warp group
   * @param before what its products are added to, if they are
   */
  int[] sums(int rank, int[] before, boolean add) {
    boolean whole = shape.type() == ProductType.S8; // sums of one product are whole as floats too
    float[] upper = new float[width];
    float[] lower = new float[width];
    if (add && !whole) {
      for (int i = 0; i < width; i++) {
        upper[i] = Float.intBitsToFloat(before[element(i)]);
        lower[i] = Float.intBitsToFloat(before[element(i) + 2]);
      }
    }
    int row = ProductShape.row(rank, 0) * depth;
    multiply(upper, row, rank % SORTS);
    multiply(lower, row + ROWS_APART * depth, rank % SORTS);
    int[] sums = new int[2 * width];
    for (int i = 0; i < width; i++) {
      int at = element(i);
      if (whole) {
        sums[at] = (add ? before[at] : 0) + (int) upper[i];
        sums[at + 2] = (add ? before[at + 2] : 0) + (int) lower[i];
      } else {
        sums[at] = Float.floatToRawIntBits(upper[i]);
        sums[at + 2] = Float.floatToRawIntBits(lower[i]);
      }
    }
    return sums;
  }

  /** The element of a thread's first row that is in its column with this number. */
  private static int element(int column) {
    return column / 2 * 4 + column % 2;
  }

  private void multiply(float[] sums, int row, int sort) {
    float[] other = right;
    for (int k = 0; k < depth; k += AT_ONCE) {
      final float a = left[row + k];
      final float b = left[row + k + 1];
      final float c = left[row + k + 2];
      final float d = left[row + k + 3];
      int first = (sort * depth + k) * width;
      int second = first + width;
      int third = second + width;
      int fourth = third + width;
      for (int i = 0; i < width; i++) {
        float sum = sums[i] + a * other[first + i];
        sum = sum + b * other[second + i];
        sum = sum + c * other[third + i];
        sums[i] = sum + d * other[fourth + i];
      }
    }
  }
}
