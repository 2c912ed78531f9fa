// Generated from tools/families/Reduce.template by tools/Families.java. Do not edit.
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
 * Makes one number of many on a GPU: a sum, the smallest, the greatest.
 *
 * <p>Each method enqueues kernels on a stream and returns at once. Each element is read once. What
 * is needed in between, at most 32 numbers for each multiprocessor, is allocated and freed in the
 * order of the stream; so a method can be captured in a graph.
 *
 * <p>The order in which numbers are added depends on their count, on the device's number of
 * multiprocessors, and on whether the array begins at a multiple of 16 bytes, and on nothing else:
 * sums of floats have the same bits each time. Each is a sum of about a million sums, one of each
 * thread, which are added in pairs; so its rounding error is far below that of a loop.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="reduce"}
 */
public final class Reduce {
  /** So many blocks for each multiprocessor: enough that all end at nearly the same time. */
  private static final int BLOCKS = 32;

  private Reduce() {}

  /**
   * Adds up ints. The sum wraps around, as in Java.
   *
   * @param in the numbers; the sum of none is 0
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event sum(Stream stream, GlobalInts in, GlobalInts out) {
    return reduce(stream, in, out, Operation.SUM);
  }

  /**
   * Finds the smallest of ints, by the rules of {@link Math#min(int, int)}.
   *
   * @param in the numbers; the smallest of none is {@code Integer.MAX_VALUE}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event min(Stream stream, GlobalInts in, GlobalInts out) {
    return reduce(stream, in, out, Operation.MIN);
  }

  /**
   * Finds the greatest of ints, by the rules of {@link Math#max(int, int)}.
   *
   * @param in the numbers; the greatest of none is {@code Integer.MIN_VALUE}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event max(Stream stream, GlobalInts in, GlobalInts out) {
    return reduce(stream, in, out, Operation.MAX);
  }

  /**
   * Adds up longs. The sum wraps around, as in Java.
   *
   * @param in the numbers; the sum of none is 0
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event sum(Stream stream, GlobalLongs in, GlobalLongs out) {
    return reduce(stream, in, out, Operation.SUM);
  }

  /**
   * Finds the smallest of longs, by the rules of {@link Math#min(long, long)}.
   *
   * @param in the numbers; the smallest of none is {@code Long.MAX_VALUE}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event min(Stream stream, GlobalLongs in, GlobalLongs out) {
    return reduce(stream, in, out, Operation.MIN);
  }

  /**
   * Finds the greatest of longs, by the rules of {@link Math#max(long, long)}.
   *
   * @param in the numbers; the greatest of none is {@code Long.MIN_VALUE}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event max(Stream stream, GlobalLongs in, GlobalLongs out) {
    return reduce(stream, in, out, Operation.MAX);
  }

  /**
   * Adds up floats, as floats.
   *
   * @param in the numbers; the sum of none is 0
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event sum(Stream stream, GlobalFloats in, GlobalFloats out) {
    return reduce(stream, in, out, Operation.SUM);
  }

  /**
   * Finds the smallest of floats, by the rules of {@link Math#min(float, float)}.
   *
   * @param in the numbers; the smallest of none is {@code Float.POSITIVE_INFINITY}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event min(Stream stream, GlobalFloats in, GlobalFloats out) {
    return reduce(stream, in, out, Operation.MIN);
  }

  /**
   * Finds the greatest of floats, by the rules of {@link Math#max(float, float)}.
   *
   * @param in the numbers; the greatest of none is {@code Float.NEGATIVE_INFINITY}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event max(Stream stream, GlobalFloats in, GlobalFloats out) {
    return reduce(stream, in, out, Operation.MAX);
  }

  /**
   * Adds up doubles.
   *
   * @param in the numbers; the sum of none is 0
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event sum(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return reduce(stream, in, out, Operation.SUM);
  }

  /**
   * Finds the smallest of doubles, by the rules of {@link Math#min(double, double)}.
   *
   * @param in the numbers; the smallest of none is {@code Double.POSITIVE_INFINITY}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event min(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return reduce(stream, in, out, Operation.MIN);
  }

  /**
   * Finds the greatest of doubles, by the rules of {@link Math#max(double, double)}.
   *
   * @param in the numbers; the greatest of none is {@code Double.NEGATIVE_INFINITY}
   * @param stream the operation's place among others
   * @param out its first element is set
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is empty, or an array lies on another device
   *     than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event max(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    return reduce(stream, in, out, Operation.MAX);
  }

  private static Event reduce(Stream stream, GlobalInts in, GlobalInts out, int operation) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.hasRoom(out, "out", 1);
    int threads = IntReduction.THREADS;
    boolean aligned = Arguments.aligned(in);
    int blocks = Arguments.blocks(stream, in.length(), IntReduction.TILE, BLOCKS);
    if (blocks == 1) {
      stream.launch(Grid.of(1, threads), IntReduction::reduce, in, out, operation, aligned);
      return stream.record();
    }
    try (GlobalInts parts = stream.allocateInts(blocks)) {
      stream.launch(Grid.of(blocks, threads), IntReduction::reduce, in, parts, operation, aligned);
      stream.launch(Grid.of(1, threads), IntReduction::reduce, parts, out, operation, true);
    }
    return stream.record();
  }

  private static Event reduce(Stream stream, GlobalLongs in, GlobalLongs out, int operation) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.hasRoom(out, "out", 1);
    int threads = LongReduction.THREADS;
    boolean aligned = Arguments.aligned(in);
    int blocks = Arguments.blocks(stream, in.length(), LongReduction.TILE, BLOCKS);
    if (blocks == 1) {
      stream.launch(Grid.of(1, threads), LongReduction::reduce, in, out, operation, aligned);
      return stream.record();
    }
    try (GlobalLongs parts = stream.allocateLongs(blocks)) {
      stream.launch(Grid.of(blocks, threads), LongReduction::reduce, in, parts, operation, aligned);
      stream.launch(Grid.of(1, threads), LongReduction::reduce, parts, out, operation, true);
    }
    return stream.record();
  }

  private static Event reduce(Stream stream, GlobalFloats in, GlobalFloats out, int operation) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.hasRoom(out, "out", 1);
    int threads = FloatReduction.THREADS;
    boolean aligned = Arguments.aligned(in);
    int blocks = Arguments.blocks(stream, in.length(), FloatReduction.TILE, BLOCKS);
    if (blocks == 1) {
      stream.launch(Grid.of(1, threads), FloatReduction::reduce, in, out, operation, aligned);
      return stream.record();
    }
    try (GlobalFloats parts = stream.allocateFloats(blocks)) {
      stream.launch(
          Grid.of(blocks, threads), FloatReduction::reduce, in, parts, operation, aligned);
      stream.launch(Grid.of(1, threads), FloatReduction::reduce, parts, out, operation, true);
    }
    return stream.record();
  }

  private static Event reduce(Stream stream, GlobalDoubles in, GlobalDoubles out, int operation) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.hasRoom(out, "out", 1);
    int threads = DoubleReduction.THREADS;
    boolean aligned = Arguments.aligned(in);
    int blocks = Arguments.blocks(stream, in.length(), DoubleReduction.TILE, BLOCKS);
    if (blocks == 1) {
      stream.launch(Grid.of(1, threads), DoubleReduction::reduce, in, out, operation, aligned);
      return stream.record();
    }
    try (GlobalDoubles parts = stream.allocateDoubles(blocks)) {
      stream.launch(
          Grid.of(blocks, threads), DoubleReduction::reduce, in, parts, operation, aligned);
      stream.launch(Grid.of(1, threads), DoubleReduction::reduce, parts, out, operation, true);
    }
    return stream.record();
  }
}
