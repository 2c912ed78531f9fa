package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides by positive constants without a division: by shifts, or by the upper half of a product.
 * The assembler (ptxas 13.0) leaves that to its caller, and turns a division by 2 into some twenty
 * instructions. Where a quotient and a rest of the same numbers are needed, the rest is computed
 * from the quotient: the assembler would divide twice.
 */
public final class Divisions implements Pass {
  private static final BigInteger TWO = BigInteger.TWO;

  @Override
  public String name() {
    return "divisions";
  }

  @Override
  public boolean run(Function function) {
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      restsOfQuotients(block, now);
      List<Op> ops = new ArrayList<>(block.ops().size());
      for (Op op : block.ops()) {
        now.apply(op);
        Value cheaper = isDivision(op) ? new Steps(op, ops).value() : null;
        if (cheaper != null) {
          now.put(op, cheaper);
        } else {
          ops.add(op);
        }
      }
      block.ops().clear();
      block.ops().addAll(ops);
    }
    now.apply(function);
    return !now.isEmpty();
  }

  /** Computes rests from quotients that the block has too. */
  private static void restsOfQuotients(Block block, Replacements now) {
    List<Op> ops = block.ops();
    for (int i = 0; i < ops.size(); i++) {
      Op rest = ops.get(i);
      int of = quotientOf(rest, ops);
      if (of >= 0) {
        Op quotient = ops.remove(of);
        int at = Math.min(of, i);
        Op product = after(rest, OpCode.MUL, quotient, rest.operand(1));
        Op difference = after(rest, OpCode.SUB, rest.operand(0), product);
        ops.set(of < i ? i - 1 : i, product);
        ops.add(of < i ? i : i + 1, difference);
        ops.add(at, quotient);
        now.put(rest, difference);
      }
    }
  }

  private static Op after(Op rest, OpCode code, Value a, Value b) {
    return new Op(code, rest.type(), List.of(a, b), null, rest.line());
  }

  /** Where a block computes the quotient that belongs to a rest; -1 if it does not. */
  @SuppressWarnings("ReferenceEquality") // the same value, not an equal one
  private static int quotientOf(Op rest, List<Op> ops) {
    OpCode wanted =
        switch (rest.code()) {
          case REM -> OpCode.DIV;
          case UREM -> OpCode.UDIV;
          default -> null;
        };
    if (wanted == null || rest.type().isFloating() || rest.operand(1) instanceof Constant) {
      return -1;
    }
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      if (op.code() == wanted
          && op.operand(0) == rest.operand(0)
          && op.operand(1) == rest.operand(1)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isDivision(Op op) {
    return switch (op.code()) {
      case DIV, REM, UDIV, UREM ->
          !op.type().isFloating()
              && op.operand(1) instanceof Constant by
              && by.asLong() > 1
              && !(op.operand(0) instanceof Constant);
      default -> false;
    };
  }

  /** The operations that replace one division. */
  private static final class Steps {
    private final Op division;
    private final List<Op> ops;
    private final Type type;
    private final int width;
    private final Value dividend;
    private final long divisor;

    Steps(Op division, List<Op> ops) {
      this.division = division;
      this.ops = ops;
      this.type = division.type();
      this.width = type == Type.INT ? 32 : 64;
      this.dividend = division.operand(0);
      this.divisor = ((Constant) division.operand(1)).asLong();
    }

    @Nullable Value value() {
      boolean power = Long.bitCount(divisor) == 1;
      boolean remainder = division.code() == OpCode.REM || division.code() == OpCode.UREM;
      if (isUnsigned()) {
        if (power) {
          return remainder ? low(dividend) : op(OpCode.USHR, dividend, places());
        }
        return isKnownPositive() ? quotientOrRest(remainder, product()) : null;
      }
      if (!power) {
        return quotientOrRest(remainder, product());
      }
      // To round towards zero, first add to a negative number everything that is shifted out.
      Value sign = op(OpCode.SHR, dividend, Constant.of(width - 1));
      Value more = op(OpCode.USHR, sign, Constant.of(width - Long.numberOfTrailingZeros(divisor)));
      Value sum = op(OpCode.ADD, dividend, more);
      return remainder ? op(OpCode.SUB, low(sum), more) : op(OpCode.SHR, sum, places());
    }

    private boolean isUnsigned() {
      return division.code() == OpCode.UDIV || division.code() == OpCode.UREM || isKnownPositive();
    }

    private boolean isKnownPositive() {
      return type == Type.INT && Ranges.of(dividend).least() >= 0;
    }

    private Value quotientOrRest(boolean remainder, Value quotient) {
      return remainder
          ? op(OpCode.SUB, dividend, op(OpCode.MUL, quotient, constant(divisor)))
          : quotient;
    }

    /** H. S. Warren, Hacker's Delight, "Signed Division by Divisors >= 2". */
    private Value product() {
      BigInteger by = BigInteger.valueOf(divisor);
      BigInteger half = TWO.pow(width - 1);
      BigInteger greatest = half.subtract(BigInteger.ONE).subtract(half.mod(by));
      int exponent = width;
      while (TWO.pow(exponent).compareTo(greatest.multiply(by.subtract(TWO.pow(exponent).mod(by))))
          <= 0) {
        exponent++;
      }
      BigInteger power = TWO.pow(exponent);
      BigInteger factor = power.add(by).subtract(power.mod(by)).divide(by);
      Value upper = op(OpCode.MULHI, dividend, constant(factor.longValue()));
      if (factor.testBit(width - 1)) {
        // As a signed number the factor is too small by 2 to the power of the width.
        upper = op(OpCode.ADD, upper, dividend);
      }
      Value rounded = exponent == width ? upper : op(OpCode.SHR, upper, shift(exponent - width));
      return isKnownPositive()
          ? rounded
          : op(OpCode.ADD, rounded, op(OpCode.USHR, dividend, shift(width - 1)));
    }

    private Value low(Value value) {
      return op(OpCode.AND, value, constant(divisor - 1));
    }

    private Constant places() {
      return shift(Long.numberOfTrailingZeros(divisor));
    }

    private static Constant shift(int places) {
      return Constant.of(places);
    }

    private Constant constant(long value) {
      return type == Type.INT ? Constant.of((int) value) : Constant.of(value);
    }

    private Op op(OpCode code, Value a, Value b) {
      Op op = new Op(code, type, List.of(a, b), null, division.line());
      ops.add(op);
      return op;
    }
  }
}
