package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes each thread of a kernel wait itself for the kernels before it on its stream, by {@code
 * griddepcontrol.wait}. Such a kernel may be launched while the one before it ends: what a thread
 * does before its wait, such as to find its place or to initialize barriers, then takes no time of
 * its own, and neither does the launch.
 *
 * <p>Every thread waits, before it accesses global memory and before it returns: kernels after this
 * one wait for this one alone, and rely on it to have waited for all others. It waits before it
 * reads a clock, too, so that the time of a kernel does not begin while another one ends. It waits
 * once, behind everything that all threads do before. What a check reports that fails needs no
 * order.
 *
 * <p>CUDA Programming Guide, "Programmatic Dependent Launch and Synchronization"; PTX ISA,
 * "griddepcontrol".
 */
final class AwaitedGrids implements Pass {
  /** The lowest target that has the instruction. */
  static final int SM = 90;

  private static final String ROOM = "dev/stretto/kernel/";
  private static final Asm WAIT =
      new Asm(
          ROOM + "PtxGrid.awaitGridsBefore",
          List.of(new Asm.Text(Asm.AWAIT_GRIDS)),
          List.of(),
          false,
          false,
          SM,
          "");

  @Override
  public String name() {
    return "awaited-grids";
  }

  @Override
  public boolean run(Function function) {
    Block block = last(function);
    List<Op> ops = block.ops();
    int at = 0;
    while (!ops.get(at).isEnd() && !accesses(ops.get(at))) {
      at++;
    }
    ops.add(at, new Op(OpCode.ASM, Type.VOID, List.of(), WAIT, ops.get(at).line()));
    return true;
  }

  /** {@return the last block that all threads pass once before they access memory or return} */
  private static Block last(Function function) {
    Dominators dominators = new Dominators(function);
    Block last = null;
    for (Block block : dominators.order()) {
      if (block.end().code() == OpCode.RETURN
          || block.ops().stream().anyMatch(it -> accesses(it))) {
        last = last == null ? block : dominators.common(last, block);
      }
    }
    if (last == null || Loop.isIrreducible(function)) {
      return function.entry();
    }
    Loop outermost = outermost(function, last);
    while (outermost != null && outermost.header() != function.entry()) {
      last = dominators.immediate(outermost.header());
      outermost = outermost(function, last);
    }
    return last;
  }

  private static @Nullable Loop outermost(Function function, Block block) {
    return Loop.of(function).reversed().stream()
        .filter(loop -> loop.contains(block))
        .findFirst()
        .orElse(null);
  }

  /** Whether the operation may read or write what another kernel may, too, or reads a clock. */
  private static boolean accesses(Op op) {
    return switch (op.code()) {
      case PRINT -> true;
      case LOAD, LOAD_VECTOR, STORE, STORE_VECTOR -> op.operand(0).type() == Type.GLOBAL;
      case ASM -> accesses(op, op.attribute(Asm.class).name());
      default -> false;
    };
  }

  private static boolean accesses(Op op, String name) {
    if (name.equals(ROOM + "PtxTensorCopies.prefetchTensormap")) {
      return false; // the map is a parameter of the kernel
    }
    return name.startsWith(ROOM + "PtxGrid.")
        || name.equals(ROOM + "ThreadBlock.clock")
        || name.equals(ROOM + "ThreadBlock.globalTimer")
        || op.operands().stream().anyMatch(operand -> operand.type() == Type.GLOBAL);
  }
}
