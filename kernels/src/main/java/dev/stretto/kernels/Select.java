// Generated from tools/families/Select.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Objects;

/**
 * Keeps some elements of an array on a GPU, in their order, and counts them.
 *
 * <p>Each method enqueues one kernel on a stream and returns at once. Each element is read once,
 * and written once if it is kept. Blocks hand their counts to later ones, in words that are
 * allocated and freed in the order of the stream: 17 bytes for 2,048 or 4,096 elements.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="select"}
 */
public final class Select {
  private Select() {}

  /**
   * Keeps the ints that compare so with a value.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param comparison for example {@link Comparison#GREATER}
   * @param value the right side of the comparison
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is shorter than {@code in}, {@code count} is
   *     empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event where(
      Stream stream,
      GlobalInts in,
      Comparison comparison,
      int value,
      GlobalInts out,
      GlobalLongs count) {
    Objects.requireNonNull(comparison, "comparison");
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, IntSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, IntSelection.THREADS),
          IntSelection::where,
          in,
          value,
          out,
          count,
          words,
          comparison.ordinal(),
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the ints whose flag is not 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param flags one for each number
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} or {@code flags} is shorter than {@code in},
   *     {@code count} is empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event flagged(
      Stream stream, GlobalInts in, GlobalBytes flags, GlobalInts out, GlobalLongs count) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, flags, "flags");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(flags, "flags", in.length());
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(flags, "flags", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    Arguments.apart(count, "count", flags, "flags");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, IntSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, IntSelection.THREADS),
          IntSelection::flagged,
          in,
          flags,
          out,
          count,
          words,
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the longs that compare so with a value.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param comparison for example {@link Comparison#GREATER}
   * @param value the right side of the comparison
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is shorter than {@code in}, {@code count} is
   *     empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event where(
      Stream stream,
      GlobalLongs in,
      Comparison comparison,
      long value,
      GlobalLongs out,
      GlobalLongs count) {
    Objects.requireNonNull(comparison, "comparison");
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, LongSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, LongSelection.THREADS),
          LongSelection::where,
          in,
          value,
          out,
          count,
          words,
          comparison.ordinal(),
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the longs whose flag is not 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param flags one for each number
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} or {@code flags} is shorter than {@code in},
   *     {@code count} is empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event flagged(
      Stream stream, GlobalLongs in, GlobalBytes flags, GlobalLongs out, GlobalLongs count) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, flags, "flags");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(flags, "flags", in.length());
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(flags, "flags", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    Arguments.apart(count, "count", flags, "flags");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, LongSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, LongSelection.THREADS),
          LongSelection::flagged,
          in,
          flags,
          out,
          count,
          words,
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the floats that compare so with a value.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param comparison for example {@link Comparison#GREATER}
   * @param value the right side of the comparison
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is shorter than {@code in}, {@code count} is
   *     empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event where(
      Stream stream,
      GlobalFloats in,
      Comparison comparison,
      float value,
      GlobalFloats out,
      GlobalLongs count) {
    Objects.requireNonNull(comparison, "comparison");
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, FloatSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, FloatSelection.THREADS),
          FloatSelection::where,
          in,
          value,
          out,
          count,
          words,
          comparison.ordinal(),
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the floats whose flag is not 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param flags one for each number
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} or {@code flags} is shorter than {@code in},
   *     {@code count} is empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event flagged(
      Stream stream, GlobalFloats in, GlobalBytes flags, GlobalFloats out, GlobalLongs count) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, flags, "flags");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(flags, "flags", in.length());
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(flags, "flags", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    Arguments.apart(count, "count", flags, "flags");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, FloatSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, FloatSelection.THREADS),
          FloatSelection::flagged,
          in,
          flags,
          out,
          count,
          words,
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the doubles that compare so with a value.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param comparison for example {@link Comparison#GREATER}
   * @param value the right side of the comparison
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} is shorter than {@code in}, {@code count} is
   *     empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event where(
      Stream stream,
      GlobalDoubles in,
      Comparison comparison,
      double value,
      GlobalDoubles out,
      GlobalLongs count) {
    Objects.requireNonNull(comparison, "comparison");
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, DoubleSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, DoubleSelection.THREADS),
          DoubleSelection::where,
          in,
          value,
          out,
          count,
          words,
          comparison.ordinal(),
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }

  /**
   * Keeps the doubles whose flag is not 0.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param flags one for each number
   * @param out what is kept, from its first element; at least as long as {@code in}; what is behind
   *     stays as it is
   * @param count its first element is set to how many are kept
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} or {@code flags} is shorter than {@code in},
   *     {@code count} is empty, arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event flagged(
      Stream stream, GlobalDoubles in, GlobalBytes flags, GlobalDoubles out, GlobalLongs count) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, flags, "flags");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, count, "count");
    Arguments.hasRoom(flags, "flags", in.length());
    Arguments.hasRoom(out, "out", in.length());
    Arguments.hasRoom(count, "count", 1);
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(flags, "flags", out, "out");
    Arguments.apart(count, "count", out, "out");
    Arguments.apart(count, "count", in, "in");
    Arguments.apart(count, "count", flags, "flags");
    if (in.length() == 0) {
      return stream.fill(count.slice(0, 1), 0);
    }
    int tiles = Arguments.tiles(in, DoubleSelection.TILE);
    try (GlobalLongs words = stream.allocateLongs(Totals.words(tiles, LongElements.WORDS))) {
      stream.fill(words, 0);
      stream.launch(
          Grid.of(tiles, DoubleSelection.THREADS),
          DoubleSelection::flagged,
          in,
          flags,
          out,
          count,
          words,
          Arguments.aligned(in),
          in.length() <= Integer.MAX_VALUE);
    }
    return stream.record();
  }
}
