package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Marks;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies of a loop's body. What others use of what the loop computes has a definition in each copy
 * afterwards, and is brought together again where it is used.
 */
final class LoopCopies {
  private final Function function;
  private final Loop loop;
  private final Set<Block> inside = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Table<Value, Value>> copies = new ArrayList<>();
  private final List<Table<Block, Block>> places = new ArrayList<>();
  private final IdentityHashMap<Value, Block> leaving;

  LoopCopies(Function function, Loop loop) {
    this.function = function;
    this.loop = loop;
    this.inside.addAll(loop.body());
    this.leaving = leaving();
  }

  /** Where a block of the loop is in one of the copies. */
  Block place(int copy, Block block) {
    return places.get(copy).get(block);
  }

  /** Has the jumps back to the header of one copy go elsewhere. */
  void linkBack(int copy, Block to) {
    for (Block block : loop.body()) {
      for (Target target : place(copy, block).targets()) {
        if (target.block() == loop.header()) {
          target.block(to);
        }
      }
    }
  }

  /** What the loop computes and others use. */
  private IdentityHashMap<Value, Block> leaving() {
    Marks computed = new Marks(function);
    for (Block block : loop.body()) {
      block.params().forEach(computed::add);
      block.ops().forEach(computed::add);
    }
    Set<Value> used = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : function.blocks()) {
      if (!inside.contains(block)) {
        for (Op op : block.ops()) {
          for (Value value : op.uses()) {
            if (computed.has(value)) {
              used.add(value);
            }
          }
        }
      }
    }
    return homes(used);
  }

  /** In which block of the loop each of some values is computed. */
  private IdentityHashMap<Value, Block> homes(Set<Value> values) {
    IdentityHashMap<Value, Block> homes = new IdentityHashMap<>();
    if (!values.isEmpty()) {
      for (Block block : loop.body()) {
        Stream.concat(block.params().stream(), block.ops().stream())
            .filter(values::contains)
            .forEach(value -> homes.put(value, block));
      }
    }
    return homes;
  }

  /** Adds a copy; its jumps back to the header go to the header of the loop itself. */
  void copy() {
    Table<Value, Value> values = new Table<>();
    Table<Block, Block> blocks = new Table<>();
    for (Block block : loop.body()) {
      Block copy = new Block();
      blocks.put(block, copy);
      for (BlockParam param : block.params()) {
        values.put(param, copy.param(param.type()));
      }
    }
    // In reverse postorder a value is copied before what uses it, but for what goes round.
    for (Block block : loop.body()) {
      Block copy = blocks.get(block);
      for (Op op : block.ops()) {
        List<Target> targets = new ArrayList<>();
        for (Target target : op.targets()) {
          Block to = target.block() == loop.header() ? loop.header() : blocks.find(target.block());
          targets.add(
              new Target(to == null ? target.block() : to, mapped(target.arguments(), values)));
        }
        Op twin = op.with(mapped(op.operands(), values), targets);
        values.put(op, twin);
        copy.ops().add(twin);
      }
    }
    copies.add(values);
    places.add(blocks);
  }

  private static List<Value> mapped(List<Value> values, Table<Value, Value> by) {
    List<Value> result = new ArrayList<>(values.size());
    for (Value value : values) {
      Value now = by.find(value);
      result.add(now == null ? value : now);
    }
    return result;
  }

  /** To be called when all jumps go where they should. */
  void repair() {
    if (leaving.isEmpty()) {
      return;
    }
    Table<Block, List<Edge>> edges = function.predecessors();
    IdentityHashMap<Value, Variable> variables = new IdentityHashMap<>();
    leaving.forEach(
        (value, home) -> {
          Variable variable = new Variable(edges, value.type(), unknown(value.type()));
          variable.define(home, value);
          for (int i = 0; i < copies.size(); i++) {
            variable.define(places.get(i).get(home), copies.get(i).get(value));
          }
          variables.put(value, variable);
        });
    Set<Block> copied = Collections.newSetFromMap(new IdentityHashMap<>());
    places.forEach(map -> copied.addAll(map.values()));
    for (Block block : function.blocks()) {
      if (inside.contains(block) || copied.contains(block)) {
        continue;
      }
      for (Op op : block.ops()) {
        for (int i = 0; i < op.size(); i++) {
          Variable variable = variables.get(op.operand(i));
          if (variable != null) {
            op.operand(i, variable.atEntry(block));
          }
        }
        for (Target target : op.targets()) {
          for (int i = 0; i < target.arguments().size(); i++) {
            Variable variable = variables.get(target.arguments().get(i));
            if (variable != null) {
              target.arguments().set(i, variable.atEntry(block));
            }
          }
        }
      }
    }
  }

  private static Value unknown(Type type) {
    return switch (type) {
      case BOOL, INT, LONG, FLOAT, DOUBLE -> Constant.zero(type);
      default -> Constant.ofObject("nothing");
    };
  }
}
