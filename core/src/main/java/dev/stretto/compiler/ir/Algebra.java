package dev.stretto.compiler.ir;

import org.jspecify.annotations.Nullable;

/** Simplifies operations some of whose operands are known or equal. */
public final class Algebra {
  private Algebra() {}

  /** {@return an operand, or a constant, that always equals the result; null if there is none} */
  public static @Nullable Value simplify(Op op) {
    return switch (op.code()) {
      case ADD -> op.type().isFloating() ? null : neutral(op, 0);
      case OFFSET -> isInteger(op.operand(1), 0) ? op.operand(0) : null;
      case ELEMENT -> isInteger(op.operand(1), 0) ? op.operand(0) : null;
      case SUB -> subtract(op);
      case MUL -> multiply(op);
      case DIV, UDIV ->
          !op.type().isFloating() && isInteger(op.operand(1), 1) ? op.operand(0) : null;
      case REM ->
          isInteger(op.operand(1), 1) || isInteger(op.operand(1), -1)
              ? Constant.ofBoxed(zero(op))
              : null;
      case UREM -> isInteger(op.operand(1), 1) ? Constant.ofBoxed(zero(op)) : null;
      case AND -> and(op);
      case OR -> or(op);
      case XOR -> xor(op);
      case SHL, SHR, USHR, ROTL -> shift(op);
      case MIN, MAX -> op.operand(0) == op.operand(1) ? op.operand(0) : null;
      case SELECT -> select(op);
      case NOT -> inner(op, OpCode.NOT);
      case CMP -> compare(op);
      case BITS -> bits(op);
      case CONVERT -> op.operand(0).type() == op.type() ? op.operand(0) : null;
      case NARROW -> narrow(op);
      case VIEW_BASE -> view(op, 0);
      case VIEW_LENGTH -> view(op, 1);
      case VIEW_WIDTH ->
          op.operand(0) instanceof Op view && view.code() == OpCode.VIEW
              ? Constant.of(view.attribute(Element.class).bytes())
              : null;
      case VIEW_ELEMENT ->
          op.operand(0) instanceof Op view && view.code() == OpCode.VIEW
              ? Constant.of(view.attribute(Element.class).ordinal())
              : null;
      case ARRAY_LENGTH ->
          op.operand(0) instanceof Op array && array.code() == OpCode.NEW_ARRAY
              ? array.operand(0)
              : null;
      default -> null;
    };
  }

  private static @Nullable Value view(Op op, int part) {
    return op.operand(0) instanceof Op view && view.code() == OpCode.VIEW
        ? view.operand(part)
        : null;
  }

  private static Object zero(Op op) {
    return op.type() == Type.INT ? (Object) 0 : (Object) 0L;
  }

  private static boolean isInteger(Value value, long number) {
    return value instanceof Constant constant
        && (constant.type() == Type.INT || constant.type() == Type.LONG)
        && constant.asLong() == number;
  }

  private static @Nullable Value neutral(Op op, long number) {
    if (isInteger(op.operand(1), number)) {
      return op.operand(0);
    }
    return isInteger(op.operand(0), number) ? op.operand(1) : null;
  }

  private static @Nullable Value subtract(Op op) {
    if (op.type().isFloating()) {
      return null;
    }
    if (op.operand(0) == op.operand(1)) {
      return Constant.zero(op.type());
    }
    return isInteger(op.operand(1), 0) ? op.operand(0) : null;
  }

  private static @Nullable Value multiply(Op op) {
    if (op.type().isFloating()) {
      return null; // even 1 * x would have to keep the result for a signalling NaN
    }
    if (isInteger(op.operand(0), 0) || isInteger(op.operand(1), 0)) {
      return Constant.zero(op.type());
    }
    return neutral(op, 1);
  }

  private static @Nullable Value and(Op op) {
    if (op.operand(0) == op.operand(1)) {
      return op.operand(0);
    }
    if (op.type() == Type.BOOL) {
      return booleans(op, false);
    }
    if (isInteger(op.operand(0), 0) || isInteger(op.operand(1), 0)) {
      return Constant.zero(op.type());
    }
    return neutral(op, -1);
  }

  private static @Nullable Value or(Op op) {
    if (op.operand(0) == op.operand(1)) {
      return op.operand(0);
    }
    if (op.type() == Type.BOOL) {
      return booleans(op, true);
    }
    return neutral(op, 0);
  }

  /**
   * AND with false and OR with true are known; with the other constant, the result is the other
   * operand.
   */
  private static @Nullable Value booleans(Op op, boolean strong) {
    for (int i = 0; i < 2; i++) {
      if (op.operand(i) instanceof Constant constant) {
        return constant.asBoolean() == strong ? constant : op.operand(1 - i);
      }
    }
    return null;
  }

  private static @Nullable Value xor(Op op) {
    if (op.type() == Type.BOOL) {
      return null;
    }
    if (op.operand(0) == op.operand(1)) {
      return Constant.zero(op.type());
    }
    return neutral(op, 0);
  }

  private static @Nullable Value shift(Op op) {
    if (op.operand(1) instanceof Constant amount) {
      int mask = op.type() == Type.LONG ? 63 : 31;
      return (amount.asInt() & mask) == 0 ? op.operand(0) : null;
    }
    return null;
  }

  private static @Nullable Value select(Op op) {
    if (op.operand(0) instanceof Constant known) {
      return known.asBoolean() ? op.operand(1) : op.operand(2);
    }
    return same(op.operand(1), op.operand(2)) ? op.operand(1) : null;
  }

  private static boolean same(Value a, Value b) {
    return a == b || (a instanceof Constant x && b instanceof Constant y && x.isSame(y));
  }

  private static @Nullable Value inner(Op op, OpCode code) {
    return op.operand(0) instanceof Op of && of.code() == code ? of.operand(0) : null;
  }

  private static @Nullable Value compare(Op op) {
    Cond cond = op.attribute(Cond.class);
    if (op.operand(0) == op.operand(1) && !op.operand(0).type().isFloating()) {
      return Constant.of(
          switch (cond) {
            case EQ, LE, GE, ULE, UGE -> true;
            case NE, LT, GT, ULT, UGT -> false;
          });
    }
    // A predicate that was converted to a number and is tested again.
    if (op.operand(0) instanceof Op number
        && number.code() == OpCode.BOOL_TO_INT
        && cond == Cond.NE
        && isInteger(op.operand(1), 0)) {
      return number.operand(0);
    }
    return null;
  }

  private static @Nullable Value bits(Op op) {
    Value back = inner(op, OpCode.BITS);
    // Reinterpreting an int as a float and back keeps every bit, and so does the reverse.
    return back != null && back.type() == op.type() ? back : null;
  }

  private static @Nullable Value narrow(Op op) {
    Element element = op.attribute(Element.class);
    if (op.operand(0) instanceof Op of
        && ((of.code() == OpCode.NARROW && of.attribute(Element.class) == element)
            || (of.code() == OpCode.LOAD && of.attribute(Element.class) == element)
            || of.code() == OpCode.BOOL_TO_INT)) {
      return of;
    }
    return null;
  }
}
