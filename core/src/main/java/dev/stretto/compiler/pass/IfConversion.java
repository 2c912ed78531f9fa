package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a branch with two short arms that have no effects and meet directly: computes both arms,
 * and selects.
 */
public final class IfConversion implements Pass {
  private static final int MOST_OPS = 4;

  @Override
  public String name() {
    return "selects";
  }

  /**
   * Branches around a converted one wait for the next run. The initial table of predecessors still
   * serves the other branches: it still counts an arm that has become unreachable, so a block may
   * appear to have too many predecessors, but never too few.
   */
  @Override
  public boolean run(Function function) {
    Table<Block, List<Edge>> predecessors = function.predecessors();
    boolean changed = false;
    for (Block block : function.blocks()) {
      changed |= block.end().code() == OpCode.BRANCH && convert(block, predecessors);
    }
    return changed;
  }

  private static boolean convert(Block block, Table<Block, List<Edge>> predecessors) {
    Op branch = block.end();
    Target yes = branch.targets().get(0);
    Target no = branch.targets().get(1);
    Target afterYes = arm(block, yes, predecessors);
    Target afterNo = arm(block, no, predecessors);
    if (afterYes != null && afterNo != null && afterYes.block() == afterNo.block()) {
      return meet(block, branch, afterYes, afterNo, List.of(yes, no));
    }
    if (afterYes != null && afterYes.block() == no.block()) {
      return meet(block, branch, afterYes, no, List.of(yes));
    }
    if (afterNo != null && afterNo.block() == yes.block()) {
      return meet(block, branch, yes, afterNo, List.of(no));
    }
    return yes.block() == no.block() && meet(block, branch, yes, no, List.of());
  }

  /** Where an arm continues, if it is short, has no effects and can be entered only from here. */
  private static @Nullable Target arm(
      Block from, Target to, Table<Block, List<Edge>> predecessors) {
    Block arm = to.block();
    if (arm == from
        || !arm.params().isEmpty()
        || predecessors.get(arm).size() != 1
        || arm.end().code() != OpCode.JUMP
        || !isCheap(arm)) {
      return null;
    }
    return arm.targets().getFirst();
  }

  /** Whether a block may run for nothing: it is short and has no effects. */
  static boolean isCheap(Block block) {
    return block.ops().size() <= MOST_OPS + 1 && hasNoEffects(block);
  }

  /** Whether a block only computes, and nothing that takes long. */
  static boolean hasNoEffects(Block block) {
    return block.ops().stream()
        .allMatch(op -> op.isEnd() || (op.code().effect() == OpCode.Effect.PURE && !isCostly(op)));
  }

  private static boolean isCostly(Op op) {
    return switch (op.code()) {
      case DIV, REM, UDIV, UREM, SQRT, MULHI, UMULHI -> true;
      default -> op.type() == Type.REF;
    };
  }

  private static boolean meet(Block block, Op branch, Target yes, Target no, List<Target> arms) {
    for (Value value : yes.arguments()) {
      if (value.type() == Type.REF) {
        return false;
      }
    }
    block.ops().removeLast();
    for (Target arm : arms) {
      List<Op> ops = arm.block().ops();
      block.ops().addAll(ops.subList(0, ops.size() - 1));
    }
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < yes.arguments().size(); i++) {
      Value a = yes.arguments().get(i);
      Value b = no.arguments().get(i);
      if (Simplify.same(a, b)) {
        arguments.add(a);
        continue;
      }
      Op select =
          new Op(OpCode.SELECT, a.type(), List.of(branch.operand(0), a, b), null, branch.line());
      block.ops().add(select);
      arguments.add(select);
    }
    block.ops().add(Op.jump(yes.block(), arguments, branch.line()));
    return true;
  }
}
