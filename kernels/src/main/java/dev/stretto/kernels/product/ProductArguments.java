package dev.stretto.kernels.product;

import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;

/** Checks what a product is given, before anything is enqueued. */
final class ProductArguments {
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
    Arguments.on(stream, array, name);
    if (array.length() < elements) {
      throw new IllegalArgumentException(
          "%s has %d elements, and %s are needed: %d"
              .formatted(name, array.length(), shape, elements));
    }
  }

  static boolean aligned(GlobalArray... arrays) {
    for (GlobalArray array : arrays) {
      if (!Arguments.aligned(array)) {
        return false;
      }
    }
    return true;
  }
}
