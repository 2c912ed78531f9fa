package dev.stretto;

/**
 * How the rows and planes of one end of a three-dimensional copy lie.
 *
 * <p>Where {@code plane} is a multiple of {@code row}, as CUDA has it ({@code CUDA_MEMCPY3D}'s
 * pitch and height), a copy is one call of the driver's, otherwise one for each plane.
 *
 * @param row bytes from the beginning of a row to that of the next
 * @param plane bytes from the beginning of a plane to that of the next
 */
public record Pitches(long row, long plane) {
  /**
   * Checks that planes lie one behind the other and fit.
   *
   * @param end which end of the copy this is
   * @param bytes how many that has
   */
  void check(String end, long bytes, Extent extent) {
    long width = extent.width();
    long rows = extent.rows();
    long planes = extent.planes();
    if (width < 1 || rows < 1 || planes < 1) {
      throw new IllegalArgumentException("a copy of " + extent + ": each has to be 1 or more");
    }
    if (row < width) {
      throw new IllegalArgumentException(
          "rows of " + width + " bytes that lie " + row + " bytes apart overlap in the " + end);
    }
    boolean large = rows - 1 > (Long.MAX_VALUE - width) / row;
    long spanOfPlane = large ? Long.MAX_VALUE : (rows - 1) * row + width;
    if (!large && plane < spanOfPlane) {
      throw new IllegalArgumentException(
          "planes of %d bytes from first to last that lie %d bytes apart overlap in the %s"
              .formatted(spanOfPlane, plane, end));
    }
    if (large
        || planes - 1 > (Long.MAX_VALUE - spanOfPlane) / plane
        || (planes - 1) * plane + spanOfPlane > bytes) {
      throw new IndexOutOfBoundsException(
          "%s, %d and %d bytes apart, do not fit into the %d bytes of the %s"
              .formatted(extent, row, plane, bytes, end));
    }
  }

  /** {@return the bytes from the first to the last} */
  long span(Extent extent) {
    return (extent.planes() - 1) * plane + (extent.rows() - 1) * row + extent.width();
  }
}
