package dev.stretto.kernels.attention;

import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;

/** Checks the arrays of attention, before anything is enqueued. */
final class Operands {
  private Operands() {}

  /** Checks Q, K, V and O. */
  static void require(
      Stream stream,
      AttentionShape shape,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o) {
    long queries = shape.queryRows() * shape.headDim();
    long keys = shape.keyRows() * shape.headDim();
    requireLength(stream, q, "q", queries);
    requireLength(stream, k, "k", keys);
    requireLength(stream, v, "v", keys);
    requireLength(stream, o, "o", queries);
    requirePlaces(q, k, v, o);
  }

  /** Checks where Q, K, V and O are. */
  static void requirePlaces(GlobalArray q, GlobalArray k, GlobalArray v, GlobalArray o) {
    requireAligned(q, "q");
    requireAligned(k, "k");
    requireAligned(v, "v");
    requireAligned(o, "o");
    Arguments.apart(o, "o", q, "q");
    Arguments.apart(o, "o", k, "k");
    Arguments.apart(o, "o", v, "v");
  }

  /** Checks an array's device and length. */
  static void requireLength(Stream stream, GlobalArray array, String name, long length) {
    Arguments.on(stream, array, name);
    if (array.length() != length) {
      throw new IllegalArgumentException(
          "%s has %d elements, and the shape needs %d: take a slice, or another shape"
              .formatted(name, array.length(), length));
    }
  }

  private static void requireAligned(GlobalArray array, String name) {
    if (!Arguments.aligned(array)) {
      throw new IllegalArgumentException(
          "%s, %s, does not begin at a multiple of 16 bytes: use the whole array, or another slice"
              .formatted(name, array));
    }
  }
}
