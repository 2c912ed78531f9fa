package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import java.util.OptionalInt;

/** Takes out of the kernel what copies say of themselves, and keeps it beside it. */
final class Notes implements Pass {
  @Override
  public String name() {
    return "notes";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.NOTE) {
          keep(function, noted(op));
        } else if (op.code() == OpCode.ASM && !op.line().vocabulary()) {
          CopyInstructions.of(op).ifPresent(copy -> keep(function, copy));
        }
      }
      changed |=
          block.ops().removeIf(op -> op.code() == OpCode.NOTE || op.code() == OpCode.IN_RANGE);
    }
    return changed;
  }

  /** Copies of a loop's body say the same again. */
  private static void keep(Function function, LoweredCopy copy) {
    if (!function.copies().contains(copy)) {
      function.copies().add(copy);
    }
  }

  private static LoweredCopy noted(Op op) {
    OptionalInt bytes =
        op.operand(4) instanceof Constant known
            ? OptionalInt.of(known.asInt())
            : OptionalInt.empty();
    return new LoweredCopy(
        op.line().said(),
        text(op, 0),
        text(op, 1),
        text(op, 2),
        text(op, 3),
        bytes,
        ((Constant) op.operand(5)).asInt());
  }

  private static String text(Op op, int index) {
    return (String) ((Constant) op.operand(index)).value();
  }
}
