// Generated from tools/families/Scan.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * Running totals on a GPU: sums, the smallest so far, the greatest so far. An <em>inclusive</em>
 * total is of all elements up to this one; an <em>exclusive</em> one is of those before it.
 *
 * <p>Each method enqueues one kernel on a stream and returns at once. Each element is read once and
 * written once. Blocks hand their totals to later ones, in words that are allocated and freed in
 * the order of the stream: 8 to 17 bytes for 2,048 or 4,096 elements. {@code out} may be {@code in}
 * itself.
 *
 * <p>Which totals are made of which depends on the length alone, and on whether both arrays begin
 * at a multiple of 16 bytes: sums of floats have the same bits each time. A total is built of at
 * most about 100 additions in a row and one for each 4 million elements before it, so its rounding
 * error is far below that of a loop.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="scan"}
 */
public final class Scan {
  private Scan() {}

  /**
   * Sets each element to the sum of all ints up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveSum(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.SUM, true);
  }

  /**
   * Sets each element to the sum of all ints before it, the first one to 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveSum(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.SUM, false);
  }

  /**
   * Sets each element to the smallest of all ints up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMin(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.MIN, true);
  }

  /**
   * Sets each element to the smallest of all ints before it, the first one to {@code
   * Integer.MAX_VALUE}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMin(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.MIN, false);
  }

  /**
   * Sets each element to the greatest of all ints up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMax(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.MAX, true);
  }

  /**
   * Sets each element to the greatest of all ints before it, the first one to {@code
   * Integer.MIN_VALUE}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMax(Stream stream, GlobalInts in, GlobalInts out) {
    return scan(stream, in, out, Operation.MAX, false);
  }

  /**
   * Sets each element to the sum of all longs up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveSum(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.SUM, true);
  }

  /**
   * Sets each element to the sum of all longs before it, the first one to 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveSum(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.SUM, false);
  }

  /**
   * Sets each element to the smallest of all longs up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMin(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.MIN, true);
  }

  /**
   * Sets each element to the smallest of all longs before it, the first one to {@code
   * Long.MAX_VALUE}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMin(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.MIN, false);
  }

  /**
   * Sets each element to the greatest of all longs up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMax(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.MAX, true);
  }

  /**
   * Sets each element to the greatest of all longs before it, the first one to {@code
   * Long.MIN_VALUE}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMax(Stream stream, GlobalLongs in, GlobalLongs out) {
    return scan(stream, in, out, Operation.MAX, false);
  }

  /**
   * Sets each element to the sum of all floats up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveSum(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.SUM, true);
  }

  /**
   * Sets each element to the sum of all floats before it, the first one to 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveSum(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.SUM, false);
  }

  /**
   * Sets each element to the smallest of all floats up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMin(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.MIN, true);
  }

  /**
   * Sets each element to the smallest of all floats before it, the first one to {@code
   * Float.POSITIVE_INFINITY}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMin(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.MIN, false);
  }

  /**
   * Sets each element to the greatest of all floats up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMax(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.MAX, true);
  }

  /**
   * Sets each element to the greatest of all floats before it, the first one to {@code
   * Float.NEGATIVE_INFINITY}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMax(Stream stream, GlobalFloats in, GlobalFloats out) {
    return scan(stream, in, out, Operation.MAX, false);
  }

  /**
   * Sets each element to the sum of all doubles up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveSum(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.SUM, true);
  }

  /**
   * Sets each element to the sum of all doubles before it, the first one to 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveSum(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.SUM, false);
  }

  /**
   * Sets each element to the smallest of all doubles up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMin(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.MIN, true);
  }

  /**
   * Sets each element to the smallest of all doubles before it, the first one to {@code
   * Double.POSITIVE_INFINITY}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMin(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.MIN, false);
  }

  /**
   * Sets each element to the greatest of all doubles up to it.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event inclusiveMax(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.MAX, true);
  }

  /**
   * Sets each element to the greatest of all doubles before it, the first one to {@code
   * Double.NEGATIVE_INFINITY}.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as long as {@code in}; {@code in} itself, or without a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event exclusiveMax(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return scan(stream, in, out, Operation.MAX, false);
  }

  private static Event scan(
      Stream stream, GlobalInts in, GlobalInts out, int operation, boolean inclusive) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.sameLength(in, "in", out, "out");
    Arguments.sameOrApart(in, "in", out, "out");
    if (in.length() == 0) {
      return stream.record();
    }
    int tiles = Arguments.tiles(in, IntScan.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, IntElements.WORDS))) {
      stream.fill(words, 0);
      Grid grid = Grid.of(tiles, IntScan.THREADS);
      if (Arguments.aligned(in) && Arguments.aligned(out)) {
        stream.launch(grid, IntScan::scan, in, out, words, operation, inclusive);
      } else {
        stream.launch(grid, IntScan::scanOneByOne, in, out, words, operation, inclusive);
      }
    }
    return stream.record();
  }

  private static Event scan(
      Stream stream, GlobalLongs in, GlobalLongs out, int operation, boolean inclusive) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.sameLength(in, "in", out, "out");
    Arguments.sameOrApart(in, "in", out, "out");
    if (in.length() == 0) {
      return stream.record();
    }
    int tiles = Arguments.tiles(in, LongScan.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      Grid grid = Grid.of(tiles, LongScan.THREADS);
      if (Arguments.aligned(in) && Arguments.aligned(out)) {
        stream.launch(grid, LongScan::scan, in, out, words, operation, inclusive);
      } else {
        stream.launch(grid, LongScan::scanOneByOne, in, out, words, operation, inclusive);
      }
    }
    return stream.record();
  }

  private static Event scan(
      Stream stream, GlobalFloats in, GlobalFloats out, int operation, boolean inclusive) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.sameLength(in, "in", out, "out");
    Arguments.sameOrApart(in, "in", out, "out");
    if (in.length() == 0) {
      return stream.record();
    }
    int tiles = Arguments.tiles(in, FloatScan.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, FloatElements.WORDS))) {
      stream.fill(words, 0);
      Grid grid = Grid.of(tiles, FloatScan.THREADS);
      if (Arguments.aligned(in) && Arguments.aligned(out)) {
        stream.launch(grid, FloatScan::scan, in, out, words, operation, inclusive);
      } else {
        stream.launch(grid, FloatScan::scanOneByOne, in, out, words, operation, inclusive);
      }
    }
    return stream.record();
  }

  private static Event scan(
      Stream stream, GlobalDoubles in, GlobalDoubles out, int operation, boolean inclusive) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.sameLength(in, "in", out, "out");
    Arguments.sameOrApart(in, "in", out, "out");
    if (in.length() == 0) {
      return stream.record();
    }
    int tiles = Arguments.tiles(in, DoubleScan.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, DoubleElements.WORDS))) {
      stream.fill(words, 0);
      Grid grid = Grid.of(tiles, DoubleScan.THREADS);
      if (Arguments.aligned(in) && Arguments.aligned(out)) {
        stream.launch(grid, DoubleScan::scan, in, out, words, operation, inclusive);
      } else {
        stream.launch(grid, DoubleScan::scanOneByOne, in, out, words, operation, inclusive);
      }
    }
    return stream.record();
  }
}
