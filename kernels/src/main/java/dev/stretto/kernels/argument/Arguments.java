package dev.stretto.kernels.argument;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import java.util.Objects;

/** Checks what a primitive, a product or attention is given, before anything is enqueued. */
public final class Arguments {
  private static final int VECTOR_BYTES = 16;

  private Arguments() {}

  /** The stream can use the array. */
  public static void on(Stream stream, GlobalArray array, String name) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(array, name);
    if (!stream.isOpen()) {
      throw new ClosedException(stream + " is closed");
    }
    if (!array.isOpen()) {
      throw new ClosedException("%s, %s, is closed".formatted(name, array));
    }
    Device of = Device.of(array);
    if (!of.properties().equals(stream.device().properties())) {
      throw new IllegalArgumentException(
          "%s, %s, lies on %s, but the stream is one of %s"
              .formatted(name, array, of, stream.device()));
    }
  }

  /** The array has at least so many elements. */
  public static void hasRoom(GlobalArray array, String name, long elements) {
    if (array.length() < elements) {
      throw new IllegalArgumentException(
          "%s has %d elements, and %d are needed".formatted(name, array.length(), elements));
    }
  }

  /** The number is 0 or more. */
  public static void notNegative(long number, String name) {
    if (number < 0) {
      throw new IllegalArgumentException(name + " is " + number);
    }
  }

  /** Both arrays have the same number of elements. */
  public static void sameLength(GlobalArray one, String name, GlobalArray other, String otherName) {
    if (one.length() != other.length()) {
      throw new IllegalArgumentException(
          "%s has %d elements, and %s has %d"
              .formatted(name, one.length(), otherName, other.length()));
    }
  }

  /** {@return how many tiles the array has} */
  public static int tiles(GlobalArray in, int tile) {
    return Math.toIntExact(Math.ceilDiv(in.length(), (long) tile));
  }

  /** The arrays share no byte. */
  public static void apart(GlobalArray one, String name, GlobalArray other, String otherName) {
    if (overlap(one, other)) {
      throw new IllegalArgumentException(
          "%s, %s, and %s, %s, overlap: give one of them memory of its own"
              .formatted(name, one, otherName, other));
    }
  }

  /** The arrays begin at the same byte, or share none. */
  public static void sameOrApart(GlobalArray in, String name, GlobalArray out, String nameOut) {
    if (in.byteOffset() != out.byteOffset() && overlap(in, out)) {
      throw new IllegalArgumentException(
          "%s, %s, and %s, %s, overlap and do not begin at the same element"
              .formatted(name, in, nameOut, out));
    }
  }

  private static boolean overlap(GlobalArray one, GlobalArray other) {
    return one.allocation().equals(other.allocation())
        && one.byteOffset() < other.byteOffset() + other.byteSize()
        && other.byteOffset() < one.byteOffset() + one.byteSize();
  }

  /** {@return whether the array's elements can be moved 16 bytes at a time} */
  public static boolean aligned(GlobalArray array) {
    return array.address() % VECTOR_BYTES == 0;
  }

  /** {@return how many blocks work on so many elements: one a tile, up to a limit} */
  public static int blocks(Stream stream, long elements, int tile, int ofMultiprocessor) {
    long tiles = Math.ceilDiv(elements, tile);
    long most = (long) stream.device().properties().multiprocessors() * ofMultiprocessor;
    return (int) Math.clamp(tiles, 1, most);
  }
}
