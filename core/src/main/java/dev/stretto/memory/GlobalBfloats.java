// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.ValueLayout;

/**
 * An array of bfloat16 numbers (the upper half of a float), read and written as floats, in a
 * device's global memory.
 */
public final class GlobalBfloats extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 2;

  private GlobalBfloats(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalBfloats of(Allocation allocation) {
    return new GlobalBfloats(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalBfloats slice(long from, long length) {
    return new GlobalBfloats(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public float get(long index) {
    return Bfloat.toFloat(read(index, 1).getAtIndex(ValueLayout.JAVA_SHORT, inside(index)));
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value, rounded to the nearest, ties to even
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, float value) {
    written(index, 1).setAtIndex(ValueLayout.JAVA_SHORT, inside(index), Bfloat.of(value));
  }
}
