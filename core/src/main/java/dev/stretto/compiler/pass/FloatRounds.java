package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rounds a float as a float where Java's methods take a double: {@code (int) Math.floor(x)} of a
 * float goes to a double and back otherwise, which a GPU does at a sixteenth of the rate. Each
 * float is a double, and a whole number that is next to a float is a float, so the result is the
 * same.
 */
public final class FloatRounds implements Pass {
  @Override
  public String name() {
    return "float-rounds";
  }

  @Override
  public boolean run(Function function) {
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      List<Op> ops = new ArrayList<>(block.ops().size());
      for (Op op : block.ops()) {
        now.apply(op);
        Value narrow = op.code() == OpCode.CONVERT ? narrow(op, ops) : null;
        if (narrow == null) {
          ops.add(op);
        } else {
          now.put(op, narrow);
        }
      }
      block.ops().clear();
      block.ops().addAll(ops);
    }
    now.apply(function);
    return !now.isEmpty();
  }

  /** What a conversion from a double gives if the double was a float, or null if it was none. */
  private static @Nullable Value narrow(Op op, List<Op> ops) {
    if (op.operand(0).type() != Type.DOUBLE || !(op.operand(0) instanceof Op wide)) {
      return null;
    }
    Value number = isRound(wide) ? ofFloat(wide.operand(0)) : ofFloat(wide);
    if (number == null || (op.type() == Type.FLOAT && !isRound(wide))) {
      return null;
    }
    Value rounded = number;
    if (isRound(wide)) {
      Op round = new Op(wide.code(), Type.FLOAT, List.of(number), null, wide.line());
      ops.add(round);
      rounded = round;
    }
    if (op.type() == Type.FLOAT) {
      return rounded;
    }
    Op converted = new Op(OpCode.CONVERT, op.type(), List.of(rounded), null, op.line());
    ops.add(converted);
    return converted;
  }

  private static boolean isRound(Op op) {
    return op.code() == OpCode.FLOOR || op.code() == OpCode.CEIL || op.code() == OpCode.RINT;
  }

  /** The float of which a double is, or null. */
  private static @Nullable Value ofFloat(Value value) {
    return value instanceof Op op
            && op.code() == OpCode.CONVERT
            && op.operand(0).type() == Type.FLOAT
        ? op.operand(0)
        : null;
  }
}
