package dev.stretto.bench.sweep;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/** Words that all differ, so that a copy that went to the wrong place is found. */
final class Pattern {
  static final byte POISON = 0x5a;
  private static final long POISONS = 0x5a5a5a5a5a5a5a5aL;
  private static final long PART = 4L << 20;

  /** Looks at a part of memory. */
  private interface Part {
    void at(long from, long to);
  }

  private Pattern() {}

  static void fill(MemorySegment memory) {
    fill(memory, 0);
  }

  /** Fills memory that begins at a byte of the pattern. */
  static void fill(MemorySegment memory, long first) {
    inParts(
        memory.byteSize(),
        (from, to) -> {
          for (long at = from; at < to; at += Long.BYTES) {
            memory.set(JAVA_LONG, at, word(first + at));
          }
        });
  }

  static void poison(MemorySegment memory) {
    inParts(memory.byteSize(), (from, to) -> memory.asSlice(from, to - from).fill(POISON));
  }

  /** Requires the pattern in the bytes that a predicate chooses, and the poison in the others. */
  static void require(MemorySegment memory, LongPredicate copied) {
    require(memory, 0, copied);
  }

  /** The same of memory that begins at a byte of the pattern. */
  static void require(MemorySegment memory, long first, LongPredicate copied) {
    inParts(
        memory.byteSize(),
        (from, to) -> {
          for (long at = from; at < to; at += Long.BYTES) {
            long place = first + at;
            long expected = copied.test(place) ? word(place) : POISONS;
            requireWord(place, memory.get(JAVA_LONG, at), expected);
          }
        });
  }

  static void requireWord(long at, long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException(
          "the word at byte %d is %016x, not %016x".formatted(at, found, expected));
    }
  }

  private static long word(long at) {
    return (at / Long.BYTES + 1) * 0x9e3779b97f4a7c15L;
  }

  /** On all cores: the largest memory takes a second otherwise. */
  private static void inParts(long size, Part part) {
    int parts = Math.toIntExact((size + PART - 1) / PART);
    IntStream.range(0, parts)
        .parallel()
        .forEach(i -> part.at(i * PART, Math.min(size, (i + 1) * PART)));
  }
}
