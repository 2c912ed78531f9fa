package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Value;
import java.util.IdentityHashMap;
import java.util.List;

/** Values that are replaced by others from now on. */
final class Replacements {
  private final IdentityHashMap<Value, Value> by = new IdentityHashMap<>();

  void put(Value old, Value now) {
    by.put(old, now);
  }

  boolean isEmpty() {
    return by.isEmpty();
  }

  boolean has(Value value) {
    return by.containsKey(value);
  }

  /** The present replacement of a value, however often it was replaced. */
  Value resolve(Value value) {
    Value now = value instanceof Constant ? null : by.get(value);
    if (now == null) {
      return value;
    }
    Value end = now;
    for (Value next = by.get(end); next != null; next = by.get(end)) {
      end = next;
    }
    for (Value at = value; at != end; ) {
      Value next = by.get(at);
      by.put(at, end);
      at = next == null ? end : next;
    }
    return end;
  }

  void apply(Op op) {
    if (by.isEmpty()) {
      return;
    }
    for (int i = 0; i < op.size(); i++) {
      op.operand(i, resolve(op.operand(i)));
    }
    for (Target target : op.targets()) {
      List<Value> arguments = target.arguments();
      arguments.replaceAll(this::resolve);
    }
  }

  void apply(Function function) {
    if (by.isEmpty()) {
      return;
    }
    for (Block block : function.blocks()) {
      block.ops().forEach(this::apply);
    }
  }
}
