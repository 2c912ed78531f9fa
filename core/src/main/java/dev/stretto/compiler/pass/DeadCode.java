package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.MarkSet;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.List;

/** Removes operations that no effect depends on. */
final class DeadCode {
  private final Function function;
  private final Table<Block, List<Edge>> predecessors;
  private final Table<BlockParam, Block> homes = new Table<>();
  private final MarkSet live;
  private final ArrayDeque<Value> open = new ArrayDeque<>();

  private DeadCode(Function function) {
    this.function = function;
    this.predecessors = function.predecessors();
    this.live = new MarkSet(function);
  }

  static boolean remove(Function function) {
    return new DeadCode(function).run();
  }

  private boolean run() {
    List<Block> blocks = function.blocks();
    for (Block block : blocks) {
      block.params().forEach(param -> homes.put(param, block));
      for (Op op : block.ops()) {
        if (!op.isRemovable()) {
          needAll(op);
          live.add(op);
        }
      }
    }
    while (!open.isEmpty()) {
      switch (open.pop()) {
        case Op op -> needAll(op);
        case BlockParam param -> incoming(param);
        default -> {}
      }
    }
    boolean changed = false;
    for (Block block : blocks) {
      changed |= block.ops().removeIf(op -> !live.has(op));
      if (block != function.entry()) {
        changed |= params(block);
      }
    }
    return changed;
  }

  private void needAll(Op op) {
    for (int i = 0; i < op.size(); i++) {
      need(op.operand(i));
    }
  }

  private void need(Value value) {
    if (live.add(value)) {
      open.push(value);
    }
  }

  private void incoming(BlockParam param) {
    Block home = homes.get(param);
    int index = home.params().indexOf(param);
    for (Edge edge : predecessors.get(home)) {
      need(edge.target().arguments().get(index));
    }
  }

  private boolean params(Block block) {
    boolean changed = false;
    for (int i = block.params().size() - 1; i >= 0; i--) {
      if (!live.has(block.params().get(i))) {
        block.params().remove(i);
        for (Edge edge : predecessors.get(block)) {
          edge.target().arguments().remove(i);
        }
        changed = true;
      }
    }
    return changed;
  }
}
