package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.MarkSet;
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
 * Copies a loop's body. Values that the loop computes and other blocks use then have a definition
 * in each copy, and are merged where they are used.
 */
final class LoopCopies {
  private final Loop loop;
  private final Set<Block> inside = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Table<Value, Value>> copies = new ArrayList<>();
  private final List<Table<Block, Block>> places = new ArrayList<>();
  private final Set<Block> copied = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The values that the loop computes and others use, with their blocks. */
  private final IdentityHashMap<Value, Block> leaving = new IdentityHashMap<>();

  private LoopCopies(Loop loop) {
    this.loop = loop;
    this.inside.addAll(loop.body());
  }

  /**
   * {@return the copiers of some loops}
   *
   * @param blocks the reachable blocks of the function in its present state
   * @param loops they share no blocks
   */
  static List<LoopCopies> of(Function function, List<Block> blocks, List<Loop> loops) {
    MarkSet computed = new MarkSet(function);
    Table<Value, LoopCopies> owners = new Table<>();
    Table<Value, Block> homes = new Table<>();
    List<LoopCopies> all = new ArrayList<>();
    for (Loop loop : loops) {
      LoopCopies copies = new LoopCopies(loop);
      all.add(copies);
      for (Block block : loop.body()) {
        Stream.concat(block.params().stream(), block.ops().stream())
            .filter(computed::add)
            .forEach(
                value -> {
                  owners.put(value, copies);
                  homes.put(value, block);
                });
      }
    }
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        for (int i = 0; i < op.size(); i++) {
          Value value = op.operand(i);
          if (computed.has(value)) {
            owners.get(value).uses(value, homes, block);
          }
        }
      }
      for (Target target : block.targets()) {
        for (Value value : target.arguments()) {
          if (computed.has(value)) {
            owners.get(value).uses(value, homes, block);
          }
        }
      }
    }
    return all;
  }

  /** Notes that a value of the loop is used in a block, possibly outside the loop. */
  private void uses(Value value, Table<Value, Block> homes, Block block) {
    if (!inside.contains(block)) {
      leaving.put(value, homes.get(value));
    }
  }

  /** The counterpart of a block of the loop in one of the copies. */
  Block place(int copy, Block block) {
    return places.get(copy).get(block);
  }

  /** Redirects the jumps back to the header of one copy. */
  void linkBack(int copy, Block to) {
    for (Block block : loop.body()) {
      for (Target target : place(copy, block).targets()) {
        if (target.block() == loop.header()) {
          target.block(to);
        }
      }
    }
  }

  /** Adds a copy; its jumps back to the header go to the header of the loop itself. */
  void copy() {
    Table<Value, Value> values = new Table<>();
    Table<Block, Block> blocks = new Table<>();
    for (Block block : loop.body()) {
      Block copy = new Block();
      blocks.put(block, copy);
      copied.add(copy);
      for (BlockParam param : block.params()) {
        values.put(param, copy.param(param.type()));
      }
    }
    // In reverse postorder a value is copied before its uses, except for values passed around the
    // loop.
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

  /** The variable that replaces a value after the loop that computes it. */
  private record Outside(Variable variable, LoopCopies copies) {}

  /**
   * Call this when all jumps have their final targets.
   *
   * @param blocks the reachable blocks of the function in its present state
   * @param edges the jumps to them
   */
  static void repair(List<LoopCopies> all, List<Block> blocks, Table<Block, List<Edge>> edges) {
    IdentityHashMap<Value, Outside> outside = new IdentityHashMap<>();
    for (LoopCopies copies : all) {
      copies.define(outside, edges);
    }
    if (outside.isEmpty()) {
      return;
    }
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        for (int i = 0; i < op.size(); i++) {
          Outside now = outside.get(op.operand(i));
          if (now != null && !now.copies.has(block)) {
            op.operand(i, now.variable.atEntry(block));
          }
        }
      }
      for (Target target : block.targets()) {
        for (int i = 0; i < target.arguments().size(); i++) {
          Outside now = outside.get(target.arguments().get(i));
          if (now != null && !now.copies.has(block)) {
            target.arguments().set(i, now.variable.atEntry(block));
          }
        }
      }
    }
  }

  private void define(IdentityHashMap<Value, Outside> outside, Table<Block, List<Edge>> edges) {
    leaving.forEach(
        (value, home) -> {
          Variable variable = new Variable(edges, value.type(), unknown(value.type()));
          variable.define(home, value);
          for (int i = 0; i < copies.size(); i++) {
            variable.define(places.get(i).get(home), copies.get(i).get(value));
          }
          outside.put(value, new Outside(variable, this));
        });
  }

  /** Whether a block belongs to the loop or to a copy. */
  private boolean has(Block block) {
    return inside.contains(block) || copied.contains(block);
  }

  private static Value unknown(Type type) {
    return switch (type) {
      case BOOL, INT, LONG, FLOAT, DOUBLE -> Constant.zero(type);
      default -> Constant.ofObject("nothing");
    };
  }
}
