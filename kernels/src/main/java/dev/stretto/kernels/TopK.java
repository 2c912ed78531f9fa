// Generated from tools/families/TopK.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * Finds the greatest or the least elements of an array on a GPU, and where they are. The outputs'
 * length says how many.
 *
 * <p>Each method enqueues kernels and fills on a stream and returns at once. Elements are read once
 * to count their first 12 bits, and once to part those that can be among the result from all
 * others. Unless more than an eighth of all have the same 12 bits as the last one of the result,
 * that is all; else they are read again, up to nine times. The result is then sorted. Up to 12
 * bytes for each eighth element, and 36 for each one of the result, are allocated and freed in the
 * order of the stream.
 *
 * <p>Of equal elements the first ones are found, and come first. Floating-point numbers are in the
 * order of {@link Float#compare} and {@link Double#compare}, so a NaN is greater than all others.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="top"}
 */
public final class TopK {
  private TopK() {}

  /**
   * Finds the greatest of ints.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the greatest first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event largest(Stream stream, GlobalInts in, GlobalInts out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asInts(in),
        Views.asInts(out),
        places,
        KeyOrder.PLAIN,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the least of ints.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the least first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event smallest(Stream stream, GlobalInts in, GlobalInts out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asInts(in),
        Views.asInts(out),
        places,
        KeyOrder.DESCENDING,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the greatest of longs.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the greatest first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event largest(Stream stream, GlobalLongs in, GlobalLongs out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asLongs(in),
        Views.asLongs(out),
        places,
        KeyOrder.PLAIN,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the least of longs.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the least first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event smallest(Stream stream, GlobalLongs in, GlobalLongs out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asLongs(in),
        Views.asLongs(out),
        places,
        KeyOrder.DESCENDING,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the greatest of floats.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the greatest first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event largest(
      Stream stream, GlobalFloats in, GlobalFloats out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asInts(in),
        Views.asInts(out),
        places,
        KeyOrder.FLOATING,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the least of floats.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the least first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event smallest(
      Stream stream, GlobalFloats in, GlobalFloats out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asInts(in),
        Views.asInts(out),
        places,
        KeyOrder.FLOATING_DESCENDING,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the greatest of doubles.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the greatest first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event largest(
      Stream stream, GlobalDoubles in, GlobalDoubles out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asLongs(in),
        Views.asLongs(out),
        places,
        KeyOrder.FLOATING,
        Math.max(in.length() / 8, 1));
  }

  /**
   * Finds the least of doubles.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out as many of them as it has elements, the least first
   * @param places where in {@code in} each of these is; as long as {@code out}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code out} has more elements than {@code in}, or
   *     2<sup>31</sup> or more, {@code places} has another number, arrays overlap, or one lies on
   *     another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event smallest(
      Stream stream, GlobalDoubles in, GlobalDoubles out, GlobalLongs places) {
    check(stream, in, out, places);
    return TopSearch.find(
        stream,
        Views.asLongs(in),
        Views.asLongs(out),
        places,
        KeyOrder.FLOATING_DESCENDING,
        Math.max(in.length() / 8, 1));
  }

  private static void check(Stream stream, GlobalArray in, GlobalArray out, GlobalLongs places) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.on(stream, places, "places");
    Arguments.hasRoom(in, "in", out.length());
    Arguments.sameLength(out, "out", places, "places");
    if (out.length() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "out has %d elements, and at most %d can be found"
              .formatted(out.length(), Integer.MAX_VALUE));
    }
    Arguments.apart(in, "in", out, "out");
    Arguments.apart(in, "in", places, "places");
    Arguments.apart(out, "out", places, "places");
  }
}
