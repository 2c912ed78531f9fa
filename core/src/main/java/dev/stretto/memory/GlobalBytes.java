// Generated from tools/families/Global.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** An array of bytes in a device's global memory. */
public final class GlobalBytes extends GlobalArray {
  /** {@value} bytes an element. */
  public static final int ELEMENT_BYTES = 1;

  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private GlobalBytes(Allocation allocation, long firstByte, long length, boolean slice) {
    super(allocation, firstByte, length, ELEMENT_BYTES, slice);
  }

  /**
   * {@return an array of as many whole elements as an allocation holds}
   *
   * @param allocation the memory
   */
  public static GlobalBytes of(Allocation allocation) {
    return new GlobalBytes(allocation, 0, elements(allocation, ELEMENT_BYTES), false);
  }

  @Override
  public GlobalBytes slice(long from, long length) {
    return new GlobalBytes(allocation(), sliceStart(from, length), length, true);
  }

  /**
   * {@return an element; only kernels can call this}
   *
   * @param index 0 to {@code length() - 1}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public byte get(long index) {
    return read(index, 1).get(ValueLayout.JAVA_BYTE, index);
  }

  /**
   * Sets an element. Only kernels can call this.
   *
   * @param index 0 to {@code length() - 1}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException outside a kernel
   */
  public void set(long index, byte value) {
    written(index, 1).set(ValueLayout.JAVA_BYTE, index, value);
  }

  /**
   * {@return the same memory as an array of shorts}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalShorts asShorts() {
    return GlobalShorts.of(allocation())
        .slice(firstElement(GlobalShorts.ELEMENT_BYTES), length() / GlobalShorts.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of ints}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalInts asInts() {
    return GlobalInts.of(allocation())
        .slice(firstElement(GlobalInts.ELEMENT_BYTES), length() / GlobalInts.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of longs}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalLongs asLongs() {
    return GlobalLongs.of(allocation())
        .slice(firstElement(GlobalLongs.ELEMENT_BYTES), length() / GlobalLongs.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of floats}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalFloats asFloats() {
    return GlobalFloats.of(allocation())
        .slice(firstElement(GlobalFloats.ELEMENT_BYTES), length() / GlobalFloats.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of doubles}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalDoubles asDoubles() {
    return GlobalDoubles.of(allocation())
        .slice(firstElement(GlobalDoubles.ELEMENT_BYTES), length() / GlobalDoubles.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of binary16 numbers}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalHalfs asHalfs() {
    return GlobalHalfs.of(allocation())
        .slice(firstElement(GlobalHalfs.ELEMENT_BYTES), length() / GlobalHalfs.ELEMENT_BYTES);
  }

  /**
   * {@return the same memory as an array of bfloat16 numbers}
   *
   * @throws IllegalArgumentException if the array does not begin and end at whole elements
   * @throws dev.stretto.fault.ClosedException if the array is closed
   */
  public GlobalBfloats asBfloats() {
    return GlobalBfloats.of(allocation())
        .slice(firstElement(GlobalBfloats.ELEMENT_BYTES), length() / GlobalBfloats.ELEMENT_BYTES);
  }

  private long firstElement(int elementBytes) {
    if (byteOffset() % elementBytes != 0 || length() % elementBytes != 0) {
      throw new IllegalArgumentException(
          this + " does not begin and end at a whole element of " + elementBytes + " bytes");
    }
    return byteOffset() / elementBytes;
  }

  /**
   * {@return four elements as an {@code int}, the first one in the lowest byte; only kernels can
   * call this}
   *
   * @param index the first element's, 0 to {@code length() - 4}
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalStateException outside a kernel
   */
  public int getInt(long index) {
    return read(index, 4).get(WORD, index);
  }

  /**
   * Sets four elements to the bytes of an {@code int}, the first one to the lowest byte. Only
   * kernels can call this.
   *
   * @param index the first element's, 0 to {@code length() - 4}
   * @param value the new value
   * @throws IndexOutOfBoundsException if there are no four elements from there
   * @throws IllegalStateException outside a kernel
   */
  public void setInt(long index, int value) {
    written(index, 4).set(WORD, index, value);
  }
}
