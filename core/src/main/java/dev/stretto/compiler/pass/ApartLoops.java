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
 * Loops of a kernel that are copied together. To know what others use of a loop takes a look at all
 * of the kernel, so where a thousand loops are copied it is looked at for many of them at once.
 * They share no blocks, and none leads right to the header of another: so what enters one of them
 * is not copied with another.
 */
final class ApartLoops {
  private final Function function;
  private final List<Block> blocks;
  private final Table<Block, List<Edge>> predecessors;
  private final Set<Block> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Block> headers = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Loop> loops = new ArrayList<>();

  /** None yet, in a kernel as it is now. */
  ApartLoops(Function function) {
    this.function = function;
    this.blocks = function.blocks();
    this.predecessors = Function.predecessors(blocks);
  }

  /** {@return which jumps come to each block, as long as nothing is copied} */
  Table<Block, List<Edge>> predecessors() {
    return predecessors;
  }

  /** Takes a loop in if it is apart from those before; says whether it is. */
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

  /** {@return for each of the loops, in the order in which they were taken, what copies it} */
  List<LoopCopies> copies() {
    return LoopCopies.of(function, blocks, loops);
  }

  /** To be called when all jumps of all copies go where they should. */
  void repair(List<LoopCopies> copies) {
    List<Block> now = function.blocks();
    LoopCopies.repair(copies, now, Function.predecessors(now));
  }
}
