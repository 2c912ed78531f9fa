package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Finds plain loads whose value a thread expects when it compares and exchanges the same element:
 * if the value is not the newest one, the exchange fails, and the loop goes round again. CUDA's
 * guide builds atomic operations in this way.
 */
final class GuessedLoads {
  /** Where the expected value stands among the arguments. */
  private static final int EXPECTED = 2;

  private final Table<Block, java.util.List<Edge>> predecessors;
  private final Table<BlockParam, Block> homes = new Table<>();
  private final Set<Op> found = Collections.newSetFromMap(new IdentityHashMap<>());

  private GuessedLoads(Function function) {
    this.predecessors = function.predecessors();
    for (Block block : function.blocks()) {
      block.params().forEach(param -> homes.put(param, block));
    }
  }

  static Set<Op> of(Function function) {
    GuessedLoads loads = new GuessedLoads(function);
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.CALL
            && op.attribute(JavaCall.class).title().equals("Atomics.compareAndExchange")) {
          loads.follow(op, op.attribute(JavaCall.class));
        }
      }
    }
    return loads.found;
  }

  private void follow(Op exchange, JavaCall call) {
    if (!(call.arguments().get(0) instanceof JavaCall.View array)
        || !(call.arguments().get(1) instanceof JavaCall.Scalar index)
        || !(call.arguments().get(EXPECTED) instanceof JavaCall.Scalar expected)) {
      return;
    }
    Value base = exchange.operand(array.base());
    Value at = exchange.operand(index.operand());
    Set<Value> seen = new HashSet<>();
    ArrayDeque<Value> open = new ArrayDeque<>();
    open.add(exchange.operand(expected.operand()));
    while (!open.isEmpty()) {
      Value value = open.remove();
      if (!seen.add(value)) {
        continue;
      }
      if (value instanceof BlockParam param && homes.find(param) != null) {
        Block home = homes.get(param);
        int which = home.params().indexOf(param);
        predecessors.get(home).forEach(edge -> open.add(edge.target().arguments().get(which)));
      } else if (value instanceof Op op && op.code() == OpCode.LOAD && isAt(op, base, at)) {
        found.add(op);
      }
    }
  }

  private static boolean isAt(Op load, Value base, Value index) {
    Value address = load.operand(0);
    if (address.equals(base)) {
      return isZero(index);
    }
    return address instanceof Op op
        && (op.code() == OpCode.ELEMENT || op.code() == OpCode.OFFSET)
        && op.operand(0).equals(base)
        && (unconverted(op.operand(1)).equals(unconverted(index))
            || (op.operand(1) instanceof Constant a
                && unconverted(index) instanceof Constant b
                && a.asLong() == b.asLong() * (op.code() == OpCode.OFFSET ? 4 : 1)));
  }

  private static boolean isZero(Value index) {
    return unconverted(index) instanceof Constant constant && constant.asLong() == 0;
  }

  private static Value unconverted(Value value) {
    Value at = value;
    while (at instanceof Op op && op.code() == OpCode.CONVERT) {
      at = op.operand(0);
    }
    return at;
  }
}
