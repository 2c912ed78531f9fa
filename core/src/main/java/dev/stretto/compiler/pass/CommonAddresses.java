package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes an address in global memory once, before the branches, when several of their arms need
 * it: after a loop over the taps of a filter is unrolled, each tap that looks whether it lies
 * inside would compute the address of its row again. The parts of an index move with it. What one
 * arm alone needs stays there, and nothing moves into a loop.
 */
public final class CommonAddresses implements Pass {
  @Override
  public String name() {
    return "common-addresses";
  }

  @Override
  public boolean run(Function function) {
    Set<Op> parts = parts(function);
    return !parts.isEmpty() && new Sharing(function, parts).run();
  }

  /** The operations that make the addresses, and nothing but the addresses' arithmetic. */
  private static Set<Op> parts(Function function) {
    Set<Op> parts = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Op> open = new ArrayDeque<>();
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.type() == Type.GLOBAL && isArithmetic(op) && parts.add(op)) {
          open.push(op);
        }
      }
    }
    while (!open.isEmpty()) {
      for (Value value : open.pop().operands()) {
        if (value instanceof Op op && isArithmetic(op) && parts.add(op)) {
          open.push(op);
        }
      }
    }
    return parts;
  }

  /** Whether an operation is of those that make addresses, and takes no time to speak of. */
  static boolean isArithmetic(Op op) {
    return switch (op.code()) {
      case ADD, SUB, MUL, SHL, NEG, CONVERT -> op.type() == Type.LONG || op.type() == Type.INT;
      case ELEMENT, OFFSET -> op.type() == Type.GLOBAL;
      default -> false;
    };
  }

  private static final class Sharing {
    private final Set<Op> parts;
    private final Dominators dominators;
    private final List<Loop> loops;
    private final Map<ValueNumbering.Key, Place> first = new HashMap<>();
    private final Replacements now = new Replacements();

    Sharing(Function function, Set<Op> parts) {
      this.parts = parts;
      this.dominators = new Dominators(function);
      this.loops = Loop.of(function);
    }

    /** Where an operation stands at present. */
    private record Place(Op op, Block block) {}

    boolean run() {
      for (Block block : dominators.order()) {
        List<Op> kept = new ArrayList<>(block.ops().size());
        for (Op op : block.ops()) {
          now.apply(op);
          if (!parts.contains(op) || !isShared(op, block)) {
            kept.add(op);
          }
        }
        if (kept.size() < block.ops().size()) {
          block.ops().clear();
          block.ops().addAll(kept);
        }
      }
      dominators.order().forEach(block -> block.ops().forEach(now::apply));
      return !now.isEmpty();
    }

    /** Whether an operation is known from before, which is then where both blocks can use it. */
    private boolean isShared(Op op, Block block) {
      ValueNumbering.Key key = ValueNumbering.key(op, false);
      Place before = first.get(key);
      if (before == null) {
        first.put(key, new Place(op, block));
        return false;
      }
      if (!dominators.dominates(before.block, block)) {
        Block common = dominators.common(before.block, block);
        if (isOftener(common, block) || isOftener(common, before.block)) {
          return false;
        }
        before.block.ops().remove(indexOf(before));
        common.ops().add(common.ops().size() - 1, before.op);
        first.put(key, new Place(before.op, common));
      }
      now.put(op, before.op);
      return true;
    }

    private static int indexOf(Place place) {
      List<Op> ops = place.block.ops();
      for (int i = ops.size() - 1; i >= 0; i--) {
        if (ops.get(i) == place.op) {
          return i;
        }
      }
      throw new IllegalStateException("an operation is not in its block");
    }

    /** Whether a block is in a loop that the other is not in. */
    private boolean isOftener(Block block, Block than) {
      return loops.stream().anyMatch(it -> it.contains(block) && !it.contains(than));
    }
  }
}
