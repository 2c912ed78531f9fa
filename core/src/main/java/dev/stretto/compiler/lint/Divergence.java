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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the branches that threads of one warp certainly take differently, and those that one thread
 * of the block takes alone. If that is not certain, a branch counts as taken together.
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

  private final Set<Value> ofRank = Collections.newSetFromMap(new IdentityHashMap<>());

  Divergence(Function function, Dominators dominators) {
    this.dominators = dominators;
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
          changed |= isOfRank(op) && ofRank.add(op);
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
        Value argument = edge.target().arguments().get(i);
        changed |= ofThread.contains(argument) && ofThread.add(param);
        changed |= ofRank.contains(argument) && ofRank.add(param);
      }
    }
    return changed;
  }

  private boolean isOfThread(Op op) {
    if (op.code() == OpCode.ASM) {
      return isRank(op);
    }
    if (op.code() == OpCode.LOAD || isOfWarp(op)) {
      return false;
    }
    return op.operands().stream().anyMatch(ofThread::contains);
  }

  /** Whether a value is computed from the thread's rank in the block in any way. */
  private boolean isOfRank(Op op) {
    return (op.code() == OpCode.ASM && isRank(op))
        || op.operands().stream().anyMatch(ofRank::contains);
  }

  private static boolean isRank(Op op) {
    String name = op.attribute(Asm.class).name();
    return RANKS.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  /**
   * Whether a value is the same for all threads of a warp although it is computed from their ranks.
   */
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

  /** Whether a value may differ between threads of the block. */
  boolean dependsOnRank(Value value) {
    return ofRank.contains(value);
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

  /**
   * The only jump that enters a block, from outside if the block begins a loop; null if there are
   * several.
   */
  @Nullable Edge entry(Block block) {
    Edge entry = null;
    for (Edge edge : predecessors.get(block)) {
      if (!dominators.dominates(block, edge.from())) {
        if (entry != null) {
          return null;
        }
        entry = edge;
      }
    }
    return entry;
  }

  /** The block that contains an operation. */
  Block home(Op op) {
    return homes.get(op);
  }

  /** The block's immediate dominator: the last block that every path to it passes. */
  @Nullable Block parent(Block block) {
    return parents.find(block);
  }

  /** Whether one thread of the block, or one thread of each warp, performs an operation. */
  boolean isElected(Op op) {
    for (Block above = homes.get(op); above != null; above = parents.find(above)) {
      Edge entry = entry(above);
      if (entry != null
          && isElection(entry, above)
          && isAvoided(entry.from().end(), above, homes.get(op))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a branch that does not go to one block may reach the end without passing another. */
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
      Cond holds = yes ? cond : cond.negated(false);
      return isOne(condition.operand(0), holds, condition.operand(1))
          || isOne(condition.operand(1), holds.swapped(), condition.operand(0));
    }
    return yes && condition.code() == OpCode.ASM;
  }

  /** Whether a comparison holds for only one thread of the block, or for one of each warp. */
  private static boolean isOne(Value rank, Cond cond, Value number) {
    boolean one =
        cond == Cond.EQ
            || (number instanceof Constant constant
                && constant.type().isNumber()
                && !constant.type().isFloating()
                && ((constant.asLong() == 1 && (cond == Cond.LT || cond == Cond.ULT))
                    || (constant.asLong() == 0 && (cond == Cond.LE || cond == Cond.ULE))));
    return one && tellsApart(rank);
  }

  /** Whether a number computed from ranks differs between all threads of a warp. */
  private static boolean tellsApart(Value rank) {
    if (!(rank instanceof Op op)) {
      return rank instanceof BlockParam;
    }
    return switch (op.code()) {
      case REM, UREM -> op.operand(1) instanceof Constant by && by.asLong() >= WARP;
      case AND ->
          op.operand(1) instanceof Constant mask && (mask.asLong() & (WARP - 1)) == WARP - 1;
      case DIV, UDIV, SHR, USHR -> false;
      default -> true;
    };
  }

  /**
   * Whether a commit is the last relevant operation under a branch that only some threads of a warp
   * take, so that it could equally stand after that branch.
   */
  boolean couldStandBehind(Op commit, Predicate<Op> concerns) {
    Block home = homes.get(commit);
    for (Block above = home; above != null; above = parents.find(above)) {
      Edge entry = entry(above);
      if (entry != null
          && isCertain(entry.from().end())
          && isAvoided(entry.from().end(), above, home)) {
        return !isElection(entry, above) && isLast(commit, home, above, concerns);
      }
    }
    return false;
  }

  private boolean isLast(Op commit, Block home, Block arm, Predicate<Op> concerns) {
    List<Op> ops = home.ops();
    if (ops.subList(ops.indexOf(commit) + 1, ops.size()).stream().anyMatch(concerns)) {
      return false;
    }
    Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Block> open = new ArrayDeque<>();
    home.targets().forEach(target -> open.add(target.block()));
    while (!open.isEmpty()) {
      Block next = open.remove();
      if (!dominators.dominates(arm, next) || !seen.add(next)) {
        continue;
      }
      if (next.targets().isEmpty() || next.ops().stream().anyMatch(concerns)) {
        return false;
      }
      next.targets().forEach(target -> open.add(target.block()));
    }
    return true;
  }
}
