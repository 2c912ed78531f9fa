package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The blocks that run in the iteration in which a loop is left early, for example by a {@code
 * break} or a {@code return}. They are not part of the loop, as no iteration follows; but if they
 * index local arrays, each iteration needs its own copy of them.
 */
final class LastSteps {
  private final Loop loop;
  private final Set<Block> exits;
  private final List<Block> order;
  private final Table<Block, List<Edge>> predecessors;
  private final Set<Block> behind = Collections.newSetFromMap(new IdentityHashMap<>());

  private LastSteps(
      Function function, Loop loop, Set<Block> exits, Table<Block, List<Edge>> predecessors) {
    this.loop = loop;
    this.exits = exits;
    this.order = function.blocks();
    this.predecessors = predecessors;
  }

  /**
   * {@return the loop, extended by such blocks}
   *
   * @param exits where the loop continues when it is left in an iteration that is not known
   *     beforehand
   */
  static Loop with(
      Function function, Loop loop, Set<Block> exits, Table<Block, List<Edge>> predecessors) {
    return exits.isEmpty() ? loop : new LastSteps(function, loop, exits, predecessors).with();
  }

  private Loop with() {
    Set<Block> before = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : order) {
      before.add(block);
      if (!loop.contains(block) && isBehind(block, before)) {
        behind.add(block);
      }
    }
    Set<Block> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Block> open = new ArrayDeque<>();
    behind.stream().filter(LastSteps::wantsConstants).forEach(open::add);
    while (!open.isEmpty()) {
      Block block = open.pop();
      if (loop.contains(block) || !kept.add(block)) {
        continue;
      }
      if (!behind.contains(block)) {
        return loop;
      }
      predecessors.get(block).forEach(edge -> open.add(edge.from()));
    }
    if (kept.isEmpty()) {
      return loop;
    }
    kept.addAll(loop.body());
    return new Loop(loop.header(), order.stream().filter(kept::contains).toList());
  }

  /**
   * Whether all paths to a block lead through such an exit, except for cycles among these blocks. A
   * block where threads meet is shared by all iterations.
   */
  private boolean isBehind(Block block, Set<Block> before) {
    for (Edge edge : predecessors.get(block)) {
      Block from = edge.from();
      boolean fits =
          loop.contains(from)
              ? exits.contains(block)
              : behind.contains(from) || !before.contains(from);
      if (!fits) {
        return false;
      }
    }
    return block != order.getFirst() && block.ops().stream().noneMatch(LastSteps::isConvergent);
  }

  private static boolean isConvergent(Op op) {
    return op.code() == OpCode.ASM && op.attribute(Asm.class).convergent();
  }

  private static boolean wantsConstants(Block block) {
    return block.ops().stream().anyMatch(Unroll::wantsConstant);
  }
}
