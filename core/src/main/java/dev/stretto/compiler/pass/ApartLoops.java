package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Loops of a kernel that are copied together. Finding what other blocks use of a loop takes a scan
 * of the whole kernel, so if a thousand loops are copied, one scan serves many of them. They share
 * no blocks, and none leads directly to the header of another, so no entry of one loop is copied
 * with another.
 */
final class ApartLoops {
  private final Function function;
  private final List<Block> blocks;
  private final Table<Block, List<Edge>> predecessors;
  private final Set<Block> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Block> headers = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Loop> loops = new ArrayList<>();

  /** Creates an empty set of loops for a kernel in its present state. */
  ApartLoops(Function function) {
    this.function = function;
    this.blocks = function.blocks();
    this.predecessors = Function.predecessors(blocks);
  }

  /** {@return the jumps to each block, as long as nothing is copied} */
  Table<Block, List<Edge>> predecessors() {
    return predecessors;
  }

  /** Adds a loop if it is apart from those before, and returns whether it is. */
  boolean take(Loop loop) {
    if (!isApart(loop)) {
      return false;
    }
    taken.addAll(loop.body());
    headers.add(loop.header());
    loops.add(loop);
    return true;
  }

  private boolean isApart(Loop loop) {
    for (Edge edge : predecessors.get(loop.header())) {
      if (taken.contains(edge.from())) {
        return false;
      }
    }
    for (Block block : loop.body()) {
      if (taken.contains(block)
          || block.targets().stream().anyMatch(target -> headers.contains(target.block()))) {
        return false;
      }
    }
    return true;
  }

  /** {@return the copier of each loop, in the order in which the loops were added} */
  List<LoopCopies> copies() {
    return LoopCopies.of(function, blocks, loops);
  }

  /** Call this when all jumps of all copies have their final targets. */
  void repair(List<LoopCopies> copies) {
    List<Block> now = function.blocks();
    LoopCopies.repair(copies, now, Function.predecessors(now));
  }
}
