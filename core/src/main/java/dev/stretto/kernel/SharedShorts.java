// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import java.lang.foreign.ValueLayout;

/** An array of shorts in the shared memory of a block. */
public final class SharedShorts extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 2;

  SharedShorts(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedShorts slice(int from, int length) {
    return new SharedShorts(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public short get(int index) {
    return read(index, 1).getAtIndex(ValueLayout.JAVA_SHORT, index);
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, short value) {
    write(index, 1).setAtIndex(ValueLayout.JAVA_SHORT, index, value);
  }
}
