package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
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
import java.util.function.Predicate;

/**
 * Removes the groups of {@code memcpyAsync} that a kernel does not need: those of bulk stores from
 * a kernel that has none, and those of {@code cp.async} from one that copies otherwise. Where a
 * kernel ends without a wait for its bulk stores, makes it wait until they have read their shared
 * memory, which another block may get then.
 */
final class UnusedGroups implements Pass {
  private static final String ROOM = "dev/stretto/kernel/";
  private static final String COPIES = ROOM + "PtxCopies.cpAsyncC";
  private static final Set<String> OF_STORES =
      Set.of(ROOM + "StoreGroups.commitStores", ROOM + "StoreGroups.awaitStores");
  private static final Asm LAST_WAIT =
      new Asm(
          ROOM + "PtxBulkCopies.cpAsyncBulkWaitGroupRead",
          List.of(new Asm.Text("cp.async.bulk.wait_group.read 0;")),
          List.of(),
          false,
          false,
          90,
          "");

  @Override
  public String name() {
    return "unused-groups";
  }

  @Override
  public boolean run(Function function) {
    boolean stores = anyMatch(function, UnusedGroups::isStore);
    boolean changed = !stores && remove(function, op -> OF_STORES.contains(method(op)));
    if (!anyMatch(function, UnusedGroups::isCopy)) {
      changed |= remove(function, op -> method(op).equals(ROOM + "StoreGroups.commitLoads"));
    }
    return stores ? waitAtEnd(function) || changed : changed;
  }

  private static boolean waitAtEnd(Function function) {
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Set<Block> storing = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : function.blocks()) {
        if (storesAtEnd(block, storesBefore(block, predecessors, storing))) {
          changed |= storing.add(block);
        }
      }
    }
    boolean waits = false;
    for (Block block : function.blocks()) {
      Op last = block.ops().getLast();
      if (last.code() == OpCode.RETURN && storing.contains(block)) {
        block
            .ops()
            .add(
                block.ops().size() - 1,
                new Op(OpCode.ASM, Type.VOID, List.of(), LAST_WAIT, last.line()));
        waits = true;
      }
    }
    return waits;
  }

  private static boolean storesBefore(
      Block block, Table<Block, List<Edge>> predecessors, Set<Block> storing) {
    return predecessors.get(block).stream().anyMatch(edge -> storing.contains(edge.from()));
  }

  private static boolean storesAtEnd(Block block, boolean before) {
    boolean stores = before;
    for (Op op : block.ops()) {
      stores = isStore(op) || (stores && !isWaitForAll(op));
    }
    return stores;
  }

  private static boolean isStore(Op op) {
    return method(op).equals(ROOM + "StoreGroups.store");
  }

  private static boolean isCopy(Op op) {
    return method(op).startsWith(COPIES) && !method(op).endsWith("CommitGroup");
  }

  private static boolean isWaitForAll(Op op) {
    return (method(op).equals(ROOM + "StoreGroups.awaitStores")
            || method(op).startsWith(ROOM + "PtxBulkCopies.cpAsyncBulkWaitGroup"))
        && op.operand(0) instanceof Constant pending
        && pending.asInt() == 0;
  }

  private static String method(Op op) {
    return op.code() == OpCode.ASM ? op.attribute(Asm.class).name() : "";
  }

  private static boolean anyMatch(Function function, Predicate<Op> kind) {
    return function.blocks().stream().flatMap(block -> block.ops().stream()).anyMatch(kind);
  }

  private static boolean remove(Function function, Predicate<Op> kind) {
    boolean removed = false;
    for (Block block : function.blocks()) {
      removed |= block.ops().removeIf(kind);
    }
    return removed;
  }
}
