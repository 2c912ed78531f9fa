package dev.stretto.bench.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/** Work on host memory by all cores, in chunks whose sums are added up in order. */
final class Chunks {
  private static final int LENGTH = 1 << 16;

  /** A float for each index. */
  @FunctionalInterface
  interface Floats {
    float at(int index);
  }

  /** An int for each index. */
  @FunctionalInterface
  interface Ints {
    int at(int index);
  }

  /** One index's contribution to a sum. */
  @FunctionalInterface
  interface Doubles {
    double at(int index);
  }

  private Chunks() {}

  /** The sum over 0 to {@code count - 1}; the parts may run at the same time. */
  static double sum(int count, Doubles part) {
    int chunks = (int) ((count + (long) LENGTH - 1) / LENGTH);
    double[] sums = new double[chunks];
    IntStream.range(0, chunks)
        .parallel()
        .forEach(
            chunk -> {
              int end = (int) Math.min(count, (chunk + 1L) * LENGTH);
              double sum = 0;
              for (int i = chunk * LENGTH; i < end; i++) {
                sum += part.at(i);
              }
              sums[chunk] = sum;
            });
    double sum = 0;
    for (double each : sums) {
      sum += each;
    }
    return sum;
  }

  static void fillFloats(MemorySegment to, int count, Floats element) {
    sum(
        count,
        i -> {
          to.setAtIndex(ValueLayout.JAVA_FLOAT, i, element.at(i));
          return 0;
        });
  }

  static void fillInts(MemorySegment to, int count, Ints element) {
    sum(
        count,
        i -> {
          to.setAtIndex(ValueLayout.JAVA_INT, i, element.at(i));
          return 0;
        });
  }

  /** The lowest byte of each element. */
  static void fillBytes(MemorySegment to, int count, Ints element) {
    sum(
        count,
        i -> {
          to.set(ValueLayout.JAVA_BYTE, i, (byte) element.at(i));
          return 0;
        });
  }

  static void fillDoubles(MemorySegment to, int count, Doubles element) {
    sum(
        count,
        i -> {
          to.setAtIndex(ValueLayout.JAVA_DOUBLE, i, element.at(i));
          return 0;
        });
  }

  /**
   * The sum of all elements, each of them compared.
   *
   * @throws WrongResultException names the first wrong element found in its chunk
   */
  static double requireEach(MemorySegment found, int count, Floats expected) {
    return sum(
        count,
        i -> {
          float value = found.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          float right = expected.at(i);
          if (value != right) {
            throw new WrongResultException("element " + i + " is " + value + ", not " + right);
          }
          return value;
        });
  }
}
