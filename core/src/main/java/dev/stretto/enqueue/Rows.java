package dev.stretto.enqueue;

/** The arithmetic of strided copies. */
public final class Rows {
  private Rows() {}

  /** The number of bytes from the first byte of the first row to the last byte of the last row. */
  public static long extent(long pitch, long width, long rows) {
    return (rows - 1) * pitch + width;
  }

  public static void check(String end, long bytes, long pitch, long width, long rows) {
    if (width < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "a copy of " + rows + " rows of " + width + " bytes: both have to be 1 or more");
    }
    if (pitch < width) {
      throw new IllegalArgumentException(
          "rows of " + width + " bytes that lie " + pitch + " bytes apart overlap in the " + end);
    }
    if (rows - 1 > (Long.MAX_VALUE - width) / pitch || extent(pitch, width, rows) > bytes) {
      throw new IndexOutOfBoundsException(
          rows
              + " rows of "
              + width
              + " bytes, "
              + pitch
              + " apart, do not fit into the "
              + bytes
              + " bytes of the "
              + end);
    }
  }
}
