package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Computes an address in global memory before the condition that guards its load, if the next
 * guarded address is one simple step away: {@link Strides} then makes each from the one before it.
 * That is so for the taps of a filter that lie below each other, each of which may be outside.
 */
public final class EarlyAddresses implements Pass {
  private static final int MOST_INSIDE = 64;

  @Override
  public String name() {
    return "early-addresses";
  }

  /** An address that only a guarded block computes, and the block before the guard. */
  private record Guarded(
      Op address, List<Op> parts, Polynomial bytes, Block inside, Block before) {}

  @Override
  public boolean run(Function function) {
    Dominators dominators = new Dominators(function);
    Table<Block, List<Edge>> predecessors = function.predecessors();
    IdentityHashMap<Value, List<Guarded>> byBase = new IdentityHashMap<>();
    for (Block block : dominators.order()) {
      List<Edge> edges = predecessors.get(block);
      if (edges.size() == 1 && isGuarded(block, edges.getFirst().from())) {
        for (Guarded address : addresses(block, edges.getFirst().from())) {
          byBase.computeIfAbsent(address.address.operand(0), _ -> new ArrayList<>()).add(address);
        }
      }
    }
    Set<Guarded> early = Collections.newSetFromMap(new IdentityHashMap<>());
    for (List<Guarded> alike : byBase.values()) {
      for (int i = 1; i < alike.size(); i++) {
        Guarded one = alike.get(i - 1);
        Guarded next = alike.get(i);
        if (dominators.dominates(one.before, next.before)
            && Strides.isSimple(next.bytes.minus(one.bytes))) {
          early.add(one);
          early.add(next);
        }
      }
    }
    for (List<Guarded> alike : byBase.values()) {
      alike.stream().filter(early::contains).forEach(EarlyAddresses::move);
    }
    return !early.isEmpty();
  }

  /** Whether a block is all of an if without else. */
  private static boolean isGuarded(Block block, Block before) {
    return block.ops().size() <= MOST_INSIDE
        && before.end().code() == OpCode.BRANCH
        && block.end().code() == OpCode.JUMP
        && before.targets().stream()
            .anyMatch(target -> target.block() == block.targets().getFirst().block());
  }

  private static List<Guarded> addresses(Block block, Block before) {
    List<Guarded> found = new ArrayList<>();
    Set<Value> inside = Collections.newSetFromMap(new IdentityHashMap<>());
    inside.addAll(block.params());
    inside.addAll(block.ops());
    for (Op op : block.ops()) {
      if (op.code() == OpCode.ELEMENT
          && op.type() == Type.GLOBAL
          && op.operand(1).type() == Type.LONG
          && !Polynomial.products(op.operand(1)).isEmpty()) {
        List<Op> parts = new ArrayList<>();
        if (collect(op, inside, parts)) {
          Polynomial bytes = Polynomial.of(op.operand(1)).times(op.count());
          found.add(new Guarded(op, parts, bytes, block, before));
        }
      }
    }
    return found;
  }

  /**
   * Collects what the block computes for a value, operands first; false if it is not arithmetic.
   */
  private static boolean collect(Op op, Set<Value> inside, List<Op> parts) {
    if (!CommonAddresses.isArithmetic(op)) {
      return false;
    }
    for (Value operand : op.operands()) {
      if (inside.contains(operand)
          && !(operand instanceof Op part
              && (parts.contains(part) || collect(part, inside, parts)))) {
        return false;
      }
    }
    parts.add(op);
    return true;
  }

  private static void move(Guarded address) {
    List<Op> ops = address.before.ops();
    for (Op part : address.parts) {
      // Another address may have taken it along.
      if (address.inside.ops().remove(part)) {
        ops.add(ops.size() - 1, part);
      }
    }
  }
}
