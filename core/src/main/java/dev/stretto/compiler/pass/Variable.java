package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A variable that has different values at different places and is being turned into values: where
 * several of them meet, the block gets a parameter (Braun and others, 2013; without their
 * recursion).
 */
final class Variable {
  private final Table<Block, List<Edge>> predecessors;
  private final Type type;
  private final Value otherwise;
  private final IdentityHashMap<Block, Value> atEnd = new IdentityHashMap<>();
  private final IdentityHashMap<Block, Value> atEntry = new IdentityHashMap<>();
  private final ArrayDeque<Map.Entry<Block, BlockParam>> open = new ArrayDeque<>();

  /**
   * Creates a variable.
   *
   * @param otherwise its value where none was defined
   */
  Variable(Table<Block, List<Edge>> predecessors, Type type, Value otherwise) {
    this.predecessors = predecessors;
    this.type = type;
    this.otherwise = otherwise;
  }

  /** Defines its value at the end of a block. */
  void define(Block block, Value value) {
    atEnd.put(block, value);
  }

  /** Its value at the beginning of a block. */
  Value atEntry(Block block) {
    Value value = find(block);
    while (!open.isEmpty()) {
      Map.Entry<Block, BlockParam> next = open.pop();
      for (Edge edge : predecessors.get(next.getKey())) {
        edge.target().arguments().add(endOf(edge.from()));
      }
    }
    return value;
  }

  private Value endOf(Block block) {
    Value said = atEnd.get(block);
    return said != null ? said : find(block);
  }

  private Value find(Block block) {
    List<Block> way = new ArrayList<>();
    Block at = block;
    Value value = null;
    while (value == null) {
      value = atEntry.get(at);
      if (value == null) {
        way.add(at);
        List<Edge> edges = predecessors.get(at);
        if (edges.isEmpty()) {
          value = otherwise;
        } else if (edges.size() == 1) {
          at = edges.getFirst().from();
          value = atEnd.get(at);
        } else {
          BlockParam param = at.param(type);
          value = param;
          open.push(Map.entry(at, param));
        }
      }
    }
    for (Block passed : way) {
      atEntry.put(passed, value);
    }
    return value;
  }
}
