// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of doubles in a device's global memory. */
public final class GlobalDoubles extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 8;

  private GlobalDoubles(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalDoubles of(Allocation allocation) {
    return new GlobalDoubles(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalDoubles slice(long from, long length) {
    return new GlobalDoubles(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public double get(long index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_DOUBLE, inside(index));
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, double value) {
    written(index, 1).setAtIndex(ValueLayout.JAVA_DOUBLE, inside(index), value);
  }

  /**
   * {@return two elements, read in one access; only kernels can call this}
   *
   * @param index the first element's, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if the first element's address is not a multiple of 16 bytes
   * @throws IllegalStateException outside a kernel
   */
  public Double2 get2(long index) {
    MemorySegment data = read(index, 2);
    long at = vector(index, 2);
    return new Double2(
        data.get(ValueLayout.JAVA_DOUBLE, at), data.get(ValueLayout.JAVA_DOUBLE, at + 8));
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
  public void set2(long index, Double2 value) {
    MemorySegment data = written(index, 2);
    long at = vector(index, 2);
    data.set(ValueLayout.JAVA_DOUBLE, at, value.x());
    data.set(ValueLayout.JAVA_DOUBLE, at + 8, value.y());
  }
}
