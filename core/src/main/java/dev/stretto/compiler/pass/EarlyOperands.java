package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Puts constants into the accumulators of warp groups' products before the fence that orders
 * registers: after it only products may write them.
 */
final class EarlyOperands implements Pass {
  private static final String FENCE = "dev/stretto/kernel/PtxWarpGroups.wgmmaFence";

  @Override
  public String name() {
    return "early-operands";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    for (Block block : function.blocks()) {
      changed |= run(block);
    }
    return changed;
  }

  private static boolean run(Block block) {
    IdentityHashMap<Op, List<Op>> early = new IdentityHashMap<>();
    Op before = null;
    for (Op op : block.ops()) {
      if (op.code() != OpCode.ASM) {
        continue;
      }
      if (op.attribute(Asm.class).name().equals(FENCE)) {
        before = op;
      } else if (before != null) {
        List<Op> moves = early.computeIfAbsent(before, _ -> new ArrayList<>());
        moves.addAll(moves(op));
      }
    }
    if (early.values().stream().allMatch(List::isEmpty)) {
      return false;
    }
    List<Op> ops = new ArrayList<>();
    for (Op op : block.ops()) {
      ops.addAll(early.getOrDefault(op, List.of()));
      ops.add(op);
    }
    block.ops().clear();
    block.ops().addAll(ops);
    return true;
  }

  private static List<Op> moves(Op op) {
    List<Op> moves = new ArrayList<>();
    for (Asm.InPlace place : op.attribute(Asm.class).inPlace()) {
      if (!place.isFresh(op) && op.operand(place.operand()) instanceof Constant constant) {
        Op move = new Op(OpCode.ASM, constant.type(), List.of(constant), move(constant), op.line());
        op.operand(place.operand(), move);
        moves.add(move);
      }
    }
    return moves;
  }

  private static Asm move(Constant constant) {
    Type type = constant.type();
    return new Asm(
        "constant",
        List.of(
            new Asm.Text(type == Type.FLOAT ? "mov.f32 " : "mov.b32 "),
            new Asm.Result(0),
            new Asm.Text(", "),
            new Asm.Literal(0),
            new Asm.Text(";")),
        List.of(type),
        true,
        false,
        80,
        "");
  }
}
