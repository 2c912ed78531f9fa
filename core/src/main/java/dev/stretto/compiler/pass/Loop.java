package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * A loop: the block that every iteration begins with, and all blocks that lead back to it.
 *
 * @param header the block that begins an iteration
 * @param body all of its blocks, including the header, in reverse postorder
 */
record Loop(Block header, List<Block> body) {
  boolean contains(Block block) {
    return body.contains(block);
  }

  int size() {
    return body.stream().mapToInt(block -> block.ops().size()).sum();
  }

  /** The loops of a kernel, inner ones before outer ones. */
  static List<Loop> of(Function function) {
    Dominators dominators = new Dominators(function);
    Table<Block, List<Edge>> predecessors = function.predecessors();
    List<Loop> loops = new ArrayList<>();
    for (Block header : dominators.order()) {
      Set<Block> body = Collections.newSetFromMap(new IdentityHashMap<>());
      ArrayDeque<Block> open = new ArrayDeque<>();
      for (Edge edge : predecessors.get(header)) {
        if (dominators.dominates(header, edge.from())) {
          open.add(edge.from());
        }
      }
      if (open.isEmpty()) {
        continue;
      }
      body.add(header);
      while (!open.isEmpty()) {
        Block block = open.pop();
        if (body.add(block)) {
          predecessors.get(block).forEach(edge -> open.add(edge.from()));
        }
      }
      List<Block> ordered = new ArrayList<>(body);
      ordered.sort(Comparator.comparingInt(dominators::number));
      loops.add(new Loop(header, ordered));
    }
    loops.sort(Comparator.comparingInt(loop -> loop.body().size()));
    return loops;
  }

  /**
   * Whether some cycle does not pass through a header that all paths into the cycle pass through.
   */
  static boolean isIrreducible(Function function) {
    Dominators dominators = new Dominators(function);
    for (Block block : dominators.order()) {
      for (Target target : block.targets()) {
        if (dominators.number(target.block()) <= dominators.number(block)
            && !dominators.dominates(target.block(), block)) {
          return true;
        }
      }
    }
    return false;
  }
}
