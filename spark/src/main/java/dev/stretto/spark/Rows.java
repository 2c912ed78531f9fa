package dev.stretto.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;

/**
 * How the elements of an RDD lie in a chunk: one after the other, each of the same size.
 *
 * @param <T> the elements
 */
public interface Rows<T> extends Serializable {
  /** {@return how many bytes an element has, 1 or more} */
  int byteSize();

  /**
   * Writes an element.
   *
   * @param element of the RDD
   * @param to the memory of the chunk
   * @param offset where the element begins, in bytes
   */
  void write(T element, MemorySegment to, long offset);

  /**
   * {@return an element}
   *
   * @param from the memory of the chunk, which is valid only during this call
   * @param offset where the element begins, in bytes
   */
  T read(MemorySegment from, long offset);

  /**
   * {@return arrays of so many bytes}
   *
   * @param length of each array, 1 or more; another one is refused by an {@link
   *     IllegalArgumentException} when it is written
   * @throws IllegalArgumentException if it is less than 1
   */
  static Rows<byte[]> bytes(int length) {
    return new ArrayRows.Bytes(ArrayRows.length(length, Byte.BYTES));
  }

  /**
   * {@return arrays of so many ints}
   *
   * @param length of each array, 1 or more; another one is refused by an {@link
   *     IllegalArgumentException} when it is written
   * @throws IllegalArgumentException if it is less than 1, or an array has 2 GiB or more
   */
  static Rows<int[]> ints(int length) {
    return new ArrayRows.Ints(ArrayRows.length(length, Integer.BYTES));
  }

  /**
   * {@return arrays of so many longs}
   *
   * @param length of each array, 1 or more; another one is refused by an {@link
   *     IllegalArgumentException} when it is written
   * @throws IllegalArgumentException if it is less than 1, or an array has 2 GiB or more
   */
  static Rows<long[]> longs(int length) {
    return new ArrayRows.Longs(ArrayRows.length(length, Long.BYTES));
  }

  /**
   * {@return arrays of so many floats}
   *
   * @param length of each array, 1 or more; another one is refused by an {@link
   *     IllegalArgumentException} when it is written
   * @throws IllegalArgumentException if it is less than 1, or an array has 2 GiB or more
   */
  static Rows<float[]> floats(int length) {
    return new ArrayRows.Floats(ArrayRows.length(length, Float.BYTES));
  }

  /**
   * {@return arrays of so many doubles}
   *
   * @param length of each array, 1 or more; another one is refused by an {@link
   *     IllegalArgumentException} when it is written
   * @throws IllegalArgumentException if it is less than 1, or an array has 2 GiB or more
   */
  static Rows<double[]> doubles(int length) {
    return new ArrayRows.Doubles(ArrayRows.length(length, Double.BYTES));
  }
}
