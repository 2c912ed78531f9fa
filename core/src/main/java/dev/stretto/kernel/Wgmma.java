package dev.stretto.kernel;

/**
 * Descriptors of the matrices in shared memory that a warp group multiplies, for {@link
 * PtxWarpGroups}. A descriptor is a number that gives the memory, its order and its swizzle; it is
 * made from a shared array and an index, and {@link #advance} moves it.
 *
 * <p>A product takes 32 bytes of each row of A and of each column of B at a time: 16 numbers of 16
 * bits, 8 of TF32, 32 of 8 bits. A matrix that stores these contiguously is <em>K-major</em>: A by
 * rows, B by columns. A matrix of 16-bit numbers may also be stored the other way round,
 * <em>MN-major</em>: A by columns, B by rows.
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
   * {@return the descriptor of a K-major matrix as boxes of tensors arrive in shared memory:
   * consecutive rows (of A) or columns (of B), each with as many bytes as the swizzle spans}
   *
   * @param array holds the matrix
   * @param atByte where it begins there, in bytes: a multiple of 8 rows, or 32 bytes further inside
   *     one for the next product
   * @param swizzle within how many bytes pieces are exchanged: 32, 64 or 128
   */
  public static long kMajor(SharedArray array, int atByte, @Const int swizzle) {
    return descriptor(array, atByte, UNIT, ROWS * swizzle, swizzle);
  }

  /**
   * {@return the descriptor of an MN-major matrix of 16-bit numbers as boxes of tensors arrive in
   * shared memory: consecutive runs, one for each number along K, each with as many bytes as the
   * swizzle spans; and further such boxes at a fixed distance}
   *
   * @param array holds the matrix
   * @param atByte where it begins there, in bytes: a multiple of 8 runs
   * @param swizzle within how many bytes pieces are exchanged: 32, 64 or 128
   * @param boxBytes the distance from one box to the next, in bytes
   */
  public static long mnMajor(
      SharedArray array, int atByte, @Const int swizzle, @Const int boxBytes) {
    return descriptor(array, atByte, boxBytes, ROWS * swizzle, swizzle);
  }

  /**
   * {@return a descriptor with given distances} In a K-major matrix, eight rows follow each other,
   * each with as many bytes as the swizzle spans, and the stride leads to the next eight; the
   * leading distance is ignored. Without a swizzle a row has 16 bytes, and the leading distance
   * leads to its next 16. In an MN-major matrix eight runs follow each other, the stride leads to
   * the next eight numbers along K, and the leading distance to the next run of the same; without a
   * swizzle a run has 16 bytes, and the two distances are exchanged.
   *
   * @param array holds the matrix
   * @param atByte where it begins there, in bytes; a multiple of 16
   * @param leadingBytes the leading distance, 0 to 262,128; a multiple of 16
   * @param strideBytes the stride, 0 to 262,128; a multiple of 16
   * @param swizzle within how many bytes pieces are exchanged: 32, 64 or 128; 0 for no swizzle
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
   * {@return the descriptor of a matrix some bytes further on}
   *
   * @param descriptor of a matrix
   * @param bytes how far, a multiple of 16
   */
  public static long advance(long descriptor, int bytes) {
    return descriptor + bytes / UNIT;
  }
}
