package dev.stretto.driver.cuda;

import dev.stretto.driver.GraphWork;
import java.util.ArrayList;
import java.util.List;

/** Enqueues fills of device memory. */
final class Fills {
  /**
   * The most rows of one strided fill; CUDA does not document larger numbers than an {@code int}.
   */
  private static final long MOST_ROWS = 1L << 30;

  /** The largest pitch that CUDA takes: the attribute says so on every device. */
  private static final long LARGEST_PITCH = Integer.MAX_VALUE;

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

  /** Fills rows of elements. */
  void fill2D(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {
    if (rows == 1) {
      fill(dst, value, elementBytes, width, stream);
      return;
    }
    health.require(stream, "stream");
    if (!isValid(new GraphWork.Fill(dst, value, elementBytes, width, pitch, rows))) {
      throw health.invalid(
          "not a valid fill: %d rows, %d bytes apart, of %s"
              .formatted(rows, pitch, values(dst, elementBytes, width)));
    }
    if (pitch > LARGEST_PITCH) {
      for (long row = 0; row < rows; row++) {
        fill(dst + row * pitch, value, elementBytes, width, stream);
      }
      return;
    }
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      for (long done = 0; done < rows; done += MOST_ROWS) {
        long some = Math.min(rows - done, MOST_ROWS);
        fillRows(dst + done * pitch, pitch, value, elementBytes, width, some, stream);
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  private void fillRows(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {
    switch (elementBytes) {
      case 1 ->
          check(
              CopyCalls.fillByteRows(dst, pitch, (byte) value, width, rows, stream),
              "cuMemsetD2D8Async",
              dst,
              1,
              width);
      case 2 ->
          check(
              CopyCalls.fillShortRows(dst, pitch, (short) value, width, rows, stream),
              "cuMemsetD2D16Async",
              dst,
              2,
              width);
      case 4 -> fillIntRows(dst, pitch, (int) value, width, rows, stream);
      default -> {
        for (Words words : Words.of(dst, pitch, value, width, rows)) {
          fillIntRows(
              words.dst(), words.pitch(), words.value(), words.width(), words.rows(), stream);
        }
      }
    }
  }

  private void fillIntRows(long dst, long pitch, int value, long width, long rows, long stream) {
    check(
        CopyCalls.fillIntColumns(dst, pitch, value, width, rows, stream),
        "cuMemsetD2D32Async",
        dst,
        4,
        width);
  }

  /** Whether a fill of several rows is one that CUDA takes. */
  static boolean isValid(GraphWork.Fill fill) {
    int bytes = fill.elementBytes();
    return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
        && fill.dst() != 0
        && fill.dst() % bytes == 0
        && fill.count() > 0
        && fill.count() <= limit(bytes)
        && fill.rows() > 0
        && (fill.rows() == 1
            || (fill.pitch() % bytes == 0
                && fill.pitch() >= fill.count() * bytes
                && fill.rows() <= Long.MAX_VALUE / fill.pitch()));
  }

  /**
   * A fill of 4-byte words that is a part of one of 8-byte elements, which CUDA does not have: a
   * half of each element of a column, or of a row, whichever makes fewer parts.
   */
  record Words(long dst, long pitch, int value, long width, long rows) {
    static List<Words> of(long dst, long pitch, long value, long width, long rows) {
      int low = (int) value;
      int high = (int) (value >>> Integer.SIZE);
      if (low == high) {
        return List.of(new Words(dst, pitch, low, 2 * width, rows));
      }
      boolean byColumns = width <= rows;
      List<Words> all = new ArrayList<>();
      for (long i = 0; i < Math.min(width, rows); i++) {
        long at = dst + i * (byColumns ? Long.BYTES : pitch);
        for (int half = 0; half < 2; half++) {
          all.add(
              new Words(
                  at + (long) half * Integer.BYTES,
                  byColumns ? pitch : Long.BYTES,
                  half == 0 ? low : high,
                  1,
                  byColumns ? rows : width));
        }
      }
      return all;
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
