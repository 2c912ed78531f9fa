package dev.stretto.compiler.bank;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where each value of a kernel is computed: in which loops, and under which conditions. */
final class Nest {
  /**
   * A condition under which a block runs.
   *
   * @param branch the branch
   * @param holds what its condition is then
   */
  record Guard(Op branch, boolean holds) {}

  private final Function function;
  private final List<String> names;
  private final Dominators dominators;
  private final Table<Block, List<Edge>> predecessors;
  private final Table<Value, Block> homes = new Table<>();
  private final Table<Block, Block> parents = new Table<>();
  private final Table<Block, Set<Block>> bodies = new Table<>();
  private final List<Block> headers = new ArrayList<>();
  private final Table<Op, Integer> numbers = new Table<>();

  Nest(Function function, List<String> names) {
    this.function = function;
    this.names = names;
    this.dominators = new Dominators(function);
    this.predecessors = function.predecessors();
    for (Block block : dominators.order()) {
      block.params().forEach(param -> homes.put(param, block));
      for (Op op : block.ops()) {
        homes.put(op, block);
        numbers.put(op, numbers.size());
      }
      dominators.children(block).forEach(child -> parents.put(child, block));
      Set<Block> body = body(block);
      if (!body.isEmpty()) {
        bodies.put(block, body);
        headers.add(block);
      }
    }
  }

  private Set<Block> body(Block header) {
    Set<Block> body = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Block> open = new ArrayDeque<>();
    for (Edge edge : back(header)) {
      open.add(edge.from());
    }
    if (!open.isEmpty()) {
      body.add(header);
    }
    while (!open.isEmpty()) {
      Block block = open.pop();
      if (body.add(block)) {
        predecessors.get(block).forEach(edge -> open.add(edge.from()));
      }
    }
    return body;
  }

  List<Block> blocks() {
    return dominators.order();
  }

  /** {@return the block that computes a value} */
  Block home(Value value) {
    return homes.get(value);
  }

  /** {@return the number of an operation, in the order of the blocks} */
  int number(Op op) {
    return numbers.get(op);
  }

  /** {@return the place of a parameter among the kernel's; -1 if it is another block's} */
  int parameter(BlockParam param) {
    return function.entry().params().indexOf(param);
  }

  /** {@return what to call a parameter of the kernel} */
  String name(int parameter) {
    return names.get(parameter);
  }

  boolean isHeader(Block block) {
    return bodies.has(block);
  }

  /** {@return whether a loop runs a block} */
  boolean contains(Block header, Block block) {
    return bodies.get(header).contains(block);
  }

  List<Edge> edges(Block block) {
    return predecessors.get(block);
  }

  /** {@return the jumps that begin a further round} */
  List<Edge> back(Block header) {
    return predecessors.get(header).stream()
        .filter(edge -> dominators.dominates(header, edge.from()))
        .toList();
  }

  /** {@return the jumps that enter a block from outside of its loop} */
  List<Edge> in(Block header) {
    return predecessors.get(header).stream()
        .filter(edge -> !dominators.dominates(header, edge.from()))
        .toList();
  }

  @Nullable Block parent(Block block) {
    return parents.find(block);
  }

  /**
   * {@return the conditions under which a block runs, as far as one branch decides each; those of
   * loops that were left before are not among them}
   */
  List<Guard> guards(Block block) {
    List<Guard> guards = new ArrayList<>();
    Block below = block;
    for (Block above = parents.find(block); above != null; above = parents.find(above)) {
      Op end = above.end();
      if (end.code() == OpCode.BRANCH && !wasLeft(above, block)) {
        int way = way(end, below);
        if (way >= 0) {
          guards.add(new Guard(end, way == 0));
        }
      }
      below = above;
    }
    return guards;
  }

  private boolean wasLeft(Block inside, Block outside) {
    return headers.stream()
        .anyMatch(header -> contains(header, inside) && !contains(header, outside));
  }

  /** Which target of a branch always leads to a block: 0, 1, or -1 if both may. */
  private int way(Op branch, Block below) {
    for (int way = 0; way < 2; way++) {
      if (isOnlyWay(branch.targets().get(way), branch, below)) {
        return way;
      }
    }
    return -1;
  }

  private boolean isOnlyWay(Target target, Op branch, Block below) {
    Target other = branch.targets().get(branch.targets().getFirst() == target ? 1 : 0);
    return target.block() != other.block()
        && in(target.block()).size() == 1
        && in(target.block()).getFirst().target() == target
        && dominators.dominates(target.block(), below);
  }

  /**
   * {@return by which target of a branch a jump is reached: 0 or 1; -1 if by both}
   *
   * @param edge a jump to a block that the branch's block dominates immediately
   */
  int way(Op branch, Edge edge) {
    for (int way = 0; way < 2; way++) {
      Target target = branch.targets().get(way);
      if (edge.target() == target
          || (target.block() != edge.target().block() && isOnlyWay(target, branch, edge.from()))) {
        return way;
      }
    }
    return -1;
  }
}
