package dev.stretto.kernel;

/**
 * Products of small matrices by the 32 lanes of a warp: {@code mma.sync}. Those of binary16 numbers
 * and of signed bytes are for every device; 7.5 makes them of two and of four smaller products.
 * Those of 8-bit floating-point numbers are for compute capability 8.9 and later, the others for
 * 8.0 and later. The sums of 16 rows and 8 columns are spread over the lanes, four numbers each, in
 * a local array that Java code may scale, compare and add to freely; {@link #row} and {@link
 * #column} return the place of each number.
 *
 * <pre>{@code
 * float[] sums = new float[4];
 * Mma.bf16(sums, 0, left, 0, right, 0);
 * for (int i = 0; i < 4; i++) {
 *   sums[i] *= scale.get(Mma.row(lane, i));
 * }
 * }</pre>
 *
 * <p>The left matrix has 16 rows, the right one 8 columns; each method states their common
 * dimension. A lane has four ints of the left matrix and two of the right one, as {@code ldmatrix}
 * loads them ({@link Ptx#ldmatrixX4}); numbers of 16 and 8 bits are packed in them, the first ones
 * in the lower bits. All lanes take part. PTX ISA, "Matrix multiply-accumulate operation using mma
 * instruction". For the larger products of four warps on Hopper see {@link PtxWarpGroups}.
 */
public final class Mma {
  /** Rows of the left matrix and of the sums. */
  public static final int ROWS = 16;

  /** Columns of the right matrix and of the sums. */
  public static final int COLUMNS = 8;

  private Mma() {}

  /**
   * Adds the product of a 16x16 and a 16x8 matrix of bfloat16 numbers.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, two numbers each
   * @param atLeft the index of the first of them
   * @param right 2 elements, two numbers each
   * @param atRight the index of the first of them
   */
  public static void bf16(
      float[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K16Bf16(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * Adds the product of a 16x16 and a 16x8 matrix of binary16 numbers.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, two numbers each
   * @param atLeft the index of the first of them
   * @param right 2 elements, two numbers each
   * @param atRight the index of the first of them
   */
  public static void f16(
      float[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K16F16(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * Adds the product of a 16x8 and an 8x8 matrix of floats, using 10 bits of their fractions:
   * {@link Ptx#cvtRnaTf32F32} rounds to those.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, the bits of a number each
   * @param atLeft the index of the first of them
   * @param right 2 elements, the bits of a number each
   * @param atRight the index of the first of them
   */
  public static void tf32(
      float[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K8Tf32(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * Adds the product of a 16x32 and a 32x8 matrix of signed bytes; sums wrap around.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, four numbers each
   * @param atLeft the index of the first of them
   * @param right 2 elements, four numbers each
   * @param atRight the index of the first of them
   */
  public static void s8(
      int[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K32S8(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * Adds the product of a 16x32 and a 32x8 matrix of E4M3 numbers, of 8 bits each. It needs compute
   * capability 8.9.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, four numbers each
   * @param atLeft the index of the first of them
   * @param right 2 elements, four numbers each
   * @param atRight the index of the first of them
   */
  public static void e4m3(
      float[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K32E4m3(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * Adds the product of a 16x32 and a 32x8 matrix of E5M2 numbers, of 8 bits each. It needs compute
   * capability 8.9.
   *
   * @param sums 4 elements: the summand, and then the result
   * @param atSums the index of the first of them
   * @param left 4 elements, four numbers each
   * @param atLeft the index of the first of them
   * @param right 2 elements, four numbers each
   * @param atRight the index of the first of them
   */
  public static void e5m2(
      float[] sums,
      @Offset int atSums,
      int[] left,
      @Offset int atLeft,
      int[] right,
      @Offset int atRight) {
    Ptx.mmaM16N8K32E5m2(sums, atSums, left, atLeft, right, atRight);
  }

  /**
   * {@return the row of a sum}
   *
   * @param lane the lane, 0 to 31
   * @param element the number of the sum in the lane, 0 to 3
   */
  public static int row(int lane, int element) {
    return (lane >> 2) + ((element >> 1) << 3);
  }

  /**
   * {@return the column of a sum}
   *
   * @param lane the lane, 0 to 31
   * @param element the number of the sum in the lane, 0 to 3
   */
  public static int column(int lane, int element) {
    return ((lane & 3) << 1) + (element & 1);
  }
}
