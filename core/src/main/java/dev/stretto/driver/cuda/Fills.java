package dev.stretto.driver.cuda;

/** Enqueues fills of device memory. */
final class Fills {
  /**
   * The most rows of one strided fill; CUDA does not document larger numbers than an {@code int}.
   */
  private static final long MOST_ROWS = 1L << 30;

  private final Context context;
  private final Health health;

  Fills(Context context, Health health) {
    this.context = context;
    this.health = health;
  }

  void fill(long dst, long value, int elementBytes, long count, long stream) {
    health.require(stream, "stream");
    boolean known =
        elementBytes == 1 || elementBytes == 2 || elementBytes == 4 || elementBytes == 8;
    if (!known
        || dst == 0
        || dst % elementBytes != 0
        || count <= 0
        || count > limit(elementBytes)) {
      throw health.invalid("not a valid fill: " + values(dst, elementBytes, count));
    }
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      switch (elementBytes) {
        case 1 ->
            check(
                CopyCalls.fillBytes(dst, (byte) value, count, stream),
                "cuMemsetD8Async",
                dst,
                1,
                count);
        case 2 ->
            check(
                CopyCalls.fillShorts(dst, (short) value, count, stream),
                "cuMemsetD16Async",
                dst,
                2,
                count);
        case 4 ->
            check(
                CopyCalls.fillInts(dst, (int) value, count, stream),
                "cuMemsetD32Async",
                dst,
                4,
                count);
        default -> fillLongs(dst, value, count, stream);
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /** CUDA has no fill of eight bytes: two strided fills write the two halves of each element. */
  private void fillLongs(long dst, long value, long count, long stream) {
    int low = (int) value;
    int high = (int) (value >>> Integer.SIZE);
    if (low == high) {
      check(CopyCalls.fillInts(dst, low, 2 * count, stream), "cuMemsetD32Async", dst, 8, count);
      return;
    }
    for (long done = 0; done < count; done += MOST_ROWS) {
      long rows = Math.min(count - done, MOST_ROWS);
      long at = dst + done * Long.BYTES;
      check(
          CopyCalls.fillIntColumns(at, Long.BYTES, low, 1, rows, stream),
          "cuMemsetD2D32Async",
          at,
          8,
          rows);
      check(
          CopyCalls.fillIntColumns(at + Integer.BYTES, Long.BYTES, high, 1, rows, stream),
          "cuMemsetD2D32Async",
          at,
          8,
          rows);
    }
  }

  private void check(int result, String call, long dst, int elementBytes, long count) {
    if (result != 0) {
      throw health.failure(result, call, values(dst, elementBytes, count));
    }
  }

  private static long limit(int elementBytes) {
    return Long.MAX_VALUE / elementBytes;
  }

  private static String values(long dst, int elementBytes, long count) {
    return count + " elements of " + elementBytes + " bytes at 0x" + Long.toHexString(dst);
  }
}
