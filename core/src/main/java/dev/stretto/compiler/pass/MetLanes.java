package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the places at which the lanes of a pipeline's warp or tile meet, if they have met since
 * anything last touched memory, waited or announced bytes, but for bulk copies and arrivals: they
 * would learn nothing. The lanes of a pipeline meet when they release a stage, and again when they
 * commit the next one, which often is a bulk copy that one of them begins.
 */
final class MetLanes implements Pass {
  private static final String ROOM = "dev/stretto/kernel/";
  private static final String MEET = ROOM + "Warp.meet";
  private static final String SYNC = ROOM + "Warp.sync";
  private static final Set<String> UNSEEN =
      Set.of(
          ROOM + "PtxBarriers.mbarrierArrive",
          ROOM + "PtxBarriers.mbarrierArriveExpectTx",
          ROOM + "PtxBulkCopies.cpAsyncBulkToShared");

  /** What is known before any lane has met: that of a block not looked at yet. */
  private static final Object UNKNOWN = new Object();

  private static final Object NOBODY = new Object();

  @Override
  public String name() {
    return "met-lanes";
  }

  @Override
  public boolean run(Function function) {
    if (function.blocks().stream()
        .flatMap(block -> block.ops().stream())
        .noneMatch(op -> method(op).equals(MEET))) {
      return false;
    }
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Map<Block, Object> atEnd = new IdentityHashMap<>();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : function.blocks()) {
        Object met = after(block, before(block, predecessors, atEnd));
        Object last = atEnd.put(block, met);
        changed |= last == null || !isSame(last, met);
      }
    }
    boolean removed = false;
    for (Block block : function.blocks()) {
      removed |= remove(block, before(block, predecessors, atEnd));
    }
    return removed;
  }

  private static Object before(
      Block block, Table<Block, List<Edge>> predecessors, Map<Block, Object> atEnd) {
    List<Edge> edges = predecessors.get(block);
    if (edges.isEmpty()) {
      return NOBODY;
    }
    Object met = UNKNOWN;
    for (Edge edge : edges) {
      Object there = atEnd.getOrDefault(edge.from(), UNKNOWN);
      if (there != UNKNOWN) {
        met = met == UNKNOWN || isSame(met, there) ? there : NOBODY;
      }
    }
    return met;
  }

  private static Object after(Block block, Object before) {
    Object met = before;
    for (Op op : block.ops()) {
      met = after(op, met);
    }
    return met;
  }

  private static Object after(Op op, Object met) {
    Value members = members(op);
    if (members != null) {
      return members;
    }
    return touches(op) ? NOBODY : met;
  }

  private static boolean remove(Block block, Object before) {
    Object met = before;
    boolean removed = false;
    for (int i = 0; i < block.ops().size(); i++) {
      Op op = block.ops().get(i);
      if (method(op).equals(MEET) && isSame(met, op.operand(0))) {
        block.ops().remove(i--);
        removed = true;
      } else {
        met = after(op, met);
      }
    }
    return removed;
  }

  /** The lanes that meet at an operation; null if none do. */
  private static @Nullable Value members(Op op) {
    boolean meets = method(op).equals(MEET) || method(op).equals(SYNC);
    return meets && op.operands().size() == 1 ? op.operand(0) : null;
  }

  private static boolean isSame(Object a, Object b) {
    return a == b
        || (a instanceof Constant one
            && b instanceof Constant other
            && one.value().equals(other.value()));
  }

  private static boolean touches(Op op) {
    if (op.code() == OpCode.LOAD || op.code() == OpCode.LOAD_VECTOR) {
      return true;
    }
    return !op.isRemovable() && !op.isEnd() && !UNSEEN.contains(method(op));
  }

  private static String method(Op op) {
    return op.code() == OpCode.ASM ? op.attribute(Asm.class).name() : "";
  }
}
