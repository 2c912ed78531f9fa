package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes one barrier of the block out of two between which no thread touches memory, but for a fence
 * that makes earlier writes known to bulk copies. A kernel that fills shared memory, meets, and
 * then copies it in bulk would otherwise meet twice: the copy meets too, behind the fence.
 */
final class MergedBarriers implements Pass {
  private static final String SYNC = "dev/stretto/kernel/ThreadBlock.sync";
  private static final String FENCE = "dev/stretto/kernel/PtxBulkCopies.fenceProxyAsync";

  @Override
  public String name() {
    return "merged-barriers";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    for (Block block : function.blocks()) {
      Set<Op> first = firstOfTwo(block.ops());
      changed |= block.ops().removeIf(first::contains);
    }
    return changed;
  }

  private static Set<Op> firstOfTwo(List<Op> ops) {
    Set<Op> first = new HashSet<>();
    Op last = null;
    for (Op op : ops) {
      if (method(op).equals(SYNC)) {
        if (last != null) {
          first.add(last);
        }
        last = op;
      } else if (touches(op)) {
        last = null;
      }
    }
    return first;
  }

  private static boolean touches(Op op) {
    return !method(op).startsWith(FENCE)
        && (!op.isRemovable() || op.code() == OpCode.LOAD || op.code() == OpCode.LOAD_VECTOR);
  }

  private static String method(Op op) {
    return op.code() == OpCode.ASM ? op.attribute(Asm.class).name() : "";
  }
}
