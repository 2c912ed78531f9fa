package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes copies of a loop's body before the loop, one for each of its first rounds. */
final class Peel {
  private final Function function;
  private final Loop loop;
  private final Map<Block, List<Edge>> predecessors;
  private final Set<Block> inside = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Map<Value, Value>> copies = new ArrayList<>();
  private final List<Map<Block, Block>> places = new ArrayList<>();

  Peel(Function function, Loop loop, Map<Block, List<Edge>> predecessors) {
    this.function = function;
    this.loop = loop;
    this.predecessors = predecessors;
    this.inside.addAll(loop.body());
  }

  void peel(int rounds) {
    Map<Value, Block> leaving = leaving();
    List<Target> in = Unroll.into(predecessors.get(loop.header()), loop);
    for (int i = 0; i < rounds; i++) {
      copy();
    }
    for (int i = 0; i < rounds; i++) {
      Block next = i + 1 < rounds ? places.get(i + 1).get(loop.header()) : loop.header();
      for (Block block : loop.body()) {
        for (Target target : places.get(i).get(block).targets()) {
          if (target.block() == loop.header()) {
            target.block(next);
          }
        }
      }
    }
    for (Target target : in) {
      target.block(places.getFirst().get(loop.header()));
    }
    repair(leaving);
  }

  /** What the loop computes and others use. */
  private Map<Value, Block> leaving() {
    Map<Value, Block> homes = new IdentityHashMap<>();
    for (Block block : loop.body()) {
      block.params().forEach(param -> homes.put(param, block));
      block.ops().forEach(op -> homes.put(op, block));
    }
    Map<Value, Block> leaving = new IdentityHashMap<>();
    for (Block block : function.blocks()) {
      if (!inside.contains(block)) {
        for (Op op : block.ops()) {
          for (Value value : op.uses()) {
            Block home = homes.get(value);
            if (home != null) {
              leaving.put(value, home);
            }
          }
        }
      }
    }
    return leaving;
  }

  private void copy() {
    Map<Value, Value> values = new IdentityHashMap<>();
    Map<Block, Block> blocks = new IdentityHashMap<>();
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
          Block to = target.block() == loop.header() ? loop.header() : blocks.get(target.block());
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

  private static List<Value> mapped(List<Value> values, Map<Value, Value> by) {
    List<Value> result = new ArrayList<>(values.size());
    for (Value value : values) {
      result.add(by.getOrDefault(value, value));
    }
    return result;
  }

  /** What had one definition has as many as there are rounds now. */
  private void repair(Map<Value, Block> leaving) {
    if (leaving.isEmpty()) {
      return;
    }
    Map<Block, List<Edge>> edges = function.predecessors();
    Map<Value, Variable> variables = new IdentityHashMap<>();
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
