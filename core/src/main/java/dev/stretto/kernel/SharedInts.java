// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.memory.Int2;
import dev.stretto.memory.Int4;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of ints in the shared memory of a block. */
public final class SharedInts extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 4;

  SharedInts(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedInts slice(int from, int length) {
    return new SharedInts(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public int get(int index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_INT, index);
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, int value) {
    write(index, 1).setAtIndex(ValueLayout.JAVA_INT, index, value);
  }

  /**
   * {@return two elements, read in one access}
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 8 bytes
   */
  public Int2 get2(int index) {
    long at = vector(index, 2);
    MemorySegment data = read(index, 2);
    return new Int2(data.get(ValueLayout.JAVA_INT, at), data.get(ValueLayout.JAVA_INT, at + 4));
  }

  /**
   * Sets two elements in one access.
   *
   * @param index of the first, a multiple of 2, 0 to {@code length() - 2}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no two elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 8 bytes
   */
  public void set2(int index, Int2 value) {
    long at = vector(index, 2);
    MemorySegment data = write(index, 2);
    data.set(ValueLayout.JAVA_INT, at, value.x());
    data.set(ValueLayout.JAVA_INT, at + 4, value.y());
  }

  /**
   * {@return four elements, read in one access}
   *
   * @param index of the first, a multiple of 4, 0 to {@code length() - 4}
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public Int4 get4(int index) {
    long at = vector(index, 4);
    MemorySegment data = read(index, 4);
    return new Int4(
        data.get(ValueLayout.JAVA_INT, at),
        data.get(ValueLayout.JAVA_INT, at + 4),
        data.get(ValueLayout.JAVA_INT, at + 8),
        data.get(ValueLayout.JAVA_INT, at + 12));
  }

  /**
   * Sets four elements in one access.
   *
   * @param index of the first, a multiple of 4, 0 to {@code length() - 4}
   * @param value the new values
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalArgumentException if that place is not a multiple of 16 bytes
   */
  public void set4(int index, Int4 value) {
    long at = vector(index, 4);
    MemorySegment data = write(index, 4);
    data.set(ValueLayout.JAVA_INT, at, value.x());
    data.set(ValueLayout.JAVA_INT, at + 4, value.y());
    data.set(ValueLayout.JAVA_INT, at + 8, value.z());
    data.set(ValueLayout.JAVA_INT, at + 12, value.w());
  }
}
