// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of longs in a device's global memory. */
public final class GlobalLongs extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 8;

  private GlobalLongs(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalLongs of(Allocation allocation) {
    return new GlobalLongs(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalLongs slice(long from, long length) {
    return new GlobalLongs(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public long get(long index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_LONG, inside(index));
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, long value) {
    written(index, 1).setAtIndex(ValueLayout.JAVA_LONG, inside(index), value);
  }

  /**
   * {@return two elements, read in one access; only kernels can call this}
   *
   * @param index the first element's, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 16 bytes
   * @throws IllegalStateException outside a kernel
   */
  public Long2 get2(long index) {
    MemorySegment data = read(index, 2);
    long at = vector(index, 2);
    return new Long2(data.get(ValueLayout.JAVA_LONG, at), data.get(ValueLayout.JAVA_LONG, at + 8));
  }

  /**
   * Sets two elements in one access. Only kernels can call this.
   *
   * @param index the first element's, a multiple of 2, 0 to {@code length() - 2}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 16 bytes
   * @throws IllegalStateException outside a kernel
   */
  public void set2(long index, Long2 value) {
    MemorySegment data = written(index, 2);
    long at = vector(index, 2);
    data.set(ValueLayout.JAVA_LONG, at, value.x());
    data.set(ValueLayout.JAVA_LONG, at + 8, value.y());
  }
}
