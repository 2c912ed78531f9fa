package dev.stretto.kernel;

/**
 * Where matrices lie that a warp group multiplies: descriptors for {@link PtxWarpGroups}. A
 * descriptor is a number that says which memory, in what order and with which swizzle; it is made
 * of a shared array and an index, and moved on with {@link #advance}.
 *
 * <p>A product takes 32 bytes of each row of A and of each column of B at a time: 16 numbers of 16
 * bits, 8 of TF32, 32 bytes. A matrix that has these one behind the other is <em>K-major</em>: A
 * row by row, B column by column. One of 16-bit numbers may also lie the other way round,
 * <em>MN-major</em>: A column by column, B row by row.
 *
 * <pre>{@code
 * // A: 64 rows of 64 bfloat16 numbers, B: 128 columns of 64, as boxes come with BYTES_128.
 * long a = Wgmma.kMajor(tiles, 0, 128);
 * long b = Wgmma.kMajor(tiles, 64 * 128, 128);
 * PtxWarpGroups.wgmmaFence();
 * for (int k = 0; k < 4; k++) {
 *   boolean add = k > 0;
 *   PtxWarpGroups.wgmmaBf16(
 *       sum, 0, 128, Wgmma.advance(a, 32 * k), Wgmma.advance(b, 32 * k), add, 0, 0);
 * }
 * PtxWarpGroups.wgmmaCommitGroup();
 * PtxWarpGroups.wgmmaWaitGroup(0);
 * }</pre>
 */
public final class Wgmma {
  private static final int UNIT = 16;
  private static final int ROWS = 8;

  private Wgmma() {}

  /**
   * {@return the descriptor of a K-major matrix as boxes of tensors come to shared memory: rows (of
   * A) or columns (of B) of as many bytes as the swizzle spans, one behind the other}
   *
   * @param array has the matrix
   * @param atByte where it begins there, in bytes: a multiple of 8 rows, or 32 bytes inside of one
   *     for the next product
   * @param swizzle what pieces change places within: 32, 64 or 128 bytes
   */
  public static long kMajor(SharedArray array, int atByte, @Const int swizzle) {
    return descriptor(array, atByte, UNIT, ROWS * swizzle, swizzle);
  }

  /**
   * {@return the descriptor of an MN-major matrix of 16-bit numbers as boxes of tensors come to
   * shared memory: for each number along K a run of as many bytes as the swizzle spans, one behind
   * the other; and the next such box some bytes behind}
   *
   * @param array has the matrix
   * @param atByte where it begins there, in bytes: a multiple of 8 runs
   * @param swizzle what pieces change places within: 32, 64 or 128 bytes
   * @param boxBytes how far a box is behind the one before, in bytes
   */
  public static long mnMajor(
      SharedArray array, int atByte, @Const int swizzle, @Const int boxBytes) {
    return descriptor(array, atByte, boxBytes, ROWS * swizzle, swizzle);
  }

  /**
   * {@return any descriptor} In a K-major matrix eight rows follow each other, each of as many
   * bytes as the swizzle spans, and the stride leads to the next eight; the leading distance does
   * not count. Without a swizzle a row has 16 bytes, and the leading distance leads to its next 16.
   * In an MN-major matrix eight runs follow each other, the stride leads to the next eight numbers
   * along K, and the leading distance to the next run of the same; without a swizzle a run has 16
   * bytes, and the two distances are exchanged.
   *
   * @param array has the matrix
   * @param atByte where it begins there, in bytes; a multiple of 16
   * @param leadingBytes the leading distance, 0 to 262,128; a multiple of 16
   * @param strideBytes the stride, 0 to 262,128; a multiple of 16
   * @param swizzle what pieces change places within: 32, 64 or 128 bytes, 0 for none
   */
  public static long descriptor(
      SharedArray array, int atByte, int leadingBytes, int strideBytes, @Const int swizzle) {
    long layout = swizzle == 128 ? 1L : swizzle == 64 ? 2L : swizzle == 32 ? 3L : 0L;
    return PtxWarpGroups.place(array, atByte)
        | (long) (leadingBytes / UNIT) << 16
        | (long) (strideBytes / UNIT) << 32
        | layout << 62;
  }

  /**
   * {@return the descriptor of what lies some bytes behind}
   *
   * @param descriptor of a matrix
   * @param bytes how far, a multiple of 16
   */
  public static long advance(long descriptor, int bytes) {
    return descriptor + bytes / UNIT;
  }
}
