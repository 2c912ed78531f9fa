package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Algebra;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Fold;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes known results, follows known conditions, joins consecutive blocks, and removes
 * operations that nothing needs.
 */
public final class Simplify implements Pass {
  @Override
  public String name() {
    return "simplify";
  }

  @Override
  public boolean run(Function function) {
    boolean any = false;
    boolean changed = true;
    while (changed) {
      changed = fold(function);
      changed |= sameParams(function);
      changed |= join(function);
      changed |= skip(function);
      changed |= DeadCode.remove(function);
      any |= changed;
    }
    return any;
  }

  private static boolean fold(Function function) {
    Replacements now = new Replacements();
    boolean changed = false;
    for (Block block : function.blocks()) {
      List<Op> kept = new ArrayList<>(block.ops().size());
      for (Op op : block.ops()) {
        now.apply(op);
        constantsLast(op);
        Value simpler = simpler(op);
        Op narrow = op.code() == OpCode.SHARED_BASE ? ofKnownLength(op) : narrower(op);
        if (simpler != null) {
          now.put(op, simpler);
        } else if (narrow != null) {
          kept.add(narrow);
          now.put(op, narrow);
          changed = true;
        } else if (op.code() == OpCode.BRANCH) {
          kept.add(branch(op));
        } else if (!isFulfilled(op)) {
          kept.add(op);
        }
      }
      if (changed || kept.size() != block.ops().size() || kept.getLast() != block.end()) {
        changed = true;
        block.ops().clear();
        block.ops().addAll(kept);
      }
    }
    now.apply(function);
    return changed;
  }

  /** A shared array whose length has become known. */
  private static @Nullable Op ofKnownLength(Op op) {
    if (op.size() == 0 || !(op.operand(0) instanceof Constant length)) {
      return null;
    }
    SharedVariable array = op.attribute(SharedVariable.class);
    return new Op(
        OpCode.SHARED_BASE,
        Type.SHARED,
        List.of(),
        new SharedVariable(array.number(), array.element(), length.asInt()),
        op.line());
  }

  /**
   * A float that is converted to double for an operation that floats also have, with exactly the
   * same result.
   */
  private static @Nullable Op narrower(Op op) {
    if (op.code() == OpCode.CONVERT
        && op.type() == Type.FLOAT
        && op.operand(0) instanceof Op wide
        && wide.type() == Type.DOUBLE
        && wide.size() == 1
        && wide.operand(0) instanceof Op widened
        && widened.code() == OpCode.CONVERT
        && widened.operand(0).type() == Type.FLOAT) {
      return switch (wide.code()) {
        case SQRT, FLOOR, CEIL, RINT ->
            new Op(wide.code(), Type.FLOAT, List.of(widened.operand(0)), null, op.line());
        default -> null;
      };
    }
    return null;
  }

  /** Moves a constant of a commutative integer operation to the end. */
  private static void constantsLast(Op op) {
    switch (op.code()) {
      case ADD, MUL, AND, OR, XOR, MIN, MAX -> {
        if (!op.type().isFloating()
            && op.operand(0) instanceof Constant constant
            && !(op.operand(1) instanceof Constant)) {
          op.operand(0, op.operand(1));
          op.operand(1, constant);
        }
      }
      default -> {}
    }
  }

  private static boolean isFulfilled(Op op) {
    return switch (op.code()) {
      case CHECK, REQUIRE -> op.operand(0) instanceof Constant condition && condition.asBoolean();
      case KNOWN -> op.operand(0) instanceof Constant;
      default -> false;
    };
  }

  private static @Nullable Value simpler(Op op) {
    if (op.code().effect() != OpCode.Effect.PURE) {
      return null;
    }
    if (op.code() == OpCode.CMP) {
      Boolean outcome = Ranges.outcome(op);
      if (outcome != null) {
        return Constant.of(outcome);
      }
    }
    Constant known = Fold.evaluate(op);
    return known != null && known.type() == op.type() ? known : Algebra.simplify(op);
  }

  private static Op branch(Op op) {
    Target yes = op.targets().get(0);
    Target no = op.targets().get(1);
    if (op.operand(0) instanceof Constant known) {
      Target way = known.asBoolean() ? yes : no;
      return Op.jump(way.block(), way.arguments(), op.line());
    }
    if (yes.block() == no.block() && same(yes.arguments(), no.arguments())) {
      return Op.jump(yes.block(), yes.arguments(), op.line());
    }
    if (op.operand(0) instanceof Op not && not.code() == OpCode.NOT) {
      return Op.branch(not.operand(0), no, yes, op.line());
    }
    return op;
  }

  private static boolean same(List<Value> a, List<Value> b) {
    for (int i = 0; i < a.size(); i++) {
      if (!same(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean same(@Nullable Value a, Value b) {
    return a == b || (a instanceof Constant x && b instanceof Constant y && x.isSame(y));
  }

  /** Replaces a parameter that has the same argument in every jump by that argument. */
  private static boolean sameParams(Function function) {
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      if (block == function.entry()) {
        continue;
      }
      List<Edge> edges = predecessors.get(block);
      for (int i = block.params().size() - 1; i >= 0; i--) {
        BlockParam param = block.params().get(i);
        Value only = only(edges, i, param, now);
        if (only != null) {
          now.put(param, only);
          block.params().remove(i);
          for (Edge edge : edges) {
            edge.target().arguments().remove(i);
          }
        }
      }
    }
    now.apply(function);
    return !now.isEmpty();
  }

  private static @Nullable Value only(
      List<Edge> edges, int index, BlockParam param, Replacements now) {
    Value only = null;
    for (Edge edge : edges) {
      Value brought = now.resolve(edge.target().arguments().get(index));
      if (brought == param) {
        continue;
      }
      if (only != null && !same(only, brought)) {
        return null;
      }
      only = brought;
    }
    return only;
  }

  /** Appends a block that only one jump leads to, to the block before it. */
  private static boolean join(Function function) {
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Replacements now = new Replacements();
    Set<Block> gone = new HashSet<>();
    boolean changed = false;
    for (Block block : function.blocks()) {
      if (gone.contains(block)) {
        continue;
      }
      while (block.end().code() == OpCode.JUMP) {
        Target target = block.targets().getFirst();
        Block next = target.block();
        if (next == block || next == function.entry() || predecessors.get(next).size() != 1) {
          break;
        }
        for (int i = 0; i < next.params().size(); i++) {
          now.put(next.params().get(i), target.arguments().get(i));
        }
        block.ops().removeLast();
        block.ops().addAll(next.ops());
        gone.add(next);
        changed = true;
      }
    }
    now.apply(function);
    return changed;
  }

  /** Skips blocks that only jump on, except at the beginning of a loop: loops stay separate. */
  private static boolean skip(Function function) {
    boolean changed = false;
    Set<Value> used = null;
    Set<Block> headers = headers(function);
    for (Block block : function.blocks()) {
      for (Target target : block.targets()) {
        Block via = target.block();
        if (via.ops().size() != 1 || via.end().code() != OpCode.JUMP || headers.contains(via)) {
          continue;
        }
        Target on = via.targets().getFirst();
        if (on.block() == via || via == function.entry() || leadsBack(on.block(), via)) {
          continue;
        }
        if (!via.params().isEmpty()) {
          used = used == null ? usedElsewhere(function) : used;
          if (via.params().stream().anyMatch(used::contains)) {
            continue;
          }
        }
        List<Value> arguments = new ArrayList<>();
        for (Value value : on.arguments()) {
          int index = value instanceof BlockParam param ? via.params().indexOf(param) : -1;
          arguments.add(index < 0 ? value : target.arguments().get(index));
        }
        target.block(on.block());
        target.arguments().clear();
        target.arguments().addAll(arguments);
        changed = true;
      }
    }
    return changed;
  }

  /** The blocks that a later block jumps back to. */
  private static Set<Block> headers(Function function) {
    Set<Block> passed = new HashSet<>();
    Set<Block> headers = new HashSet<>();
    for (Block block : function.blocks()) {
      passed.add(block);
      for (Target target : block.targets()) {
        if (passed.contains(target.block())) {
          headers.add(target.block());
        }
      }
    }
    return headers;
  }

  /** Whether one block leads back to another: an endless loop that does nothing must stay one. */
  private static boolean leadsBack(Block from, Block to) {
    return from.ops().size() == 1
        && from.end().code() == OpCode.JUMP
        && from.targets().getFirst().block() == to;
  }

  /** The block parameters that are used outside their own block, or by an operation. */
  private static Set<Value> usedElsewhere(Function function) {
    Set<Value> used = new HashSet<>();
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.JUMP && block.ops().size() == 1) {
          for (Value value : op.uses()) {
            if (value instanceof BlockParam param && !block.params().contains(param)) {
              used.add(value);
            }
          }
        } else {
          used.addAll(op.uses());
        }
      }
    }
    return used;
  }
}
