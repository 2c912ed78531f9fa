package dev.stretto.compiler;

import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;

/**
 * What operations give, on registers of 64 bits: an int with its sign, a float as the int of its
 * bits, a predicate as 0 or 1. Written apart from the compiler's own folding, so that the two check
 * each other.
 */
final class Arithmetic {
  /** What a division by zero gives: a program that is right does not look at it. */
  private static final long UNSPECIFIED = 0xDEAD_BEEF_5EED_F00DL;

  private Arithmetic() {}

  static float asFloat(long register) {
    return Float.intBitsToFloat((int) register);
  }

  static double asDouble(long register) {
    return Double.longBitsToDouble(register);
  }

  static long of(float value) {
    return Float.floatToRawIntBits(value);
  }

  static long of(double value) {
    return Double.doubleToRawLongBits(value);
  }

  static long of(boolean value) {
    return value ? 1 : 0;
  }

  /** The register for a boxed number, as a type has it. */
  static long of(Object value, Type type) {
    return switch (type) {
      case BOOL, INT ->
          switch (value) {
            case Boolean b -> of(b.booleanValue());
            case Character c -> c;
            default -> ((Number) value).intValue();
          };
      case FLOAT -> of(((Number) value).floatValue());
      case DOUBLE -> of(((Number) value).doubleValue());
      default -> ((Number) value).longValue();
    };
  }

  /** Two operands of 32 bits at most. */
  static long ints(OpCode code, int a, int b) {
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? (int) UNSPECIFIED : a / b;
      case REM -> b == 0 ? (int) UNSPECIFIED : a % b;
      case UDIV -> b == 0 ? (int) UNSPECIFIED : Integer.divideUnsigned(a, b);
      case UREM -> b == 0 ? (int) UNSPECIFIED : Integer.remainderUnsigned(a, b);
      case MULHI -> (int) (((long) a * b) >> 32);
      case UMULHI -> (int) (((a & 0xFFFF_FFFFL) * (b & 0xFFFF_FFFFL)) >>> 32);
      case NEG -> -a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
      case ROTL -> (a << b) | (a >>> -b);
      case ABS -> a < 0 ? -a : a;
      case MIN -> a < b ? a : b;
      case MAX -> a > b ? a : b;
      case POPC -> Integer.bitCount(a);
      case CLZ -> Integer.numberOfLeadingZeros(a);
      case REVERSE -> Integer.reverse(a);
      default -> throw new IllegalArgumentException(code + " of ints");
    };
  }

  static long longs(OpCode code, long a, long b) {
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> b == 0 ? UNSPECIFIED : a / b;
      case REM -> b == 0 ? UNSPECIFIED : a % b;
      case UDIV -> b == 0 ? UNSPECIFIED : Long.divideUnsigned(a, b);
      case UREM -> b == 0 ? UNSPECIFIED : Long.remainderUnsigned(a, b);
      case MULHI -> Math.multiplyHigh(a, b);
      case UMULHI -> Math.unsignedMultiplyHigh(a, b);
      case NEG -> -a;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> a << b;
      case SHR -> a >> b;
      case USHR -> a >>> b;
      case ROTL -> (a << b) | (a >>> -b);
      case ABS -> a < 0 ? -a : a;
      case MIN -> a < b ? a : b;
      case MAX -> a > b ? a : b;
      case POPC -> Long.bitCount(a);
      case CLZ -> Long.numberOfLeadingZeros(a);
      case REVERSE -> Long.reverse(a);
      default -> throw new IllegalArgumentException(code + " of longs");
    };
  }

  static float floats(OpCode code, float a, float b, float c) {
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case FMA -> Math.fma(a, b, c);
      case SQRT -> (float) Math.sqrt(a);
      case FLOOR -> (float) Math.floor(a);
      case CEIL -> (float) Math.ceil(a);
      case RINT -> (float) Math.rint(a);
      case COPYSIGN -> Math.copySign(a, b);
      default -> throw new IllegalArgumentException(code + " of floats");
    };
  }

  static double doubles(OpCode code, double a, double b, double c) {
    return switch (code) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case NEG -> -a;
      case ABS -> Math.abs(a);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case FMA -> Math.fma(a, b, c);
      case SQRT -> Math.sqrt(a);
      case FLOOR -> Math.floor(a);
      case CEIL -> Math.ceil(a);
      case RINT -> Math.rint(a);
      case COPYSIGN -> Math.copySign(a, b);
      default -> throw new IllegalArgumentException(code + " of doubles");
    };
  }

  /** Of ints, longs, predicates, addresses and references. */
  static boolean compare(Cond cond, long a, long b) {
    return switch (cond) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      // Sign extension keeps the order of unsigned ints.
      case ULT -> a + Long.MIN_VALUE < b + Long.MIN_VALUE;
      case ULE -> a + Long.MIN_VALUE <= b + Long.MIN_VALUE;
      case UGT -> a + Long.MIN_VALUE > b + Long.MIN_VALUE;
      case UGE -> a + Long.MIN_VALUE >= b + Long.MIN_VALUE;
    };
  }

  static boolean compare(Cond cond, double a, double b) {
    boolean ordered = !Double.isNaN(a) && !Double.isNaN(b);
    return switch (cond) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case ULT -> !ordered || a < b;
      case ULE -> !ordered || a <= b;
      case UGT -> !ordered || a > b;
      case UGE -> !ordered || a >= b;
    };
  }

  static long convert(Type from, Type to, long value) {
    return switch (from) {
      case INT, LONG ->
          switch (to) {
            case INT -> (int) value;
            case LONG -> value;
            case FLOAT -> of((float) value);
            case DOUBLE -> of((double) value);
            default -> throw new IllegalArgumentException(from + " to " + to);
          };
      case FLOAT -> {
        float f = asFloat(value);
        yield switch (to) {
          case INT -> (int) f;
          case LONG -> (long) f;
          case FLOAT -> value;
          case DOUBLE -> of((double) f);
          default -> throw new IllegalArgumentException(from + " to " + to);
        };
      }
      case DOUBLE -> {
        double d = asDouble(value);
        yield switch (to) {
          case INT -> (int) d;
          case LONG -> (long) d;
          case FLOAT -> of((float) d);
          case DOUBLE -> value;
          default -> throw new IllegalArgumentException(from + " to " + to);
        };
      }
      default -> throw new IllegalArgumentException(from + " to " + to);
    };
  }

  static long narrow(Element element, long value) {
    return switch (element) {
      case I8 -> (byte) value;
      case I16 -> (short) value;
      case U16 -> (char) value;
      default -> (int) value;
    };
  }

  /** The bits of a binary16 or a bfloat16, to the nearest, ties to even. */
  static short toHalf(Element element, float value) {
    if (element == Element.F16) {
      return Float.floatToFloat16(value);
    }
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return 0x7FFF;
    }
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }

  static float fromHalf(Element element, short bits) {
    return element == Element.F16 ? Float.float16ToFloat(bits) : Float.intBitsToFloat(bits << 16);
  }
}
