// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.ValueLayout;

/** An array of shorts in a device's global memory. */
public final class GlobalShorts extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 2;

  private GlobalShorts(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalShorts of(Allocation allocation) {
    return new GlobalShorts(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalShorts slice(long from, long length) {
    return new GlobalShorts(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public short get(long index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_SHORT, inside(index));
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, short value) {
    written(index, 1).setAtIndex(ValueLayout.JAVA_SHORT, inside(index), value);
  }
}
