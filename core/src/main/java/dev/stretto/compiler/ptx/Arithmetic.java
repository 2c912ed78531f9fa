package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import org.jspecify.annotations.Nullable;

/** Writes arithmetic: where PTX differs from Java, with more than one instruction. */
final class Arithmetic {
  private static final int FIRST_WITH_NAN_EXTREMES = 80;

  private final StringBuilder out;
  private final Registers registers;
  private final SmallFloats smallFloats;
  private final int sm;
  private final boolean contract;

  /**
   * Creates a writer of arithmetic.
   *
   * @param sm the target
   * @param contract whether the assembler may fuse a product and a sum
   */
  Arithmetic(
      StringBuilder out, Registers registers, SmallFloats smallFloats, int sm, boolean contract) {
    this.out = out;
    this.registers = registers;
    this.smallFloats = smallFloats;
    this.sm = sm;
    this.contract = contract;
  }

  void write(Op op) {
    switch (op.code()) {
      case ADD ->
          plain(op, "add" + (op.type().isFloating() ? rounding(op) : "") + signed(op.type()));
      case SUB ->
          plain(op, "sub" + (op.type().isFloating() ? rounding(op) : "") + signed(op.type()));
      case MUL -> multiply(op);
      case DIV -> divide(op);
      case REM -> plain(op, "rem" + signed(op.type()));
      case UDIV -> plain(op, "div" + unsigned(op.type()));
      case UREM -> plain(op, "rem" + unsigned(op.type()));
      case MULHI -> plain(op, "mul.hi" + signed(op.type()));
      case UMULHI -> plain(op, "mul.hi" + unsigned(op.type()));
      case NEG -> plain(op, "neg" + signed(op.type()));
      case AND -> plain(op, "and" + bits(op.type()));
      case OR -> plain(op, "or" + bits(op.type()));
      case XOR -> exclusiveOr(op);
      case SHL -> shift(op, "shl" + bits(op.type()));
      case SHR -> shift(op, "shr" + signed(op.type()));
      case USHR -> shift(op, "shr" + unsigned(op.type()));
      case ROTL -> rotate(op);
      case ABS -> magnitude(op);
      case MIN, MAX -> extreme(op);
      case FMA -> plain(op, "fma.rn" + signed(op.type()));
      case SQRT -> plain(op, "sqrt.rn" + signed(op.type()));
      case FLOOR -> plain(op, "cvt.rmi" + signed(op.type()) + signed(op.type()));
      case CEIL -> plain(op, "cvt.rpi" + signed(op.type()) + signed(op.type()));
      case RINT -> plain(op, "cvt.rni" + signed(op.type()) + signed(op.type()));
      case COPYSIGN -> line("copysign" + signed(op.type()), to(op), operand(op, 1), operand(op, 0));
      case POPC -> plain(op, "popc" + bits(op.operand(0).type()));
      case CLZ -> plain(op, "clz" + bits(op.operand(0).type()));
      case REVERSE -> plain(op, "brev" + bits(op.type()));
      case CONVERT -> convert(op);
      case NARROW -> narrow(op);
      case ZERO_EXTEND -> plain(op, "cvt.u64.u32");
      case BITS -> plain(op, "mov" + bits(op.type()));
      case TO_HALF -> toHalf(op);
      case FROM_HALF -> fromHalf(op);
      default -> throw new IllegalStateException("nothing in PTX does " + op.code());
    }
  }

  /** The library's own math code relies on every rounding as written. */
  private String rounding(Op op) {
    return contract && !op.line().isLibraryMath() ? "" : ".rn";
  }

  private String to(Op op) {
    return registers.of(op);
  }

  private String operand(Op op, int index) {
    return registers.operand(op.operand(index));
  }

  private void line(String instruction, String... operands) {
    out.append('\t').append(instruction).append(' ').append(String.join(", ", operands));
    out.append(";\n");
  }

  private void plain(Op op, String instruction) {
    String[] operands = new String[op.size() + 1];
    operands[0] = to(op);
    for (int i = 0; i < op.size(); i++) {
      operands[i + 1] = operand(op, i);
    }
    line(instruction, operands);
  }

  private static String signed(Type type) {
    return switch (type) {
      case INT -> ".s32";
      case FLOAT -> ".f32";
      case DOUBLE -> ".f64";
      default -> ".s64";
    };
  }

  private static String unsigned(Type type) {
    return type == Type.INT ? ".u32" : ".u64";
  }

  private static String bits(Type type) {
    return switch (type) {
      case BOOL -> ".pred";
      case INT, FLOAT -> ".b32";
      default -> ".b64";
    };
  }

  /** Java takes a shift amount modulo the width, PTX clamps it at the width. */
  private String amount(Op op) {
    int mask = op.type() == Type.INT ? 31 : 63;
    if (op.operand(1) instanceof Constant constant) {
      return String.valueOf(constant.asInt() & mask);
    }
    String masked = registers.fresh(Type.INT);
    line("and.b32", masked, operand(op, 1), String.valueOf(mask));
    return masked;
  }

  /** How many places a long is shifted to the left by a constant; 0 if it is not. */
  private static int places(Op op) {
    boolean shifts = op.code() == OpCode.SHL || op.code() == OpCode.MUL;
    if (op.type() != Type.LONG || !shifts || !(op.operand(1) instanceof Constant by)) {
      return 0;
    }
    return switch (op.code()) {
      case SHL -> by.asInt() & 63;
      case MUL ->
          by.asLong() > 0 && Long.bitCount(by.asLong()) == 1
              ? Long.numberOfTrailingZeros(by.asLong())
              : 0;
      default -> 0;
    };
  }

  /**
   * Combines several shifts into one: for a number that is shifted repeatedly, the assembler (ptxas
   * 13.0 for sm_90) computes a wrong sign.
   */
  private void shiftLong(Op op) {
    int all = places(op);
    Value from = op.operand(0);
    while (from instanceof Op inner && places(inner) > 0) {
      all += places(inner);
      from = inner.operand(0);
    }
    if (all > 63) {
      line("mov.b64", to(op), "0");
    } else {
      line("shl.b64", to(op), registers.operand(from), String.valueOf(all));
    }
  }

  private void shift(Op op, String instruction) {
    if (places(op) > 0) {
      shiftLong(op);
      return;
    }
    line(instruction, to(op), operand(op, 0), amount(op));
  }

  private void rotate(Op op) {
    if (op.type() == Type.INT) {
      line("shf.l.wrap.b32", to(op), operand(op, 0), operand(op, 0), operand(op, 1));
      return;
    }
    String left = registers.fresh(Type.LONG);
    String right = registers.fresh(Type.LONG);
    String by = registers.fresh(Type.INT);
    String back = registers.fresh(Type.INT);
    line("and.b32", by, operand(op, 1), "63");
    line("shl.b64", left, operand(op, 0), by);
    line("sub.s32", back, "64", by); // 64 for no shift, which leaves 0
    line("shr.u64", right, operand(op, 0), back);
    line("or.b64", to(op), left, right);
  }

  /**
   * In Java the smallest integer stays what it is; PTX leaves that case unspecified for its own
   * instruction, and the assembler assumes that the result is positive.
   */
  private void magnitude(Op op) {
    if (op.type().isFloating()) {
      plain(op, "abs" + signed(op.type()));
      return;
    }
    // Not abs, which does not say what it makes of the least number.
    String opposite = registers.fresh(op.type());
    line("neg" + signed(op.type()), opposite, operand(op, 0));
    line("max" + signed(op.type()), to(op), operand(op, 0), opposite);
  }

  /**
   * For a number that it knows to be 0, the assembler (ptxas 13.0) computes {@code xor -1} as 0.
   */
  private void exclusiveOr(Op op) {
    if (op.operand(1) instanceof Constant mask && op.type() != Type.BOOL && mask.asLong() == -1) {
      line("not" + bits(op.type()), to(op), operand(op, 0));
      return;
    }
    plain(op, "xor" + bits(op.type()));
  }

  /**
   * For successive products by powers of two, the assembler (ptxas 13.0 for sm_90) assumes that the
   * sign is that of the first factor, even if they overflow; for shifts it does not.
   */
  private void multiply(Op op) {
    if (places(op) > 0) {
      shiftLong(op);
      return;
    }
    String a = op.type() == Type.LONG ? int32(op.operand(0)) : null;
    String b = a != null ? int32(op.operand(1)) : null;
    if (a != null && b != null) {
      line("mul.wide.s32", to(op), a, b);
      return;
    }
    plain(op, (op.type().isFloating() ? "mul" + rounding(op) : "mul.lo") + signed(op.type()));
  }

  /**
   * How a LONG that was an INT is written as one, or null: the product of two such is one
   * instruction instead of five, and the assembler does not see it by itself.
   */
  private @Nullable String int32(Value value) {
    if (value instanceof Constant constant) {
      return constant.asLong() == (int) constant.asLong()
          ? String.valueOf(constant.asLong())
          : null;
    }
    return value instanceof Op op && op.code() == OpCode.CONVERT && op.operand(0).type() == Type.INT
        ? registers.operand(op.operand(0))
        : null;
  }

  /** If the dividend is known, the assembler (ptxas 13.0) may lose the sign of a divisor of -1. */
  private void divide(Op op) {
    if (op.operand(1) instanceof Constant divisor
        && !op.type().isFloating()
        && divisor.asLong() == -1) {
      line("neg" + signed(op.type()), to(op), operand(op, 0));
      return;
    }
    plain(op, (op.type().isFloating() ? "div.rn" : "div") + signed(op.type()));
  }

  private void extreme(Op op) {
    String name = op.code() == OpCode.MIN ? "min" : "max";
    if (op.type() == Type.INT) {
      line(name + ".s32", to(op), notNegated(op.operand(0)), notNegated(op.operand(1)));
      return;
    }
    if (op.type() == Type.FLOAT && sm < FIRST_WITH_NAN_EXTREMES) {
      floats(op, name);
    } else if (op.type() != Type.DOUBLE) {
      plain(op, name + (op.type() == Type.FLOAT ? ".NaN" : "") + signed(op.type()));
    } else {
      doubles(op);
    }
  }

  /** The form in which a number wins against NaN, and NaN put in its place. */
  private void floats(Op op, String name) {
    String number = registers.fresh(Type.FLOAT);
    String isNumber = registers.fresh(Type.BOOL);
    line(name + ".f32", number, operand(op, 0), operand(op, 1));
    line("setp.num.f32", isNumber, operand(op, 0), operand(op, 1));
    line("selp.b32", to(op), number, "0x7FFFFFFF", isNumber);
  }

  /**
   * There is no form for doubles in which NaN wins, and the assembler (ptxas 13.0 for sm_90) has
   * been seen to take the halves of the existing form's result from different operands. Equal
   * operands differ at most in their sign.
   */
  private void doubles(Op op) {
    boolean min = op.code() == OpCode.MIN;
    String a = operand(op, 0);
    String b = operand(op, 1);
    String first = registers.fresh(Type.BOOL);
    String equal = registers.fresh(Type.BOOL);
    String bitsA = registers.fresh(Type.LONG);
    String bitsB = registers.fresh(Type.LONG);
    String chosen = registers.fresh(Type.LONG);
    String both = registers.fresh(Type.LONG);
    // The comparison must not hold if b is NaN, and must hold if a is.
    String aIsNaN = registers.fresh(Type.BOOL);
    line("setp." + (min ? "lt" : "gt") + ".f64", first, a, b);
    line("setp.nan.f64", aIsNaN, a, a);
    line("or.pred", first, first, aIsNaN);
    line("setp.eq.f64", equal, a, b);
    line("mov.b64", bitsA, a);
    line("mov.b64", bitsB, b);
    line((min ? "or" : "and") + ".b64", both, bitsA, bitsB);
    line("selp.b64", chosen, bitsA, bitsB, first);
    line("selp.b64", chosen, both, chosen, equal);
    line("mov.b64", to(op), chosen);
  }

  /**
   * For sm_90 the assembler (ptxas 13.0) fuses two nested minima into one instruction, and drops
   * the sign of a negated operand. It does not recognize this form.
   */
  private String notNegated(Value value) {
    Value positive = value instanceof Op op ? negated(op) : null;
    if (positive == null) {
      return registers.operand(value);
    }
    String flipped = registers.fresh(Type.INT);
    String negative = registers.fresh(Type.INT);
    line("not.b32", flipped, registers.operand(positive));
    line("add.s32", negative, flipped, "1");
    return negative;
  }

  private static @Nullable Value negated(Op op) {
    return switch (op.code()) {
      case NEG -> op.operand(0);
      case SUB -> isInt(op.operand(0), 0) ? op.operand(1) : null;
      case MUL, DIV -> isInt(op.operand(1), -1) ? op.operand(0) : null;
      default -> null;
    };
  }

  private static boolean isInt(Value value, int number) {
    return value instanceof Constant constant && constant.asInt() == number;
  }

  private void convert(Op op) {
    Type from = op.operand(0).type();
    Type to = op.type();
    if (from.isFloating() && !to.isFloating()) {
      truncate(op, from, to);
    } else if (to.isFloating() && (!from.isFloating() || to == Type.FLOAT)) {
      plain(op, "cvt.rn" + signed(to) + signed(from));
    } else if (to == Type.INT) {
      plain(op, "cvt.u32.u64");
    } else {
      plain(op, "cvt" + signed(to) + signed(from));
    }
  }

  /** Both saturate; PTX converts NaN to 0 only from a float to an int. */
  private void truncate(Op op, Type from, Type to) {
    if (from == Type.FLOAT && to == Type.INT && op.operand(0) instanceof Op round) {
      String how =
          switch (round.code()) {
            case FLOOR -> ".rmi";
            case CEIL -> ".rpi";
            case RINT -> ".rni";
            default -> "";
          };
      if (!how.isEmpty()) {
        line("cvt" + how + ".s32.f32", to(op), registers.operand(round.operand(0)));
        return;
      }
    }
    String instruction = "cvt.rzi" + signed(to) + signed(from);
    if (from == Type.FLOAT && to == Type.INT) {
      plain(op, instruction);
      return;
    }
    String number = registers.fresh(to);
    String isNumber = registers.fresh(Type.BOOL);
    line(instruction, number, operand(op, 0));
    line("setp.num" + signed(from), isNumber, operand(op, 0), operand(op, 0));
    line("selp" + bits(to), to(op), number, "0", isNumber);
  }

  private void narrow(Op op) {
    switch (op.attribute(Element.class)) {
      case I8 -> plain(op, "cvt.s32.s8");
      case I16 -> plain(op, "cvt.s32.s16");
      default -> line("and.b32", to(op), operand(op, 0), "65535");
    }
  }

  private void toHalf(Op op) {
    line("cvt.s32.s16", to(op), smallFloats.of(op.attribute(Element.class), operand(op, 0)));
  }

  private void fromHalf(Op op) {
    Value bits = op.operand(0);
    String shifted = registers.fresh(Type.INT);
    line("shl.b32", shifted, registers.operand(bits), "16");
    if (op.attribute(Element.class) == Element.F16) {
      // As the upper half: for a lower half that is 0 or 1 the assembler (ptxas 13.0 for sm_90)
      // gives 0.0 or 1.0.
      String half = registers.freshHalf();
      line("mov.b32", "{" + registers.freshHalf() + ", " + half + "}", shifted);
      line("cvt.f32.f16", to(op), half);
      return;
    }
    line("mov.b32", to(op), shifted);
  }
}
