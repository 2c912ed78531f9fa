package dev.stretto.compiler.ir;

import org.jspecify.annotations.Nullable;

/** Evaluates operations with known operands: Java's meaning, computed by Java itself. */
public final class Fold {
  private Fold() {}

  /** {@return the result, or null if it is known only at run time} */
  public static @Nullable Constant evaluate(Op op) {
    Object[] values = new Object[op.size()];
    for (int i = 0; i < values.length; i++) {
      if (!(op.operand(i) instanceof Constant constant)) {
        return null;
      }
      values[i] = constant.value();
    }
    Object result = evaluate(op, values);
    return result == null ? null : Constant.ofBoxed(result);
  }

  /**
   * {@return the result of a pure operation on boxed values, or null if it is unspecified or the
   * operation is not arithmetic}
   */
  public static @Nullable Object evaluate(Op op, Object... values) {
    if (values.length == 0) {
      return null;
    }
    return switch (op.code()) {
      case CMP -> compare(op.attribute(Cond.class), values[0], values[1]);
      case SELECT -> (Boolean) values[0] ? values[1] : values[2];
      case NOT -> !(Boolean) values[0];
      case BOOL_TO_INT -> (Boolean) values[0] ? 1 : 0;
      case IS_NAN ->
          values[0] instanceof Float f ? Float.isNaN(f) : Double.isNaN((Double) values[0]);
      case CONVERT -> convert((Number) values[0], op.type());
      case NARROW ->
          switch (op.attribute(Element.class)) {
            case I8 -> (int) (byte) (int) (Integer) values[0];
            case I16 -> (int) (short) (int) (Integer) values[0];
            case U16 -> (int) (char) (int) (Integer) values[0];
            default -> values[0];
          };
      case ZERO_EXTEND -> Integer.toUnsignedLong((Integer) values[0]);
      case BITS ->
          switch (values[0]) {
            case Integer i -> (Object) Float.intBitsToFloat(i);
            case Long l -> (Object) Double.longBitsToDouble(l);
            case Float f -> (Object) Float.floatToRawIntBits(f);
            case Double d -> (Object) Double.doubleToRawLongBits(d);
            default -> null;
          };
      case TO_HALF ->
          op.attribute(Element.class) == Element.F16
              ? (Object) (int) Float.floatToFloat16((Float) values[0])
              : null;
      case FROM_HALF ->
          op.attribute(Element.class) == Element.F16
              ? Float.float16ToFloat((short) (int) (Integer) values[0])
              : Float.intBitsToFloat((Integer) values[0] << 16);
      default ->
          switch (values[0]) {
            case Integer a -> ofInts(op.code(), a, values);
            case Long a -> ofLongs(op.code(), a, values);
            case Float a -> ofFloats(op.code(), a, values);
            case Double a -> ofDoubles(op.code(), a, values);
            case Boolean a -> ofBooleans(op.code(), a, values);
            default -> null;
          };
    };
  }

  private static @Nullable Object ofBooleans(OpCode code, boolean a, Object[] values) {
    boolean b = values.length > 1 && (Boolean) values[1];
    return switch (code) {
      case AND -> a && b;
      case OR -> a || b;
      case XOR -> a ^ b;
      default -> null;
    };
  }

  private static @Nullable Object ofInts(OpCode code, int a, Object[] values) {
    int b = values.length > 1 && values[1] instanceof Integer i ? i : 0;
    return switch (code) {
      case ADD, OFFSET -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? null : (Object) (a / b);
      case REM -> b == 0 ? null : (Object) (a % b);
      case UDIV -> b == 0 ? null : (Object) Integer.divideUnsigned(a, b);
      case UREM -> b == 0 ? null : (Object) Integer.remainderUnsigned(a, b);
      case MULHI -> (int) (((long) a * b) >> 32);
      case UMULHI -> (int) ((Integer.toUnsignedLong(a) * Integer.toUnsignedLong(b)) >>> 32);
      case NEG -> -a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
      case ROTL -> Integer.rotateLeft(a, b);
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case POPC -> Integer.bitCount(a);
      case CLZ -> Integer.numberOfLeadingZeros(a);
      case REVERSE -> Integer.reverse(a);
      default -> null;
    };
  }

  private static @Nullable Object ofLongs(OpCode code, long a, Object[] values) {
    long b = values.length > 1 ? ((Number) values[1]).longValue() : 0;
    return switch (code) {
      case ADD, OFFSET -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? null : (Object) (a / b);
      case REM -> b == 0 ? null : (Object) (a % b);
      case UDIV -> b == 0 ? null : (Object) Long.divideUnsigned(a, b);
      case UREM -> b == 0 ? null : (Object) Long.remainderUnsigned(a, b);
      case MULHI -> Math.multiplyHigh(a, b);
      case UMULHI -> Math.unsignedMultiplyHigh(a, b);
      case NEG -> -a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
      case ROTL -> Long.rotateLeft(a, (int) b);
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case POPC -> Long.bitCount(a);
      case CLZ -> Long.numberOfLeadingZeros(a);
      case REVERSE -> Long.reverse(a);
      default -> null;
    };
  }

  private static @Nullable Object ofFloats(OpCode code, float a, Object[] values) {
    float b = values.length > 1 ? (Float) values[1] : 0;
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case FMA -> Math.fma(a, b, (Float) values[2]);
      case SQRT -> (float) Math.sqrt(a);
      case FLOOR -> (float) Math.floor(a);
      case CEIL -> (float) Math.ceil(a);
      case RINT -> (float) Math.rint(a);
      case COPYSIGN -> Math.copySign(a, b);
      default -> null;
    };
  }

  private static @Nullable Object ofDoubles(OpCode code, double a, Object[] values) {
    double b = values.length > 1 ? (Double) values[1] : 0;
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case FMA -> Math.fma(a, b, (Double) values[2]);
      case SQRT -> Math.sqrt(a);
      case FLOOR -> Math.floor(a);
      case CEIL -> Math.ceil(a);
      case RINT -> Math.rint(a);
      case COPYSIGN -> Math.copySign(a, b);
      default -> null;
    };
  }

  private static Object convert(Number from, Type to) {
    return switch (from) {
      case Integer i -> convertLong(i, to);
      case Long l -> convertLong(l, to);
      case Float f ->
          switch (to) {
            case INT -> (Object) (int) (float) f;
            case LONG -> (Object) (long) (float) f;
            case FLOAT -> (Object) f;
            default -> (Object) (double) (float) f;
          };
      default -> {
        double d = from.doubleValue();
        yield switch (to) {
          case INT -> (Object) (int) d;
          case LONG -> (Object) (long) d;
          case FLOAT -> (Object) (float) d;
          default -> (Object) d;
        };
      }
    };
  }

  private static Object convertLong(long from, Type to) {
    return switch (to) {
      case INT -> (Object) (int) from;
      case LONG -> (Object) from;
      case FLOAT -> (Object) (float) from;
      default -> (Object) (double) from;
    };
  }

  private static boolean compare(Cond cond, Object a, Object b) {
    if (a instanceof Float || a instanceof Double) {
      return compareFloating(cond, ((Number) a).doubleValue(), ((Number) b).doubleValue());
    }
    if (a instanceof Boolean) {
      return (cond == Cond.EQ) == a.equals(b);
    }
    long x = ((Number) a).longValue();
    long y = ((Number) b).longValue();
    // Two sign-extended ints compare as unsigned longs in the same order as they do as unsigned
    // ints.
    int unsigned = Long.compareUnsigned(x, y);
    return switch (cond) {
      case EQ -> x == y;
      case NE -> x != y;
      case LT -> x < y;
      case LE -> x <= y;
      case GT -> x > y;
      case GE -> x >= y;
      case ULT -> unsigned < 0;
      case ULE -> unsigned <= 0;
      case UGT -> unsigned > 0;
      case UGE -> unsigned >= 0;
    };
  }

  private static boolean compareFloating(Cond cond, double x, double y) {
    return switch (cond) {
      case EQ -> x == y;
      case NE -> x != y;
      case LT -> x < y;
      case LE -> x <= y;
      case GT -> x > y;
      case GE -> x >= y;
      case ULT -> !(x >= y);
      case ULE -> !(x > y);
      case UGT -> !(x <= y);
      case UGE -> !(x < y);
    };
  }
}
