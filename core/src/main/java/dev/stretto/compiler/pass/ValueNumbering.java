package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes repeated expressions only once, and checks repeated conditions only once. */
public final class ValueNumbering implements Pass {
  @Override
  public String name() {
    return "numbering";
  }

  @Override
  public boolean run(Function function) {
    return new Numbering(function).run();
  }

  /** What makes two operations the same: everything except their place. */
  record Key(OpCode code, Type type, @Nullable Object attribute, List<Object> operands) {}

  /** What makes an operation the same as others; of a check, the condition. */
  static Key key(Op op, boolean check) {
    List<Object> operands = new ArrayList<>();
    // For a check, only the condition counts; the other operands are what it would report.
    for (Value operand : check ? List.of(op.operand(0)) : op.operands()) {
      operands.add(
          operand instanceof Constant constant
              ? List.of(constant.type(), constant.value())
              : operand);
    }
    Object attribute = op.attribute();
    if (attribute instanceof Asm asm) {
      attribute = List.of(asm.name(), asm.pieces());
    }
    if (op.type().isFloating()) {
      operands.add(op.line().isLibraryMath()); // never an operation that may be contracted
    }
    return new Key(op.code(), op.type(), check ? null : attribute, operands);
  }

  private static final class Numbering {
    private final Function function;
    private final Dominators dominators;
    private final Replacements now = new Replacements();
    private final Map<Key, Value> known = new HashMap<>();
    private boolean changed;

    Numbering(Function function) {
      this.function = function;
      this.dominators = new Dominators(function);
    }

    /** Walks down the dominator tree, and on the way up forgets what it learned below. */
    boolean run() {
      ArrayDeque<Runnable> open = new ArrayDeque<>();
      open.push(() -> enter(function.entry(), open));
      while (!open.isEmpty()) {
        open.pop().run();
      }
      now.apply(function);
      return changed;
    }

    private void enter(Block block, ArrayDeque<Runnable> open) {
      List<Key> learnt = new ArrayList<>();
      block.ops().removeIf(op -> isKnown(op, learnt));
      open.push(() -> learnt.forEach(known::remove));
      for (Block child : dominators.children(block)) {
        open.push(() -> enter(child, open));
      }
    }

    private boolean isKnown(Op op, List<Key> learnt) {
      now.apply(op);
      boolean check = op.code() == OpCode.CHECK;
      if ((!check && !op.isPure()) || op.type() == Type.REF) {
        return false;
      }
      Key key = key(op, check);
      Value before = known.get(key);
      if (before == null) {
        known.put(key, op);
        learnt.add(key);
        return false;
      }
      if (!check) {
        now.put(op, before);
      }
      changed = true;
      return true;
    }
  }
}
