package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one branch of the two of {@code if (a && b)} around a load and what is done with it, such
 * as a tap of a filter that may lie outside: the assembler turns one short branch into predicates,
 * and two into jumps, so that a load waits for the one before it. The second condition is then also
 * computed where the first one does not hold, so it must be cheap and without effects. Conditions
 * that take no longer than a jump are joined whatever they guard, unless a loop begins with them:
 * one that counts is known by its first condition.
 */
public final class JoinedBranches implements Pass {
  private static final int MOST_INSIDE = 64;

  /** Three conditions, joined before, and what they compare. */
  private static final int MOST_BETWEEN = 16;

  /** What a condition compares, and conditions that were joined before. */
  private static final int MOST_CHEAP = 8;

  @Override
  public String name() {
    return "joined-branches";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Set<Block> headers = Collections.newSetFromMap(new IdentityHashMap<>());
    Loop.of(function).forEach(loop -> headers.add(loop.header()));
    // The last first: what is joined there is one condition for the branches before it.
    for (Block block : function.blocks().reversed()) {
      while (block.end().code() == OpCode.BRANCH && join(block, predecessors, headers)) {
        changed = true;
        predecessors = function.predecessors();
      }
    }
    return changed;
  }

  private static boolean join(
      Block block, Table<Block, List<Edge>> predecessors, Set<Block> headers) {
    Op first = block.end();
    for (int i = 0; i < 2; i++) {
      Block between = first.targets().get(i).block();
      Target past = first.targets().get(1 - i);
      if (!isOnlyCondition(block, between, predecessors)) {
        continue;
      }
      Op second = between.end();
      for (int j = 0; j < 2; j++) {
        Target inside = second.targets().get(j);
        Target around = second.targets().get(1 - j);
        if (around.block() == past.block()
            && isSame(around, past)
            && ((!headers.contains(block) && isCheap(between))
                || isShort(inside.block(), past.block(), predecessors))) {
          block.ops().removeLast();
          block.ops().addAll(between.ops().subList(0, between.ops().size() - 1));
          Value both =
              both(block, first, holds(block, first, i == 0), holds(block, second, j == 0));
          block.ops().add(Op.branch(both, inside, past, first.line()));
          return true;
        }
      }
    }
    return false;
  }

  /** Two conditions at once: at least and not equal is more. */
  private static Op both(Block block, Op branch, Value a, Value b) {
    if (a instanceof Op one
        && b instanceof Op other
        && one.code() == OpCode.CMP
        && other.code() == OpCode.CMP
        && !one.operand(0).type().isFloating()
        && one.operand(0) == other.operand(0)
        && one.operand(1) == other.operand(1)
        && other.attribute(Cond.class) == Cond.NE) {
      Cond less =
          switch (one.attribute(Cond.class)) {
            case LE -> Cond.LT;
            case GE -> Cond.GT;
            default -> null;
          };
      if (less != null) {
        return compare(block, branch, one, less);
      }
    }
    return add(block, branch, OpCode.AND, a, b);
  }

  private static Op compare(Block block, Op branch, Op as, Cond cond) {
    List<Value> operands = List.of(as.operand(0), as.operand(1));
    Op op = new Op(OpCode.CMP, Type.BOOL, operands, cond, branch.line());
    block.ops().add(op);
    return op;
  }

  /** The condition of a branch, or its opposite. */
  private static Value holds(Block block, Op branch, boolean yes) {
    Value condition = branch.operand(0);
    if (yes) {
      return condition;
    }
    if (condition instanceof Op cmp && cmp.code() == OpCode.CMP) {
      // Comparisons are combined as they are made; their opposites are not.
      boolean floating = cmp.operand(0).type().isFloating();
      return compare(block, branch, cmp, cmp.attribute(Cond.class).negated(floating));
    }
    return add(block, branch, OpCode.NOT, condition, null);
  }

  private static Op add(Block block, Op branch, OpCode code, Value a, @Nullable Value b) {
    Op op = new Op(code, Type.BOOL, b == null ? List.of(a) : List.of(a, b), null, branch.line());
    block.ops().add(op);
    return op;
  }

  /** Whether a block only computes a second condition, and only after the first. */
  private static boolean isOnlyCondition(
      Block from, Block block, Table<Block, List<Edge>> predecessors) {
    return block != from
        && block.params().isEmpty()
        && predecessors.get(block).size() == 1
        && block.end().code() == OpCode.BRANCH
        && block.ops().size() <= MOST_BETWEEN
        && IfConversion.hasNoEffects(block);
  }

  /** Whether a second condition takes no longer than a jump. */
  private static boolean isCheap(Block between) {
    return between.ops().size() <= MOST_CHEAP;
  }

  private static boolean isSame(Target a, Target b) {
    for (int i = 0; i < a.arguments().size(); i++) {
      if (!Simplify.same(a.arguments().get(i), b.arguments().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a block is entered only from one, reads memory, and goes on without meeting others. */
  private static boolean isShort(Block block, Block after, Table<Block, List<Edge>> predecessors) {
    return block != after
        && predecessors.get(block).size() == 1
        && block.end().code() == OpCode.JUMP
        && block.targets().getFirst().block() == after
        && block.ops().size() <= MOST_INSIDE
        && block.ops().stream().anyMatch(op -> op.code() == OpCode.LOAD)
        && block.ops().stream().allMatch(op -> op.code() != OpCode.ASM || op.isPure());
  }
}
