package dev.stretto.enqueue;

import dev.stretto.driver.Volume;
import dev.stretto.order.Footprint;

/**
 * The bytes of one end of a three-dimensional copy.
 *
 * @param width bytes per row
 * @param rows rows per plane
 * @param planes the number of planes
 * @param row bytes from the beginning of a row to the beginning of the next row
 * @param plane bytes from the beginning of a plane to the beginning of the next plane
 */
public record Box(long width, long rows, long planes, long row, long plane) {
  /**
   * Checks that rows and planes do not overlap and fit into the memory.
   *
   * @param end the end of the copy: source or destination
   * @param bytes the size of that memory in bytes
   */
  public void check(String end, long bytes) {
    if (width < 1 || rows < 1 || planes < 1) {
      throw new IllegalArgumentException("a copy of " + extent() + ": each has to be 1 or more");
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
              .formatted(extent(), row, plane, bytes, end));
    }
  }

  /** {@return the bytes from the first to the last} */
  public long span() {
    return (planes - 1) * plane + (rows - 1) * row + width;
  }

  /** {@return how many bytes are copied} */
  public long bytes() {
    return width * rows * planes;
  }

  /** {@return the bytes of the box in memory that begins at an address} */
  public Footprint at(long address) {
    return new Footprint(address, width, row, rows, plane, planes);
  }

  /** {@return the shape of a copy from another end to this one} */
  public Volume from(Box source) {
    return new Volume(row, plane, source.row, source.plane, width, rows, planes);
  }

  private String extent() {
    return planes + " planes of " + rows + " rows of " + width + " bytes";
  }
}
