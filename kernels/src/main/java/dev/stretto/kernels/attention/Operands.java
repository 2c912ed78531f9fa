package dev.stretto.kernels.attention;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import java.util.Objects;

/** Checks the arrays of attention, before anything is enqueued. */
final class Operands {
  private static final int ALIGNMENT = 16;

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
    requireApart(o, "o", q, "q");
    requireApart(o, "o", k, "k");
    requireApart(o, "o", v, "v");
  }

  /** Checks an array's device and length. */
  static void requireLength(Stream stream, GlobalArray array, String name, long length) {
    requireOn(stream, array, name);
    if (array.length() != length) {
      throw new IllegalArgumentException(
          "%s has %d elements, and the shape needs %d: take a slice, or another shape"
              .formatted(name, array.length(), length));
    }
  }

  /** The stream can use the array. */
  static void requireOn(Stream stream, GlobalArray array, String name) {
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

  private static void requireAligned(GlobalArray array, String name) {
    if (array.address() % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "%s, %s, does not begin at a multiple of %d bytes: use the whole array, or another slice"
              .formatted(name, array, ALIGNMENT));
    }
  }

  /** The arrays share no byte. */
  static void requireApart(GlobalArray one, String name, GlobalArray other, String otherName) {
    if (one.allocation().equals(other.allocation())
        && one.byteOffset() < other.byteOffset() + other.byteSize()
        && other.byteOffset() < one.byteOffset() + one.byteSize()) {
      throw new IllegalArgumentException(
          "%s, %s, and %s, %s, overlap".formatted(name, one, otherName, other));
    }
  }
}
