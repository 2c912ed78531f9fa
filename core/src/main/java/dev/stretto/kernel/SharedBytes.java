// Generated from tools/families/Shared.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.kernel.machine.SharedStorage;
import java.lang.foreign.ValueLayout;

/** An array of bytes in the shared memory of a block. */
public final class SharedBytes extends SharedArray {
  /** {@value} bytes per element. */
  public static final int ELEMENT_BYTES = 1;

  SharedBytes(SharedStorage storage, int firstByte, int length) {
    super(storage, firstByte, length, ELEMENT_BYTES);
  }

  @Override
  public SharedBytes slice(int from, int length) {
    return new SharedBytes(sliced(from, length), firstByte() + from * ELEMENT_BYTES, length);
  }

  /**
   * {@return an element}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public byte get(int index) {
    return read(index, 1).get(ValueLayout.JAVA_BYTE, index);
  }

  /**
   * Sets an element.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public void set(int index, byte value) {
    write(index, 1).set(ValueLayout.JAVA_BYTE, index, value);
  }

  /**
   * {@return the same memory as an array of shorts}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedShorts asShorts() {
    return new SharedShorts(storage(), firstByte(), elements(SharedShorts.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of ints}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedInts asInts() {
    return new SharedInts(storage(), firstByte(), elements(SharedInts.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of longs}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedLongs asLongs() {
    return new SharedLongs(storage(), firstByte(), elements(SharedLongs.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of floats}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedFloats asFloats() {
    return new SharedFloats(storage(), firstByte(), elements(SharedFloats.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of doubles}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedDoubles asDoubles() {
    return new SharedDoubles(storage(), firstByte(), elements(SharedDoubles.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of binary16 numbers}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedHalfs asHalfs() {
    return new SharedHalfs(storage(), firstByte(), elements(SharedHalfs.ELEMENT_BYTES));
  }

  /**
   * {@return the same memory as an array of bfloat16 numbers}
   *
   * @throws IllegalArgumentException if it does not begin and end at a whole element
   */
  public SharedBfloats asBfloats() {
    return new SharedBfloats(storage(), firstByte(), elements(SharedBfloats.ELEMENT_BYTES));
  }
}
