package dev.stretto.memory;

import java.lang.foreign.ValueLayout;

/** An array of floats in a device's global memory. */
public final class GlobalFloats extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 4;

  private GlobalFloats(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an allocation as an array of as many whole elements as it holds}
   *
   * @param allocation the memory
   */
  public static GlobalFloats of(Allocation allocation) {
    return new GlobalFloats(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalFloats slice(long from, long length) {
    return new GlobalFloats(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; for kernels}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public float get(long index) {
    return data().getAtIndex(ValueLayout.JAVA_FLOAT, index);
  }

  /**
   * Sets an element; for kernels.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, float value) {
    data().setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
  }
}
