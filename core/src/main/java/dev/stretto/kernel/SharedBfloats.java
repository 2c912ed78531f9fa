// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.memory.Bfloat;
import java.lang.foreign.ValueLayout;

/**
 * An array of bfloat16 numbers (the upper half of a float), read and written as floats, in the
 * shared memory of a block.
 */
public final class SharedBfloats extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 2;

  SharedBfloats(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedBfloats slice(int from, int length) {
    return new SharedBfloats(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public float get(int index) {
    return Bfloat.toFloat(read(index, 1).getAtIndex(ValueLayout.JAVA_SHORT, index));
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value, rounded to the nearest, ties to even
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, float value) {
    write(index, 1).setAtIndex(ValueLayout.JAVA_SHORT, index, Bfloat.of(value));
  }
}
