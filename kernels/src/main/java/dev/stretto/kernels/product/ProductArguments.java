package dev.stretto.kernels.product;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import java.util.Objects;

/** Checks what a product is given, before anything is enqueued. */
final class ProductArguments {
  private static final int VECTOR_BYTES = 16;
  private static final int MOST_EXTENT = 1 << 30;

  private ProductArguments() {}

  static void atLeastOne(int number, String name) {
    if (number < 1) {
      throw new IllegalArgumentException(name + " is " + number + ", and must be 1 or more");
    }
  }

  /** Kernels count rows and columns with ints, a tile further than there are any. */
  static void isExtent(int number, String name) {
    atLeastOne(number, name);
    if (number > MOST_EXTENT) {
      throw new IllegalArgumentException(
          "%s is %d, and can be at most %d: divide the matrix"
              .formatted(name, number, MOST_EXTENT));
    }
  }

  /** The stream can use the array, and it has so many elements or more. */
  static void fits(Stream stream, GlobalArray array, String name, long elements, String shape) {
    Objects.requireNonNull(array, name);
    if (!array.isOpen()) {
      throw new ClosedException("%s, %s, is closed".formatted(name, array));
    }
    Device of = Device.of(array);
    if (!of.properties().equals(stream.device().properties())) {
      throw new IllegalArgumentException(
          "%s, %s, lies on %s, but the stream is one of %s"
              .formatted(name, array, of, stream.device()));
    }
    if (array.length() < elements) {
      throw new IllegalArgumentException(
          "%s has %d elements, and %s are needed: %d"
              .formatted(name, array.length(), shape, elements));
    }
  }

  static void isOpen(Stream stream) {
    if (!stream.isOpen()) {
      throw new ClosedException(stream + " is closed");
    }
  }

  /** The arrays share no byte. */
  static void apart(GlobalArray c, GlobalArray other, String name) {
    if (c.allocation().equals(other.allocation())
        && c.byteOffset() < other.byteOffset() + other.byteSize()
        && other.byteOffset() < c.byteOffset() + c.byteSize()) {
      throw new IllegalArgumentException(
          "c, %s, and %s, %s, overlap: give c memory of its own".formatted(c, name, other));
    }
  }

  static boolean aligned(GlobalArray... arrays) {
    for (GlobalArray array : arrays) {
      if (array.address() % VECTOR_BYTES != 0) {
        return false;
      }
    }
    return true;
  }
}
