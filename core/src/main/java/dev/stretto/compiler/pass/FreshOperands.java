package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;

/**
 * Forgets the previous values of registers that an instruction is known to write without reading:
 * they need not be kept.
 */
final class FreshOperands implements Pass {
  @Override
  public String name() {
    return "fresh-operands";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.ASM) {
          changed |= forget(op);
        }
      }
    }
    return changed;
  }

  private static boolean forget(Op op) {
    boolean changed = false;
    for (Asm.InPlace place : op.attribute(Asm.class).inPlace()) {
      if (place.isFresh(op) && !(op.operand(place.operand()) instanceof Constant)) {
        op.operand(place.operand(), Constant.zero(op.operand(place.operand()).type()));
        changed = true;
      }
    }
    return changed;
  }
}
