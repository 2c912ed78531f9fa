// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of ints in a device's global memory. */
public final class GlobalInts extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 4;

  private GlobalInts(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalInts of(Allocation allocation) {
    return new GlobalInts(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalInts slice(long from, long length) {
    return new GlobalInts(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public int get(long index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_INT, inside(index));
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, int value) {
    written(index, 1).setAtIndex(ValueLayout.JAVA_INT, inside(index), value);
  }

  /**
   * {@return two elements, read in one access; only kernels can call this}
   *
   * @param index the first element's, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 8 bytes
   * @throws IllegalStateException outside a kernel
   */
  public Int2 get2(long index) {
    MemorySegment data = read(index, 2);
    long at = vector(index, 2);
    return new Int2(data.get(ValueLayout.JAVA_INT, at), data.get(ValueLayout.JAVA_INT, at + 4));
  }

  /**
   * Sets two elements in one access. Only kernels can call this.
   *
   * @param index the first element's, a multiple of 2, 0 to {@code length() - 2}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 8 bytes
   * @throws IllegalStateException outside a kernel
   */
  public void set2(long index, Int2 value) {
    MemorySegment data = written(index, 2);
    long at = vector(index, 2);
    data.set(ValueLayout.JAVA_INT, at, value.x());
    data.set(ValueLayout.JAVA_INT, at + 4, value.y());
  }

  /**
   * {@return four elements, read in one access; only kernels can call this}
   *
   * @param index the first element's, a multiple of 4, 0 to {@code length() - 4}
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 16 bytes
   * @throws IllegalStateException outside a kernel
   */
  public Int4 get4(long index) {
    MemorySegment data = read(index, 4);
    long at = vector(index, 4);
    return new Int4(
        data.get(ValueLayout.JAVA_INT, at),
        data.get(ValueLayout.JAVA_INT, at + 4),
        data.get(ValueLayout.JAVA_INT, at + 8),
        data.get(ValueLayout.JAVA_INT, at + 12));
  }

  /**
   * Sets four elements in one access. Only kernels can call this.
   *
   * @param index the first element's, a multiple of 4, 0 to {@code length() - 4}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 16 bytes
   * @throws IllegalStateException outside a kernel
   */
  public void set4(long index, Int4 value) {
    MemorySegment data = written(index, 4);
    long at = vector(index, 4);
    data.set(ValueLayout.JAVA_INT, at, value.x());
    data.set(ValueLayout.JAVA_INT, at + 4, value.y());
    data.set(ValueLayout.JAVA_INT, at + 8, value.z());
    data.set(ValueLayout.JAVA_INT, at + 12, value.w());
  }
}
