// Generated from tools/families/ArrayCopies.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Copies of parts of Java arrays, counted in elements, and of floats whose elements on the device
 * have another form. A part of a device's array is a {@link GlobalArray#slice slice}.
 *
 * @param <R> a copy; this file does not depend on those that depend on it
 */
abstract class ArrayCopies<R> extends RefusedCopies<R> {
  ArrayCopies() {}

  /** Enqueues a copy of a part of an array to the device. */
  abstract R copyArray(MemorySegment source, GlobalArray destination);

  /** Enqueues a copy from the device to a part of an array. */
  abstract R copyArray(GlobalArray source, MemorySegment destination);

  /**
   * Enqueues a copy of floats to the device that converts them.
   *
   * @param floats where they lie
   * @param source the same as one row in the form that they have on the device
   */
  abstract R copyConverted(MemorySegment floats, HostRows source, GlobalArray destination);

  /** The same from the device. */
  abstract R copyConverted(GlobalArray source, MemorySegment floats, HostRows destination);

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(byte[] source, int from, int count, GlobalBytes destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 1, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalBytes source, byte[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 1, from, count));
  }

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(short[] source, int from, int count, GlobalShorts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 2, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalShorts source, short[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 2, from, count));
  }

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(int[] source, int from, int count, GlobalInts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 4, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalInts source, int[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 4, from, count));
  }

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(long[] source, int from, int count, GlobalLongs destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 8, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalLongs source, long[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 8, from, count));
  }

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(float[] source, int from, int count, GlobalFloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 4, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalFloats source, float[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 4, from, count));
  }

  /**
   * Copies elements of an array to the device, staged. They are kept alive, and must not be
   * written, until the copy is done; the program may use the others.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(double[] source, int from, int count, GlobalDoubles destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    return copyArray(ArrayPart.of(MemorySegment.ofArray(source), 8, from, count), destination);
  }

  /**
   * Copies from the device to elements of an array, staged. They are kept alive, and must be
   * neither read nor written, until the copy is done; the program may use the others.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalDoubles source, double[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    return copyArray(source, ArrayPart.of(MemorySegment.ofArray(destination), 8, from, count));
  }

  /**
   * Copies floats to the device, where they are binary16 numbers: rounded to the nearest, ties to
   * even. NaN stays NaN. Host threads convert while they stage. The array is kept alive, and must
   * not be written, until the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, or the destination lies on
   *     another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(float[] source, GlobalHalfs destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.requireAll(source.length, destination.length());
    MemorySegment floats = MemorySegment.ofArray(source);
    return copyConverted(floats, HostRows.of(floats, floats.byteSize()).asHalfs(), destination);
  }

  /**
   * Copies binary16 numbers of the device to floats, exactly. Host threads convert when they
   * arrive. The array is kept alive, and must be neither read nor written, until the copy is done.
   *
   * @param source on this device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, or the source lies on another
   *     device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalHalfs source, float[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.requireAll(source.length(), destination.length);
    MemorySegment floats = MemorySegment.ofArray(destination);
    return copyConverted(source, floats, HostRows.of(floats, floats.byteSize()).asHalfs());
  }

  /**
   * Copies floats of an array to the device, where they are binary16 numbers: as {@link
   * #copy(float[], GlobalHalfs)} does with all of them.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(float[] source, int from, int count, GlobalHalfs destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    MemorySegment floats = ArrayPart.of(MemorySegment.ofArray(source), Float.BYTES, from, count);
    return copyConverted(floats, HostRows.of(floats, floats.byteSize()).asHalfs(), destination);
  }

  /**
   * Copies binary16 numbers of the device to floats of an array: as {@link #copy(GlobalHalfs,
   * float[])} does to all of them.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalHalfs source, float[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    MemorySegment floats =
        ArrayPart.of(MemorySegment.ofArray(destination), Float.BYTES, from, count);
    return copyConverted(source, floats, HostRows.of(floats, floats.byteSize()).asHalfs());
  }

  /**
   * Copies floats to the device, where they are bfloat16 numbers: rounded to the nearest, ties to
   * even. NaN stays NaN. Host threads convert while they stage. The array is kept alive, and must
   * not be written, until the copy is done.
   *
   * @param source the whole array
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, or the destination lies on
   *     another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(float[] source, GlobalBfloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.requireAll(source.length, destination.length());
    MemorySegment floats = MemorySegment.ofArray(source);
    return copyConverted(floats, HostRows.of(floats, floats.byteSize()).asBfloats(), destination);
  }

  /**
   * Copies bfloat16 numbers of the device to floats, exactly. Host threads convert when they
   * arrive. The array is kept alive, and must be neither read nor written, until the copy is done.
   *
   * @param source on this device
   * @param destination the whole array, as many elements
   * @return the copy
   * @throws IllegalArgumentException if the lengths differ or are 0, or the source lies on another
   *     device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalBfloats source, float[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.requireAll(source.length(), destination.length);
    MemorySegment floats = MemorySegment.ofArray(destination);
    return copyConverted(source, floats, HostRows.of(floats, floats.byteSize()).asBfloats());
  }

  /**
   * Copies floats of an array to the device, where they are bfloat16 numbers: as {@link
   * #copy(float[], GlobalBfloats)} does with all of them.
   *
   * @param source the array
   * @param from index of the first one in it
   * @param count how many, 1 or more
   * @param destination as many elements, on this device
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the destination has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     destination is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(float[] source, int from, int count, GlobalBfloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("source", source.length, from, count, "destination", destination.length());
    MemorySegment floats = ArrayPart.of(MemorySegment.ofArray(source), Float.BYTES, from, count);
    return copyConverted(floats, HostRows.of(floats, floats.byteSize()).asBfloats(), destination);
  }

  /**
   * Copies bfloat16 numbers of the device to floats of an array: as {@link #copy(GlobalBfloats,
   * float[])} does to all of them.
   *
   * @param source on this device
   * @param destination the array
   * @param from index of the first one in it
   * @param count how many, 1 or more; as many as the source has
   * @return the copy
   * @throws IndexOutOfBoundsException if the array has no such elements
   * @throws IllegalArgumentException if {@code count} is 0, the source has another number of
   *     elements, or it lies on another device
   * @throws dev.stretto.fault.ClosedException if what the copy is enqueued on, the device or the
   *     source is closed
   * @throws dev.stretto.fault.RouteException on a default stream, and in a capture
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final R copy(GlobalBfloats source, float[] destination, int from, int count) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    ArrayPart.require("destination", destination.length, from, count, "source", source.length());
    MemorySegment floats =
        ArrayPart.of(MemorySegment.ofArray(destination), Float.BYTES, from, count);
    return copyConverted(source, floats, HostRows.of(floats, floats.byteSize()).asBfloats());
  }
}
