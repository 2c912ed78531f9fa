package dev.stretto.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.stretto.memory.Bfloat;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes one array of those of all ranks, in the order of the ranks. */
final class Sums {
  private Sums() {}

  /**
   * Combines arrays.
   *
   * @param element the type of their elements
   * @param reduction how
   * @param arrays one of each rank, of the same size
   * @param result of that size; may be the first of the arrays
   */
  static void of(
      Element element, Reduction reduction, List<MemorySegment> arrays, MemorySegment result) {
    int length = (int) (result.byteSize() / element.bytes());
    switch (element) {
      case BYTES -> bytes(reduction, arrays, result, length);
      case SHORTS -> shorts(reduction, arrays, result, length);
      case INTS -> ints(reduction, arrays, result, length);
      case LONGS -> longs(reduction, arrays, result, length);
      case HALFS -> halfs(reduction, arrays, result, length, true);
      case BFLOATS -> halfs(reduction, arrays, result, length, false);
      case FLOATS -> floats(reduction, arrays, result, length);
      case DOUBLES -> doubles(reduction, arrays, result, length);
    }
  }

  private static void bytes(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      long sum = arrays.getFirst().getAtIndex(JAVA_BYTE, i);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, arrays.get(k).getAtIndex(JAVA_BYTE, i));
      }
      result.setAtIndex(JAVA_BYTE, i, (byte) end(reduction, sum, arrays.size()));
    }
  }

  private static void shorts(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      long sum = arrays.getFirst().getAtIndex(JAVA_SHORT, i);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, arrays.get(k).getAtIndex(JAVA_SHORT, i));
      }
      result.setAtIndex(JAVA_SHORT, i, (short) end(reduction, sum, arrays.size()));
    }
  }

  private static void ints(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      long sum = arrays.getFirst().getAtIndex(JAVA_INT, i);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, arrays.get(k).getAtIndex(JAVA_INT, i));
      }
      result.setAtIndex(JAVA_INT, i, (int) end(reduction, sum, arrays.size()));
    }
  }

  private static void longs(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      long sum = arrays.getFirst().getAtIndex(JAVA_LONG, i);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, arrays.get(k).getAtIndex(JAVA_LONG, i));
      }
      result.setAtIndex(JAVA_LONG, i, end(reduction, sum, arrays.size()));
    }
  }

  private static void floats(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      float sum = arrays.getFirst().getAtIndex(JAVA_FLOAT, i);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, arrays.get(k).getAtIndex(JAVA_FLOAT, i));
      }
      result.setAtIndex(JAVA_FLOAT, i, reduction == Reduction.AVERAGE ? sum / arrays.size() : sum);
    }
  }

  private static void doubles(
      Reduction reduction, List<MemorySegment> arrays, MemorySegment result, int length) {
    for (int i = 0; i < length; i++) {
      double sum = arrays.getFirst().getAtIndex(JAVA_DOUBLE, i);
      for (int k = 1; k < arrays.size(); k++) {
        double next = arrays.get(k).getAtIndex(JAVA_DOUBLE, i);
        sum =
            switch (reduction) {
              case SUM, AVERAGE -> sum + next;
              case PRODUCT -> sum * next;
              case MAX -> Math.max(sum, next);
              case MIN -> Math.min(sum, next);
            };
      }
      result.setAtIndex(JAVA_DOUBLE, i, reduction == Reduction.AVERAGE ? sum / arrays.size() : sum);
    }
  }

  private static void halfs(
      Reduction reduction,
      List<MemorySegment> arrays,
      MemorySegment result,
      int length,
      boolean isHalf) {
    for (int i = 0; i < length; i++) {
      float sum = toFloat(arrays.getFirst().getAtIndex(JAVA_SHORT, i), isHalf);
      for (int k = 1; k < arrays.size(); k++) {
        sum = next(reduction, sum, toFloat(arrays.get(k).getAtIndex(JAVA_SHORT, i), isHalf));
      }
      float end = reduction == Reduction.AVERAGE ? sum / arrays.size() : sum;
      result.setAtIndex(JAVA_SHORT, i, isHalf ? Float.floatToFloat16(end) : Bfloat.of(end));
    }
  }

  private static float toFloat(short bits, boolean isHalf) {
    return isHalf ? Float.float16ToFloat(bits) : Bfloat.toFloat(bits);
  }

  private static float next(Reduction reduction, float sum, float next) {
    return switch (reduction) {
      case SUM, AVERAGE -> sum + next;
      case PRODUCT -> sum * next;
      case MAX -> Math.max(sum, next);
      case MIN -> Math.min(sum, next);
    };
  }

  private static long next(Reduction reduction, long sum, long next) {
    return switch (reduction) {
      case SUM, AVERAGE -> sum + next;
      case PRODUCT -> sum * next;
      case MAX -> Math.max(sum, next);
      case MIN -> Math.min(sum, next);
    };
  }

  private static long end(Reduction reduction, long sum, int ranks) {
    return reduction == Reduction.AVERAGE ? sum / ranks : sum;
  }
}
