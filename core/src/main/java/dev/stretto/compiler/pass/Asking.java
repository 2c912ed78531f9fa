package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Finds where threads ask in a loop for what others do, without any barrier. */
public final class Asking {
  private Asking() {}

  /** {@return the operations in loops that may be such questions} */
  public static Set<Op> in(Function function) {
    Set<Op> asking = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Value> used = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : function.blocks()) {
      block.ops().forEach(op -> used.addAll(op.uses()));
    }
    for (Loop loop : Loop.of(function)) {
      for (Block block : loop.body()) {
        for (Op op : block.ops()) {
          if (op.code() == OpCode.CALL && asks(op, used.contains(op))) {
            asking.add(op);
          }
        }
      }
    }
    return asking;
  }

  private static boolean asks(Op op, boolean isUsed) {
    JavaCall call = op.attribute(JavaCall.class);
    if (call.method().equals("nanosleep") || call.method().equals("gridBarrierTest")) {
      return true;
    }
    if (call.of("Atomics") == null || !isUsed) {
      return call.of("Atomics") != null && call.method().equals("fence");
    }
    return op.type() != Type.VOID
        && (call.method().equals("loadAcquire")
            || op.operands().getLast() instanceof Constant
            || call.method().equals("compareAndExchange"));
  }
}
