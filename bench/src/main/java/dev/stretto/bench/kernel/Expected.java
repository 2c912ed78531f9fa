package dev.stretto.bench.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Compares what kernels computed with what the host computes. Returns checksums: the sum of all
 * magnitudes, the one at place i times {@code 1 + i % 7}, so that it depends on the order.
 */
final class Expected {
  private Expected() {}

  static double floats(MemorySegment found, int count, Chunks.Floats expected) {
    return floats(found, count, 0, expected);
  }

  /** Each element may be off by {@code tolerance}. */
  static double floats(MemorySegment found, int count, double tolerance, Chunks.Floats expected) {
    return Chunks.sum(
        count,
        i -> {
          float value = found.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          float right = expected.at(i);
          if (!(Math.abs(value - right) <= tolerance)) {
            throw wrong(i, value, right);
          }
          return weighed(value, i);
        });
  }

  static double ints(MemorySegment found, int count, Chunks.Ints expected) {
    return Chunks.sum(
        count,
        i -> {
          int value = found.getAtIndex(ValueLayout.JAVA_INT, i);
          int right = expected.at(i);
          if (value != right) {
            throw wrong(i, value, right);
          }
          return weighed(value, i);
        });
  }

  /** Of bytes without a sign. */
  static double bytes(MemorySegment found, int count, Chunks.Ints expected) {
    return Chunks.sum(
        count,
        i -> {
          int value = found.get(ValueLayout.JAVA_BYTE, i) & 0xff;
          int right = expected.at(i);
          if (value != right) {
            throw wrong(i, value, right);
          }
          return weighed(value, i);
        });
  }

  /** What an element adds to the checksum. */
  static double weighed(double value, int place) {
    return Math.abs(value) * (1 + place % 7);
  }

  /** The sum over 0 to {@code count - 1} of parts that each take long. */
  static double sumOfLong(int count, IntToDoubleFunction part) {
    return IntStream.range(0, count).parallel().mapToDouble(part).sum();
  }

  static WrongResultException wrong(int place, double found, double right) {
    return new WrongResultException("element " + place + " is " + found + ", not " + right);
  }
}
