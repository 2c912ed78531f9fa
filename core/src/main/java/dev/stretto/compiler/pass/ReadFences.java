package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Makes threads complete their reads of shared memory before they signal others that it may be
 * refilled, in kernels with bulk copies to shared memory.
 *
 * <p>Neither an arrival nor a barrier waits for loads in flight: stores of other threads are
 * ordered after them anyway, but stores of a bulk copy are not. On an H200, one block in a thousand
 * read data of the next copy. {@code fence.proxy.async} waits; this pass puts it before the first
 * arrival, barrier or copy after such reads.
 */
final class ReadFences implements Pass {
  private static final String ROOM = "dev/stretto/kernel/";
  private static final Asm FENCE =
      new Asm(
          ROOM + "PtxBulkCopies.fenceProxyAsyncShared",
          List.of(new Asm.Text("fence.proxy.async.shared::cta;")),
          List.of(),
          false,
          false,
          90,
          "");

  @Override
  public String name() {
    return "read-fences";
  }

  @Override
  public boolean run(Function function) {
    List<Block> blocks = function.blocks();
    if (blocks.stream().flatMap(block -> block.ops().stream()).noneMatch(ReadFences::isBulkLoad)) {
      return false;
    }
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Set<Block> reading = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : blocks) {
        if (readsAtEnd(block, readsBefore(block, predecessors, reading))) {
          changed |= reading.add(block);
        }
      }
    }
    boolean fenced = false;
    for (Block block : blocks) {
      fenced |= fence(block, readsBefore(block, predecessors, reading));
    }
    return fenced;
  }

  /** Whether a thread that reaches a block may have reads that are not complete. */
  private static boolean readsBefore(
      Block block, Table<Block, List<Edge>> predecessors, Set<Block> reading) {
    return predecessors.get(block).stream().anyMatch(edge -> reading.contains(edge.from()));
  }

  private static boolean readsAtEnd(Block block, boolean before) {
    boolean reads = before;
    for (Op op : block.ops()) {
      reads = isRead(op) || (reads && !tells(op) && !isFence(op));
    }
    return reads;
  }

  private static boolean fence(Block block, boolean before) {
    boolean reads = before;
    boolean fenced = false;
    for (int i = 0; i < block.ops().size(); i++) {
      Op op = block.ops().get(i);
      if (reads && tells(op)) {
        block.ops().add(i, new Op(OpCode.ASM, Type.VOID, List.of(), FENCE, op.line()));
        fenced = true;
        reads = false;
      } else {
        reads = isRead(op) || (reads && !isFence(op));
      }
    }
    return fenced;
  }

  private static String method(Op op) {
    String name = op.code() == OpCode.ASM ? op.attribute(Asm.class).name() : "";
    return name.startsWith(ROOM) ? name.substring(ROOM.length()) : "";
  }

  private static boolean isBulkLoad(Op op) {
    String method = method(op);
    return method.startsWith("PtxBulkCopies.cpAsyncBulkToShared")
        || method.startsWith("PtxClusters.cpAsyncBulkToBlock")
        || method.startsWith("PtxClusterReductions.cpReduce")
        || method.startsWith("PtxTensorCopies.cpAsyncBulkTensorToShared")
        || method.startsWith("PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared");
  }

  private static boolean isFence(Op op) {
    return method(op).startsWith("PtxBulkCopies.fenceProxyAsync");
  }

  /** Whether a thread reads or writes shared memory itself. */
  private static boolean isRead(Op op) {
    return switch (op.code()) {
      case LOAD, LOAD_VECTOR, STORE, STORE_VECTOR -> op.operand(0).type() == Type.SHARED;
      case ASM ->
          !isOfCopies(method(op))
              && op.operands().stream().anyMatch(operand -> operand.type() == Type.SHARED);
      default -> false;
    };
  }

  private static boolean isOfCopies(String method) {
    return method.startsWith("PtxBarriers.")
        || method.startsWith("TimedBarrierWaits.")
        || method.startsWith("PtxBulkCopies.")
        || method.startsWith("PtxClusters.")
        || method.startsWith("PtxClusterBarriers.")
        || method.startsWith("PtxClusterReductions.")
        || method.startsWith("PtxCopies.")
        || method.startsWith("PtxTensorCopies.")
        || method.startsWith("PtxIm2colCopies.")
        || method.startsWith("PtxWarpGroups.")
        || method.startsWith("StoreGroups.");
  }

  /**
   * Whether the operation can show other threads that this thread has read, or begins a copy of its
   * own.
   */
  private static boolean tells(Op op) {
    String method = method(op);
    return isBulkLoad(op)
        || method.startsWith("PtxBarriers.mbarrierArrive")
        || method.startsWith("PtxBarriers.cpAsyncMbarrierArrive")
        || method.startsWith("PtxBarriers.mbarrierCompleteTx")
        || method.startsWith("Atomics.storeRelease")
        || method.startsWith("Atomics.fence")
        || method.startsWith("Ptx.fence")
        || method.startsWith("PtxClusters.mbarrierArrive")
        || method.startsWith("PtxClusterBarriers.mbarrierArrive")
        || method.startsWith("PtxClusterBarriers.mbarrierCompleteTx")
        || method.startsWith("PtxClusters.barrierClusterArrive")
        || method.startsWith("ThreadBlock.sync")
        || method.startsWith("Warp.sync")
        || method.equals("Warp.meet")
        || method.startsWith("Ptx.bar");
  }
}
