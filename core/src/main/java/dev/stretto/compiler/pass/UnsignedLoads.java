package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a byte or a short as unsigned where nothing but its lower bits is used, as in {@code
 * bytes.get(i) & 0xff}: the load fills the register with zeros, and there is nothing left to mask.
 */
public final class UnsignedLoads implements Pass {
  @Override
  public String name() {
    return "unsigned-loads";
  }

  @Override
  public boolean run(Function function) {
    Set<Value> masked = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Value> signed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        Op load = maskedLoad(op);
        for (int i = 0; i < op.size(); i++) {
          (op.operand(i) == load ? masked : signed).add(op.operand(i));
        }
        for (Target target : op.targets()) {
          signed.addAll(target.arguments());
        }
      }
    }
    masked.removeAll(signed);
    if (masked.isEmpty()) {
      return false;
    }
    replace(function, masked);
    return true;
  }

  private static void replace(Function function, Set<Value> masked) {
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      List<Op> ops = block.ops();
      for (int i = 0; i < ops.size(); i++) {
        Op op = ops.get(i);
        if (masked.contains(op)) {
          Element unsigned = unsigned(op.attribute(Element.class));
          Op load = new Op(OpCode.LOAD, op.type(), List.of(op.operand(0)), unsigned, op.line());
          now.put(op, load);
          ops.set(i, load);
        }
      }
    }
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        Op load = maskedLoad(op);
        if (load != null && masked.contains(load) && mask(op) == all(load)) {
          now.put(op, load);
        }
      }
    }
    now.apply(function);
    for (Block block : function.blocks()) {
      block.ops().removeIf(now::has);
    }
  }

  /** The load of which an operation takes lower bits, and nothing else. */
  private static @Nullable Op maskedLoad(Op op) {
    return op.code() == OpCode.AND
            && op.operand(1) instanceof Constant
            && op.operand(0) instanceof Op load
            && load.code() == OpCode.LOAD
            && all(load) != 0
            && (mask(op) & ~all(load)) == 0
        ? load
        : null;
  }

  private static long mask(Op and) {
    return and.operand(1) instanceof Constant mask ? mask.asLong() : 0;
  }

  /** The bits of an element that is read as signed, or 0 if it is not. */
  private static long all(Op load) {
    return switch (load.attribute(Element.class)) {
      case I8 -> 0xff;
      case I16 -> 0xffff;
      default -> 0;
    };
  }

  private static Element unsigned(Element element) {
    return element == Element.I8 ? Element.U8 : Element.U16;
  }
}
