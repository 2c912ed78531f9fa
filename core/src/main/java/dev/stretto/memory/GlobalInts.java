package dev.stretto.memory;

import java.lang.foreign.ValueLayout;

/** An array of ints in a device's global memory. */
public final class GlobalInts extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 4;

  private GlobalInts(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an allocation as an array of as many whole elements as it holds}
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
   * {@return an element; for kernels}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public int get(long index) {
    return data().getAtIndex(ValueLayout.JAVA_INT, index);
  }

  /**
   * Sets an element; for kernels.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, int value) {
    data().setAtIndex(ValueLayout.JAVA_INT, index, value);
  }
}
