// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.memory.Long2;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of longs in the shared memory of a block. */
public final class SharedLongs extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 8;

  SharedLongs(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedLongs slice(int from, int length) {
    return new SharedLongs(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public long get(int index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, long value) {
    write(index, 1).setAtIndex(ValueLayout.JAVA_LONG, index, value);
  }

  /**
   * {@return two elements, read in one access}
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public Long2 get2(int index) {
    long at = vector(index, 2);
    MemorySegment data = read(index, 2);
    return new Long2(data.get(ValueLayout.JAVA_LONG, at), data.get(ValueLayout.JAVA_LONG, at + 8));
  }

  /**
   * Sets two elements in one access.
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public void set2(int index, Long2 value) {
    long at = vector(index, 2);
    MemorySegment data = write(index, 2);
    data.set(ValueLayout.JAVA_LONG, at, value.x());
    data.set(ValueLayout.JAVA_LONG, at + 8, value.y());
  }
}
