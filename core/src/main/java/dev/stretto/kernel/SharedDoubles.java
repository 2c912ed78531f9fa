// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.memory.Double2;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of doubles in the shared memory of a block. */
public final class SharedDoubles extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 8;

  SharedDoubles(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedDoubles slice(int from, int length) {
    return new SharedDoubles(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public double get(int index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_DOUBLE, index);
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, double value) {
    write(index, 1).setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
  }

  /**
   * {@return two elements, read in one access}
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public Double2 get2(int index) {
    long at = vector(index, 2);
    MemorySegment data = read(index, 2);
    return new Double2(
        data.get(ValueLayout.JAVA_DOUBLE, at), data.get(ValueLayout.JAVA_DOUBLE, at + 8));
  }

  /**
   * Sets two elements in one access.
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public void set2(int index, Double2 value) {
    long at = vector(index, 2);
    MemorySegment data = write(index, 2);
    data.set(ValueLayout.JAVA_DOUBLE, at, value.x());
    data.set(ValueLayout.JAVA_DOUBLE, at + 8, value.y());
  }
}
