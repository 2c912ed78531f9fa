package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds constants once: {@code (i + 3) - 8} becomes {@code i + -5}, also where integers wrap. The
 * assembler does not, and 64-bit sums are two instructions.
 */
public final class ConstantSums implements Pass {
  @Override
  public String name() {
    return "constant-sums";
  }

  @Override
  public boolean run(Function function) {
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      List<Op> ops = block.ops();
      for (int i = 0; i < ops.size(); i++) {
        Op op = ops.get(i);
        now.apply(op);
        Op sum = atOnce(op);
        if (sum != null) {
          ops.set(i, sum);
          now.put(op, sum);
        }
      }
    }
    now.apply(function);
    return !now.isEmpty();
  }

  private static @Nullable Op atOnce(Op op) {
    Long second = added(op);
    if (second == null || !(op.operand(0) instanceof Op inner)) {
      return null;
    }
    Long first = added(inner);
    if (first == null) {
      return null;
    }
    long both = first + second;
    Constant constant = op.type() == Type.INT ? Constant.of((int) both) : Constant.of(both);
    List<Value> operands = List.of(inner.operand(0), constant);
    return new Op(OpCode.ADD, op.type(), operands, null, op.line());
  }

  /** {@return what an operation adds to its first operand, if that is known} */
  private static @Nullable Long added(Op op) {
    if ((op.type() != Type.INT && op.type() != Type.LONG)
        || (op.code() != OpCode.ADD && op.code() != OpCode.SUB)
        || !(op.operand(1) instanceof Constant constant)) {
      return null;
    }
    return op.code() == OpCode.ADD ? constant.asLong() : -constant.asLong();
  }
}
