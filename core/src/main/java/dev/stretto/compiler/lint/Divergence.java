package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Which branches threads of one warp certainly take differently, and which one thread of the block
 * takes alone. What is not certain counts as taken together.
 */
final class Divergence {
  private static final int WARP = 32;
  private static final Set<String> RANKS =
      Set.of("threadIndexX", "threadIndexY", "threadIndexZ", "lane", "electSync");

  private final Dominators dominators;
  private final Set<Value> ofThread = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Table<Op, Block> homes = new Table<>();
  private final Table<Block, Block> parents = new Table<>();
  private final Table<Block, List<Edge>> predecessors;

  Divergence(Function function) {
    this.dominators = new Dominators(function);
    this.predecessors = function.predecessors();
    for (Block block : dominators.order()) {
      block.ops().forEach(op -> homes.put(op, block));
      dominators.children(block).forEach(child -> parents.put(child, block));
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : dominators.order()) {
        for (Op op : block.ops()) {
          changed |= isOfThread(op) && ofThread.add(op);
        }
        changed |= params(block);
      }
    }
  }

  private boolean params(Block block) {
    boolean changed = false;
    for (int i = 0; i < block.params().size(); i++) {
      BlockParam param = block.params().get(i);
      for (Edge edge : predecessors.get(block)) {
        changed |= ofThread.contains(edge.target().arguments().get(i)) && ofThread.add(param);
      }
    }
    return changed;
  }

  private boolean isOfThread(Op op) {
    if (op.code() == OpCode.ASM) {
      String name = op.attribute(Asm.class).name();
      return RANKS.contains(name.substring(name.lastIndexOf('.') + 1));
    }
    if (op.code() == OpCode.LOAD || isOfWarp(op)) {
      return false;
    }
    return op.operands().stream().anyMatch(ofThread::contains);
  }

  /** What is the same for all threads of a warp, though made of their ranks. */
  private static boolean isOfWarp(Op op) {
    if (!(op.size() == 2 && op.operand(1) instanceof Constant constant)
        || !op.operand(1).type().equals(dev.stretto.compiler.ir.Type.INT)) {
      return false;
    }
    int number = constant.asInt();
    return switch (op.code()) {
      case SHR, USHR -> number >= 5;
      case DIV, UDIV -> number % WARP == 0;
      case AND -> (number & (WARP - 1)) == 0;
      case CMP ->
          switch (op.attribute(Cond.class)) {
            case EQ, NE -> false;
            case LT, GE, ULT, UGE -> number % WARP == 0;
            default -> (number + 1) % WARP == 0;
          };
      default -> false;
    };
  }

  boolean dependsOnThread(Value value) {
    return ofThread.contains(value);
  }

  /** Whether threads of a warp come to a block, and others do not. */
  boolean isDivergent(Block block) {
    for (Block above = block; ; ) {
      List<Edge> edges = predecessors.get(above);
      if (edges.size() == 1) {
        Op end = edges.getFirst().from().end();
        if (isCertain(end) && isAvoided(end, above, block)) {
          return true;
        }
      }
      Block parent = parents.find(above);
      if (parent == null) {
        return false;
      }
      above = parent;
    }
  }

  /** A branch on a constant of the thread's rank, or on one of its bits. */
  private boolean isCertain(Op end) {
    return end.code() == OpCode.BRANCH
        && end.operand(0) instanceof Op condition
        && ofThread.contains(condition)
        && ((condition.code() == OpCode.CMP
                && condition.size() == 2
                && condition.operand(1) instanceof Constant)
            || condition.code() == OpCode.ASM);
  }

  /** Whether one thread of the block does an operation, or one of each warp. */
  boolean isElected(Op op) {
    for (Block above = homes.get(op); above != null; above = parents.find(above)) {
      List<Edge> edges = predecessors.get(above);
      if (edges.size() == 1
          && isElection(edges.getFirst(), above)
          && isAvoided(edges.getFirst().from().end(), above, homes.get(op))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a branch that does not go to one block may lead to the end without another one. */
  private static boolean isAvoided(Op branch, Block arm, Block block) {
    Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Block> open = new ArrayDeque<>();
    branch.targets().stream().map(Target::block).filter(it -> it != arm).forEach(open::add);
    while (!open.isEmpty()) {
      Block next = open.remove();
      if (next == block || next == arm || !seen.add(next)) {
        continue;
      }
      if (next.targets().isEmpty()) {
        return true;
      }
      next.targets().forEach(target -> open.add(target.block()));
    }
    return false;
  }

  private boolean isElection(Edge edge, Block to) {
    Op end = edge.from().end();
    if (end.code() != OpCode.BRANCH
        || !(end.operand(0) instanceof Op condition)
        || !ofThread.contains(condition)) {
      return false;
    }
    boolean yes = end.targets().getFirst().block() == to;
    if (condition.code() == OpCode.CMP) {
      Cond cond = condition.attribute(Cond.class);
      return yes ? cond == Cond.EQ : cond == Cond.NE;
    }
    return yes && condition.code() == OpCode.ASM;
  }
}
