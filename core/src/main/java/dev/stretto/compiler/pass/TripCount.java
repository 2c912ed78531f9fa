package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Fold;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the iterations of a loop by running it with the known values: whatever its counters do
 * (steps of any sign, wrap-around, several exits, {@code continue}), they do here. Of a counter
 * that begins with a number which differs from thread to thread, the range is followed, and decides
 * as long as it decides for all of them.
 */
final class TripCount {
  private final Loop loop;
  private final Set<Block> body = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Block> innerHeaders = Collections.newSetFromMap(new IdentityHashMap<>());
  private IdentityHashMap<Value, Constant> known = new IdentityHashMap<>();

  /** Of integers that are not known, as far as more than their operations is known about them. */
  private IdentityHashMap<Value, Ranges> ranges = new IdentityHashMap<>();

  private final Set<Block> chances = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Block> regular = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean knownExit;
  private boolean byRanges;

  TripCount(Loop loop) {
    this.loop = loop;
    this.body.addAll(loop.body());
    Set<Block> passed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : loop.body()) {
      passed.add(block);
      for (Target target : block.targets()) {
        if (passed.contains(target.block())) {
          innerHeaders.add(target.block());
        }
      }
    }
  }

  /**
   * {@return how often the header is reached until no path leads back to it; -1 if that is not
   * known or exceeds the limit}
   */
  int of(Table<Block, List<Edge>> predecessors, int limit) {
    List<Edge> edges = predecessors.get(loop.header());
    List<Target> in =
        edges.stream().filter(edge -> !body.contains(edge.from())).map(Edge::target).toList();
    List<@Nullable Constant> params = new ArrayList<>();
    List<@Nullable Ranges> within = new ArrayList<>();
    for (int i = 0; i < loop.header().params().size(); i++) {
      params.add(common(in, i));
      within.add(range(in, i));
    }
    for (int round = 1; round <= limit; round++) {
      List<Target> back = round(params, within);
      if (back.isEmpty()) {
        return round;
      }
      if (!knownExit) {
        return -1;
      }
      for (int i = 0; i < params.size(); i++) {
        params.set(i, common(back, i));
        within.set(i, range(back, i));
      }
    }
    return -1;
  }

  /** {@return whether the count is of numbers that differ from thread to thread} */
  boolean isByRanges() {
    return byRanges;
  }

  /**
   * {@return where the loop continues only when it is left in an iteration that is not known
   * beforehand}
   */
  Set<Block> exits() {
    chances.removeAll(regular);
    return chances;
  }

  private @Nullable Constant common(List<Target> targets, int index) {
    Constant common = null;
    for (Target target : targets) {
      Constant value = value(target.arguments().get(index));
      if (value == null || (common != null && !common.isSame(value))) {
        return null;
      }
      common = value;
    }
    return common;
  }

  /** The range of an INT that is passed, or null. */
  private @Nullable Ranges range(List<Target> targets, int index) {
    Ranges all = null;
    for (Target target : targets) {
      Value argument = target.arguments().get(index);
      if (argument.type() != Type.INT) {
        return null;
      }
      Ranges one = Ranges.of(argument, this::range);
      all = all == null ? one : all.or(one);
    }
    return all;
  }

  private @Nullable Ranges range(Value value) {
    Constant constant = known.get(value);
    return constant != null && constant.type() == Type.INT
        ? new Ranges(constant.asInt(), constant.asInt())
        : ranges.get(value);
  }

  private @Nullable Constant value(Value value) {
    return value instanceof Constant constant ? constant : known.get(value);
  }

  /** Runs the body once; returns the jumps back to the header that may be taken. */
  private List<Target> round(List<@Nullable Constant> params, List<@Nullable Ranges> within) {
    known = new IdentityHashMap<>();
    ranges = new IdentityHashMap<>();
    for (int i = 0; i < within.size(); i++) {
      Ranges range = within.get(i);
      if (range != null) {
        ranges.put(loop.header().params().get(i), range);
      }
    }
    knownExit = false;
    IdentityHashMap<Block, List<Target>> taken = new IdentityHashMap<>();
    List<Target> back = new ArrayList<>();
    Set<Block> done = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : loop.body()) {
      if (block == loop.header()) {
        bind(block, params);
      } else if (taken.containsKey(block)) {
        List<@Nullable Constant> values = new ArrayList<>();
        boolean mayComeAgain = innerHeaders.contains(block);
        for (int i = 0; i < block.params().size(); i++) {
          values.add(mayComeAgain ? null : common(taken.get(block), i));
        }
        bind(block, values);
      } else {
        continue;
      }
      done.add(block);
      block.ops().forEach(this::compute);
      for (Target target : ways(block)) {
        if (target.block() == loop.header()) {
          back.add(target);
        } else if (body.contains(target.block())) {
          taken.computeIfAbsent(target.block(), _ -> new ArrayList<>()).add(target);
        }
      }
    }
    return back;
  }

  private void bind(Block block, List<@Nullable Constant> values) {
    for (int i = 0; i < values.size(); i++) {
      BlockParam param = block.params().get(i);
      Constant value = values.get(i);
      if (value != null) {
        known.put(param, value);
      }
    }
  }

  private void compute(Op op) {
    if (op.code().effect() != OpCode.Effect.PURE || op.size() == 0) {
      return;
    }
    Object[] values = new Object[op.size()];
    for (int i = 0; i < values.length; i++) {
      Constant value = value(op.operand(i));
      if (value == null) {
        compare(op);
        return;
      }
      values[i] = value.value();
    }
    Object result = Fold.evaluate(op, values);
    if (result != null) {
      known.put(op, Constant.ofBoxed(result));
    }
  }

  /** A comparison of numbers of which only the ranges are known. */
  private void compare(Op op) {
    Boolean outcome = op.code() == OpCode.CMP ? Ranges.outcome(op, this::range) : null;
    if (outcome != null) {
      byRanges = true;
      known.put(op, Constant.of(outcome));
    }
  }

  private List<Target> ways(Block block) {
    Op end = block.end();
    if (end.code() != OpCode.BRANCH) {
      return end.targets();
    }
    List<Block> leaving =
        end.targets().stream().map(Target::block).filter(to -> !body.contains(to)).toList();
    Constant condition = value(end.operand(0));
    if (condition == null) {
      chances.addAll(leaving);
      return end.targets();
    }
    knownExit |= !leaving.isEmpty();
    regular.addAll(leaving);
    return List.of(end.targets().get(condition.asBoolean() ? 0 : 1));
  }
}
