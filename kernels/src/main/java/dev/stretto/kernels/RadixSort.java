// Generated from tools/families/RadixSort.template by tools/Families.java. Do not edit.
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
 * Sorts on a GPU: keys alone, or keys with values that go with them. Stable: values of equal keys
 * keep their order.
 *
 * <p>Each method enqueues kernels and fills on a stream and returns at once. Keys are read once to
 * count digits; then each of 4 passes, or of 8 if keys have 8 bytes, reads and writes everything
 * once. As many bytes as the keys and values have, and about an eighth more, are allocated and
 * freed in the order of the stream.
 *
 * <p>Floating-point numbers are in the order of {@link Float#compare} and {@link Double#compare}:
 * -0.0 is less than 0.0, and each NaN is greater than everything else.
 *
 * <p>An output may be the input of the same name.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="sort"}
 */
public final class RadixSort {
  /** In words of 32 bits tiles count fewer keys than this, so more keys are sorted in portions. */
  static final int PORTION = (1 << 30) - 1;

  private RadixSort() {}

  /**
   * Sorts ints, the least first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keys(Stream stream, GlobalInts in, GlobalInts out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(stream, Views.asInts(in), Views.asInts(out), KeyOrder.PLAIN, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream, GlobalInts keys, GlobalInts keysOut, GlobalInts values, GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.PLAIN,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalInts keys,
      GlobalInts keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.PLAIN,
        PORTION);
  }

  /**
   * Sorts ints, the greatest first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keysDescending(Stream stream, GlobalInts in, GlobalInts out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(stream, Views.asInts(in), Views.asInts(out), KeyOrder.DESCENDING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream, GlobalInts keys, GlobalInts keysOut, GlobalInts values, GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.DESCENDING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalInts keys,
      GlobalInts keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.DESCENDING,
        PORTION);
  }

  /**
   * Sorts longs, the least first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keys(Stream stream, GlobalLongs in, GlobalLongs out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(stream, Views.asLongs(in), Views.asLongs(out), KeyOrder.PLAIN, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalLongs keys,
      GlobalLongs keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.PLAIN,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalLongs keys,
      GlobalLongs keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.PLAIN,
        PORTION);
  }

  /**
   * Sorts longs, the greatest first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keysDescending(Stream stream, GlobalLongs in, GlobalLongs out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(
        stream, Views.asLongs(in), Views.asLongs(out), KeyOrder.DESCENDING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalLongs keys,
      GlobalLongs keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.DESCENDING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalLongs keys,
      GlobalLongs keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.DESCENDING,
        PORTION);
  }

  /**
   * Sorts floats, the least first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keys(Stream stream, GlobalFloats in, GlobalFloats out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(stream, Views.asInts(in), Views.asInts(out), KeyOrder.FLOATING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalFloats keys,
      GlobalFloats keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalFloats keys,
      GlobalFloats keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING,
        PORTION);
  }

  /**
   * Sorts floats, the greatest first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keysDescending(Stream stream, GlobalFloats in, GlobalFloats out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(
        stream, Views.asInts(in), Views.asInts(out), KeyOrder.FLOATING_DESCENDING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalFloats keys,
      GlobalFloats keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING_DESCENDING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalFloats keys,
      GlobalFloats keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asInts(keys),
        Views.asInts(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING_DESCENDING,
        PORTION);
  }

  /**
   * Sorts doubles, the least first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keys(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(stream, Views.asLongs(in), Views.asLongs(out), KeyOrder.FLOATING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalDoubles keys,
      GlobalDoubles keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the least first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairs(
      Stream stream,
      GlobalDoubles keys,
      GlobalDoubles keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING,
        PORTION);
  }

  /**
   * Sorts doubles, the greatest first.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param out the same numbers, sorted; as long as {@code in}; {@code in} itself, or without a
   *     byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, the arrays overlap and are not the
   *     same, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event keysDescending(Stream stream, GlobalDoubles in, GlobalDoubles out) {
    check(stream, in, "in", out, "out");
    return Sorting.keys(
        stream, Views.asLongs(in), Views.asLongs(out), KeyOrder.FLOATING_DESCENDING, PORTION);
  }

  /**
   * Sorts ints by keys that are withInts, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalDoubles keys,
      GlobalDoubles keysOut,
      GlobalInts values,
      GlobalInts valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING_DESCENDING,
        PORTION);
  }

  /**
   * Sorts longs by keys that are withLongs, the greatest first.
   *
   * @param stream the operation's place among others
   * @param keys the keys
   * @param keysOut the same keys, sorted; {@code keys} itself, or without a byte in common
   * @param values a value for each key
   * @param valuesOut the same values, in the order of their keys; {@code values} itself, or without
   *     a byte in common
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the lengths differ, arrays overlap that are not the same
   *     input and output, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event pairsDescending(
      Stream stream,
      GlobalDoubles keys,
      GlobalDoubles keysOut,
      GlobalLongs values,
      GlobalLongs valuesOut) {
    check(stream, keys, "keys", keysOut, "keysOut");
    check(stream, values, "values", valuesOut, "valuesOut");
    Arguments.sameLength(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", values, "values");
    Arguments.apart(keys, "keys", valuesOut, "valuesOut");
    Arguments.apart(keysOut, "keysOut", values, "values");
    Arguments.apart(keysOut, "keysOut", valuesOut, "valuesOut");
    return Sorting.pairs(
        stream,
        Views.asLongs(keys),
        Views.asLongs(keysOut),
        values,
        valuesOut,
        KeyOrder.FLOATING_DESCENDING,
        PORTION);
  }

  private static void check(
      Stream stream, GlobalArray in, String name, GlobalArray out, String nameOut) {
    Arguments.on(stream, in, name);
    Arguments.on(stream, out, nameOut);
    Arguments.sameLength(in, name, out, nameOut);
    Arguments.sameOrApart(in, name, out, nameOut);
  }
}
