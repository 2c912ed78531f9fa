// Generated from tools/families/RadixSort.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Enqueues the passes of {@link RadixSort}, from the lowest digit to the highest. */
final class Sorting {
  private static final int VALUES = 256;
  private static final int BLOCKS = 8;

  private Sorting() {}

  static Event keys(Stream stream, GlobalInts in, GlobalInts out, int order, int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = IntSweep.tile(false);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, IntDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalInts between = stream.allocateInts(length)) {
      count(stream, in, starts, order);
      GlobalInts from = in;
      for (int pass = 0; pass < IntDigits.PASSES; pass++) {
        GlobalInts to = pass % 2 == 0 ? between : out;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), IntSweep.THREADS),
              IntSweep::keys,
              from,
              to,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
      }
    }
    return stream.record();
  }

  static Event pairs(
      Stream stream,
      GlobalInts in,
      GlobalInts out,
      GlobalInts valuesIn,
      GlobalInts valuesOut,
      int order,
      int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = IntSweep.tile(false);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, IntDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalInts between = stream.allocateInts(length);
        GlobalInts valuesBetween = stream.allocateInts(length)) {
      count(stream, in, starts, order);
      GlobalInts from = in;
      GlobalInts valuesFrom = valuesIn;
      for (int pass = 0; pass < IntDigits.PASSES; pass++) {
        GlobalInts to = pass % 2 == 0 ? between : out;
        GlobalInts valuesTo = pass % 2 == 0 ? valuesBetween : valuesOut;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), IntSweep.THREADS),
              IntSweep::withInts,
              from,
              to,
              valuesFrom,
              valuesTo,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
        valuesFrom = valuesTo;
      }
    }
    return stream.record();
  }

  static Event pairs(
      Stream stream,
      GlobalInts in,
      GlobalInts out,
      GlobalLongs valuesIn,
      GlobalLongs valuesOut,
      int order,
      int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = IntSweep.tile(true);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, IntDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalInts between = stream.allocateInts(length);
        GlobalLongs valuesBetween = stream.allocateLongs(length)) {
      count(stream, in, starts, order);
      GlobalInts from = in;
      GlobalLongs valuesFrom = valuesIn;
      for (int pass = 0; pass < IntDigits.PASSES; pass++) {
        GlobalInts to = pass % 2 == 0 ? between : out;
        GlobalLongs valuesTo = pass % 2 == 0 ? valuesBetween : valuesOut;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), IntSweep.THREADS),
              IntSweep::withLongs,
              from,
              to,
              valuesFrom,
              valuesTo,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
        valuesFrom = valuesTo;
      }
    }
    return stream.record();
  }

  private static void count(Stream stream, GlobalInts in, Starts starts, int order) {
    stream.fill(starts.counts(), 0);
    stream.launch(
        Grid.of(Arguments.blocks(stream, in.length(), IntDigits.TILE, BLOCKS), IntDigits.THREADS),
        IntDigits::count,
        in,
        starts.counts(),
        order,
        Arguments.aligned(in));
    starts.sum(stream);
  }

  static Event keys(Stream stream, GlobalLongs in, GlobalLongs out, int order, int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = LongSweep.tile(false);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, LongDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalLongs between = stream.allocateLongs(length)) {
      count(stream, in, starts, order);
      GlobalLongs from = in;
      for (int pass = 0; pass < LongDigits.PASSES; pass++) {
        GlobalLongs to = pass % 2 == 0 ? between : out;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), LongSweep.THREADS),
              LongSweep::keys,
              from,
              to,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
      }
    }
    return stream.record();
  }

  static Event pairs(
      Stream stream,
      GlobalLongs in,
      GlobalLongs out,
      GlobalInts valuesIn,
      GlobalInts valuesOut,
      int order,
      int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = LongSweep.tile(false);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, LongDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalLongs between = stream.allocateLongs(length);
        GlobalInts valuesBetween = stream.allocateInts(length)) {
      count(stream, in, starts, order);
      GlobalLongs from = in;
      GlobalInts valuesFrom = valuesIn;
      for (int pass = 0; pass < LongDigits.PASSES; pass++) {
        GlobalLongs to = pass % 2 == 0 ? between : out;
        GlobalInts valuesTo = pass % 2 == 0 ? valuesBetween : valuesOut;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), LongSweep.THREADS),
              LongSweep::withInts,
              from,
              to,
              valuesFrom,
              valuesTo,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
        valuesFrom = valuesTo;
      }
    }
    return stream.record();
  }

  static Event pairs(
      Stream stream,
      GlobalLongs in,
      GlobalLongs out,
      GlobalLongs valuesIn,
      GlobalLongs valuesOut,
      int order,
      int mostOfPortion) {
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    int tile = LongSweep.tile(true);
    int portion = mostOfPortion / tile * tile;
    try (Starts starts = new Starts(stream, LongDigits.PASSES, length, portion);
        GlobalInts words = words(stream, length, portion, tile);
        GlobalLongs between = stream.allocateLongs(length);
        GlobalLongs valuesBetween = stream.allocateLongs(length)) {
      count(stream, in, starts, order);
      GlobalLongs from = in;
      GlobalLongs valuesFrom = valuesIn;
      for (int pass = 0; pass < LongDigits.PASSES; pass++) {
        GlobalLongs to = pass % 2 == 0 ? between : out;
        GlobalLongs valuesTo = pass % 2 == 0 ? valuesBetween : valuesOut;
        for (long at = 0; at < length; at += portion) {
          int keys = (int) Math.min(portion, length - at);
          stream.fill(words.slice(0, words(keys, tile)), 0);
          stream.launch(
              Grid.of(Math.ceilDiv(keys, tile), LongSweep.THREADS),
              LongSweep::withLongs,
              from,
              to,
              valuesFrom,
              valuesTo,
              words,
              starts.of(pass, at / portion),
              at,
              keys,
              8 * pass,
              order);
        }
        from = to;
        valuesFrom = valuesTo;
      }
    }
    return stream.record();
  }

  private static void count(Stream stream, GlobalLongs in, Starts starts, int order) {
    stream.fill(starts.counts(), 0);
    stream.launch(
        Grid.of(Arguments.blocks(stream, in.length(), LongDigits.TILE, BLOCKS), LongDigits.THREADS),
        LongDigits::count,
        in,
        starts.counts(),
        order,
        Arguments.aligned(in));
    starts.sum(stream);
  }

  private static GlobalInts words(Stream stream, long length, int portion, int tile) {
    return stream.allocateInts(words((int) Math.min(length, portion), tile));
  }

  /** {@return how many words tiles need to count so many keys} */
  private static long words(int keys, int tile) {
    return (Math.ceilDiv(keys, tile) + 1L) * VALUES;
  }
}
