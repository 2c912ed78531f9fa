package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.Rows;
import dev.stretto.memory.GlobalArray;

/** Fills of arrays, or of rows in them. */
final class Fill2D {
  private Fill2D() {}

  /**
   * {@return a fill of all elements}
   *
   * @throws IllegalArgumentException if there are none
   */
  static GraphWork.Fill whole(GlobalArray array, long bits) {
    long address = array.address();
    if (array.length() == 0) {
      throw new IllegalArgumentException(array + " has no elements to fill");
    }
    return new GraphWork.Fill(address, bits, array.elementBytes(), array.length());
  }

  /**
   * {@return a fill of rows}
   *
   * @param pitch from the beginning of a row to the next, in bytes
   * @param width bytes per row
   * @throws IllegalArgumentException if a size is not positive, not a multiple of the elements'
   *     size, or the pitch is smaller than a row
   * @throws IndexOutOfBoundsException if the rows do not fit into the array
   */
  static GraphWork.Fill of(GlobalArray array, long pitch, long width, long rows, long bits) {
    long address = array.address();
    Rows.check("array to fill", array.byteSize(), pitch, width, rows);
    int bytes = array.elementBytes();
    if (pitch % bytes != 0 || width % bytes != 0) {
      throw new IllegalArgumentException(
          "rows of %d bytes that lie %d bytes apart, of elements of %d bytes: both have to be multiples of that"
              .formatted(width, pitch, bytes));
    }
    return new GraphWork.Fill(address, bits, bytes, width / bytes, pitch, rows);
  }
}
