package dev.stretto.kernel;

import dev.stretto.memory.Bfloat;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BiConsumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The reductions of boxes on a virtual device, element by element. An H200 showed which reductions
 * exist. On it, sums of subnormal numbers may differ.
 */
final class TensorReduction {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private TensorReduction() {}

  /**
   * The function that joins the second element to the first one.
   *
   * @throws IllegalArgumentException if devices do not have this reduction for such elements
   */
  static BiConsumer<MemorySegment, MemorySegment> of(
      PtxTensorCopies.Reduction how, TensorMap.Element element) {
    return switch (element) {
      case UINT32, INT32 -> ints(how, element);
      case UINT64, INT64 -> longs(how, element);
      case FLOAT16, BFLOAT16 -> halfs(how, element);
      case FLOAT32 -> {
        if (how != PtxTensorCopies.Reduction.ADD) {
          throw refused(how, element);
        }
        yield (a, b) ->
            a.set(
                INT,
                0,
                Float.floatToRawIntBits(
                    Float.intBitsToFloat(a.get(INT, 0)) + Float.intBitsToFloat(b.get(INT, 0))));
      }
      case FLOAT64 -> {
        if (how != PtxTensorCopies.Reduction.ADD) {
          throw refused(how, element);
        }
        yield (a, b) ->
            a.set(
                LONG,
                0,
                Double.doubleToRawLongBits(
                    Double.longBitsToDouble(a.get(LONG, 0))
                        + Double.longBitsToDouble(b.get(LONG, 0))));
      }
      case UINT8, UINT16 -> throw refused(how, element);
    };
  }

  private static IllegalArgumentException refused(
      PtxTensorCopies.Reduction how, TensorMap.Element element) {
    return new IllegalArgumentException(
        "cpReduceAsyncBulkTensor with "
            + how
            + " of "
            + element
            + ": devices do not have it; TensorMap.Builder.element may name another type of the"
            + " same size");
  }

  private static BiConsumer<MemorySegment, MemorySegment> ints(
      PtxTensorCopies.Reduction how, TensorMap.Element element) {
    boolean signed = element == TensorMap.Element.INT32;
    IntBinaryOperator join =
        switch (how) {
          case ADD -> Integer::sum;
          case MIN -> signed ? Math::min : (a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b;
          case MAX -> signed ? Math::max : (a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b;
          case AND -> (a, b) -> a & b;
          case OR -> (a, b) -> a | b;
          case XOR -> (a, b) -> a ^ b;
          case INC, DEC -> {
            if (signed) {
              throw refused(how, element);
            }
            yield how == PtxTensorCopies.Reduction.INC
                ? (a, b) -> Integer.compareUnsigned(a, b) >= 0 ? 0 : a + 1
                : (a, b) -> a == 0 || Integer.compareUnsigned(a, b) > 0 ? b : a - 1;
          }
        };
    return (a, b) -> a.set(INT, 0, join.applyAsInt(a.get(INT, 0), b.get(INT, 0)));
  }

  private static BiConsumer<MemorySegment, MemorySegment> longs(
      PtxTensorCopies.Reduction how, TensorMap.Element element) {
    boolean signed = element == TensorMap.Element.INT64;
    LongBinaryOperator join =
        switch (how) {
          case MIN -> signed ? Math::min : (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b;
          case MAX -> signed ? Math::max : (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b;
          case ADD, AND, OR, XOR -> {
            if (signed) {
              throw refused(how, element);
            }
            yield switch (how) {
              case ADD -> Long::sum;
              case AND -> (a, b) -> a & b;
              case OR -> (a, b) -> a | b;
              default -> (a, b) -> a ^ b;
            };
          }
          case INC, DEC -> throw refused(how, element);
        };
    return (a, b) -> a.set(LONG, 0, join.applyAsLong(a.get(LONG, 0), b.get(LONG, 0)));
  }

  private static BiConsumer<MemorySegment, MemorySegment> halfs(
      PtxTensorCopies.Reduction how, TensorMap.Element element) {
    boolean binary16 = element == TensorMap.Element.FLOAT16;
    DoubleBinaryOperator join =
        switch (how) {
          // A float is precise enough that rounding the sum a second time adds no error.
          case ADD -> (a, b) -> (float) a + (float) b;
          case MIN -> (a, b) -> lesser(a, b);
          case MAX -> (a, b) -> -lesser(-a, -b);
          case INC, DEC, AND, OR, XOR -> throw refused(how, element);
        };
    return (a, b) -> {
      float sum =
          (float)
              join.applyAsDouble(
                  number(a.get(SHORT, 0), binary16), number(b.get(SHORT, 0), binary16));
      a.set(SHORT, 0, binary16 ? Float.floatToFloat16(sum) : Bfloat.of(sum));
    };
  }

  /** The lesser number. If one of the two is NaN, it is the other one. */
  private static double lesser(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.isNaN(a) ? b : a;
    }
    return Math.min(a, b);
  }

  private static double number(short bits, boolean binary16) {
    return binary16 ? Float.float16ToFloat(bits) : Bfloat.toFloat(bits);
  }
}
