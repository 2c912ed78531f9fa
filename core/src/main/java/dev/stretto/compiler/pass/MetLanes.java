package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.List;
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

  /**
   * The lanes that have met, at some place of the kernel.
   *
   * @param isKnown false for a place not looked at yet
   * @param members the lanes; null if none have
   */
  private record Met(boolean isKnown, @Nullable Value members) {
    static final Met UNKNOWN = new Met(false, null);
    static final Met NOBODY = new Met(true, null);

    boolean isSame(Met other) {
      return isKnown == other.isKnown
          && (members == null ? other.members == null : isOf(other.members));
    }

    boolean isOf(@Nullable Value lanes) {
      return members != null && lanes != null && Simplify.same(lanes, members);
    }

    /** What is known where two ways come together. */
    Met and(Met other) {
      if (!isKnown) {
        return other;
      }
      return !other.isKnown || isSame(other) ? this : NOBODY;
    }
  }

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
    Table<Block, Met> atEnd = new Table<>();
    function.blocks().forEach(block -> atEnd.put(block, Met.UNKNOWN));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : function.blocks()) {
        Met met = after(block, before(function, block, predecessors, atEnd));
        changed |= !met.isSame(atEnd.get(block));
        atEnd.put(block, met);
      }
    }
    boolean removed = false;
    for (Block block : function.blocks()) {
      removed |= remove(block, before(function, block, predecessors, atEnd));
    }
    return removed;
  }

  private static Met before(
      Function function,
      Block block,
      Table<Block, List<Edge>> predecessors,
      Table<Block, Met> atEnd) {
    List<Edge> edges = predecessors.get(block);
    Met met = block == function.entry() ? Met.NOBODY : Met.UNKNOWN;
    for (Edge edge : edges) {
      met = met.and(atEnd.get(edge.from()));
    }
    return met;
  }

  private static Met after(Block block, Met before) {
    Met met = before;
    for (Op op : block.ops()) {
      met = after(op, met);
    }
    return met;
  }

  private static Met after(Op op, Met met) {
    Value members = members(op);
    if (members != null) {
      return new Met(true, members);
    }
    return touches(op) ? Met.NOBODY : met;
  }

  private static boolean remove(Block block, Met before) {
    Met met = before;
    boolean removed = false;
    for (int i = 0; i < block.ops().size(); i++) {
      Op op = block.ops().get(i);
      if (method(op).equals(MEET) && met.isOf(op.operand(0))) {
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
