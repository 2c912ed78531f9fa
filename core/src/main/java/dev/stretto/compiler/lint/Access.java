package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an operation takes part in asynchronous copies.
 *
 * @param kind what it does
 * @param places the memory that it names, in the order of the instruction's operands
 * @param addresses the same memory, as computed addresses
 * @param number its constant operand: the number of groups that a wait leaves pending, or a number
 *     of bytes; -1 if it is not known
 */
record Access(Kind kind, List<Place> places, List<Value> addresses, long number) {
  /** What an operation does. */
  enum Kind {
    /** A plain load. */
    LOAD,
    /** A plain store. */
    STORE,
    /** {@code cp.async}. */
    COPY,
    COMMIT,
    WAIT,
    WAIT_ALL,
    /** {@code cp.async.mbarrier.arrive}. */
    COPY_ARRIVE,
    BULK_LOAD,
    /** A copy to shared memory of several blocks. */
    BULK_LOAD_ALL,
    BULK_STORE,
    BULK_COMMIT,
    BULK_WAIT,
    BULK_WAIT_READ,
    BARRIER_INIT,
    /** The same, at a place that a kernel may reach again. */
    BARRIER_MAKE,
    BARRIER_INVAL,
    BARRIER_EXPECT,
    BARRIER_ARRIVE_EXPECT,
    BARRIER_ARRIVE,
    BARRIER_WAIT,
    /** A test of whether a phase has ended; it may not have. */
    BARRIER_TEST,
    /** A thread reports to the barrier that bytes have arrived. */
    BARRIER_COMPLETE,
    /** A phase of some block's barrier expects bytes, or is brought some by another block. */
    BARRIER_EXPECT_AT,
    /** A barrier of all threads of a block or warp. */
    SYNC,
    PROXY_FENCE,
    /** Threads may signal each other through it. */
    HANDSHAKE,
    /** Any other operation that takes an address. */
    TOUCH,
    NOTHING
  }

  /**
   * Memory.
   *
   * @param base the shared array's number, or the base of the address
   * @param offset in bytes from the base, or null if it is not known
   * @param index the value that the address also depends on
   */
  record Place(Object base, @Nullable Long offset, @Nullable Value index) {
    /** Whether it is the same memory as another one. */
    boolean is(Place other) {
      return base.equals(other.base)
          && index == other.index
          && offset != null
          && Objects.equals(offset, other.offset);
    }
  }

  private static final Access NOTHING = new Access(Kind.NOTHING, List.of(), List.of(), -1);

  static Access of(Op op) {
    return switch (op.code()) {
      case LOAD, LOAD_VECTOR -> at(Kind.LOAD, op.operand(0));
      case STORE, STORE_VECTOR -> at(Kind.STORE, op.operand(0));
      case ASM -> of(op, op.attribute(Asm.class));
      default -> NOTHING;
    };
  }

  private static Access at(Kind kind, Value address) {
    return new Access(kind, List.of(place(address)), List.of(address), -1);
  }

  private static Access of(Op op, Asm asm) {
    String name = asm.name().substring(asm.name().lastIndexOf('/') + 1);
    Kind kind = kind(name);
    if (kind == Kind.NOTHING
        && asm.pieces().stream().noneMatch(piece -> piece instanceof Asm.Address)) {
      return NOTHING;
    }
    List<Value> addresses = new ArrayList<>();
    long number = -1;
    for (Asm.Piece piece : asm.pieces()) {
      switch (piece) {
        case Asm.Address address -> addresses.add(op.operand(address.index()));
        case Asm.Literal literal -> number = number(op.operand(literal.index()), number);
        case Asm.Operand operand -> number = number(op.operand(operand.index()), number);
        default -> {}
      }
    }
    if (kind == Kind.BARRIER_EXPECT_AT) {
      addresses.addFirst(op.operand(bringsBytes(name) ? 2 : 0)); // in a register, for mapa
    }
    // The coordinates of a tensor's box are not operands.
    boolean counts =
        !name.startsWith("PtxTensorCopies")
            && !name.startsWith("PtxIm2colCopies")
            && kind != Kind.BULK_LOAD_ALL;
    return new Access(
        kind == Kind.NOTHING ? Kind.TOUCH : kind,
        addresses.stream().map(Access::place).toList(),
        addresses,
        counts ? number : -1);
  }

  /** Whether a barrier of another block counts bytes that an instruction brings there. */
  private static boolean bringsBytes(String name) {
    return name.equals("PtxClusters.cpAsyncBulkToBlock")
        || name.startsWith("PtxClusters.stAsync")
        || name.startsWith("PtxClusterReductions.");
  }

  private static long number(Value value, long otherwise) {
    return value instanceof Constant constant
            && (constant.type() == Type.INT || constant.type() == Type.LONG)
        ? constant.asLong()
        : otherwise;
  }

  private static Kind kind(String name) {
    String method = Asm.withoutCacheHint(name.substring(name.indexOf('.') + 1));
    return switch (name.substring(0, name.indexOf('.'))) {
      case "PtxCopies" ->
          switch (method) {
            case "cpAsyncCommitGroup" -> Kind.COMMIT;
            case "cpAsyncWaitGroup" -> Kind.WAIT;
            case "cpAsyncWaitAll" -> Kind.WAIT_ALL;
            default -> method.startsWith("cpAsync") ? Kind.COPY : Kind.NOTHING;
          };
      case "PtxBulkCopies" ->
          switch (method) {
            case "cpAsyncBulkToShared" -> Kind.BULK_LOAD;
            case "cpAsyncBulkToSharedMulticast" -> Kind.BULK_LOAD_ALL;
            case "cpAsyncBulkToGlobal" -> Kind.BULK_STORE;
            case "cpAsyncBulkCommitGroup" -> Kind.BULK_COMMIT;
            case "cpAsyncBulkWaitGroup" -> Kind.BULK_WAIT;
            case "cpAsyncBulkWaitGroupRead" -> Kind.BULK_WAIT_READ;
            case "fenceProxyAsync", "fenceProxyAsyncShared" -> Kind.PROXY_FENCE;
            default -> Kind.NOTHING;
          };
      case "PtxBulkReductions" -> Kind.BULK_STORE;
      case "StoreGroups" ->
          switch (method) {
            case "store" -> Kind.BULK_STORE;
            case "commitStores" -> Kind.BULK_COMMIT;
            case "awaitStores" -> Kind.BULK_WAIT;
            case "commitLoads" -> Kind.COMMIT;
            default -> Kind.NOTHING;
          };
      case "PtxTensorCopies" ->
          switch (method) {
            case "cpAsyncBulkTensorToShared" -> Kind.BULK_LOAD;
            case "cpAsyncBulkTensorToSharedMulticast" -> Kind.BULK_LOAD_ALL;
            case "cpAsyncBulkTensorToGlobal", "cpReduceAsyncBulkTensor" -> Kind.BULK_STORE;
            default -> Kind.NOTHING;
          };
      case "PtxIm2colCopies" ->
          switch (method) {
            case "cpAsyncBulkTensorIm2colToShared" -> Kind.BULK_LOAD;
            case "cpAsyncBulkTensorIm2colToSharedMulticast" -> Kind.BULK_LOAD_ALL;
            case "cpAsyncBulkTensorIm2colToGlobal", "cpReduceAsyncBulkTensorIm2col" ->
                Kind.BULK_STORE;
            default -> Kind.NOTHING;
          };
      case "PtxClusters" ->
          switch (method) {
            case "barrierClusterWait" -> Kind.SYNC;
            case "mbarrierArriveExpectTxAt", "mbarrierExpectTxAt" -> Kind.BARRIER_EXPECT_AT;
            case "mbarrierTryWaitParityAcquireCluster", "mbarrierTryWaitAcquireCluster" ->
                Kind.BARRIER_WAIT;
            case "mbarrierTestWaitAcquireCluster" -> Kind.BARRIER_TEST;
            default -> bringsBytes("PtxClusters." + method) ? Kind.BARRIER_EXPECT_AT : Kind.NOTHING;
          };
      case "PtxClusterReductions" -> Kind.BARRIER_EXPECT_AT;
      case "PtxClusterBarriers" ->
          switch (method) {
            case "mbarrierArriveRelaxedCluster" -> Kind.BARRIER_ARRIVE;
            case "mbarrierArriveExpectTxRelaxedAt", "mbarrierCompleteTxAt" ->
                Kind.BARRIER_EXPECT_AT;
            default ->
                method.startsWith("mbarrierTestWait")
                    ? Kind.BARRIER_TEST
                    : method.contains("Wait") ? Kind.BARRIER_WAIT : Kind.NOTHING;
          };
      case "TimedBarrierWaits" -> Kind.BARRIER_TEST;
      case "PtxBarriers" -> barrier(method);
      case "ThreadBlock" -> method.startsWith("sync") ? Kind.SYNC : Kind.NOTHING;
      case "Warp" -> method.equals("sync") || method.equals("meet") ? Kind.SYNC : Kind.NOTHING;
      case "Ptx" -> method.startsWith("bar") ? Kind.SYNC : Kind.NOTHING;
      // Flags in memory are built from these.
      case "Atomics" -> Kind.HANDSHAKE;
      default -> Kind.NOTHING;
    };
  }

  private static Kind barrier(String method) {
    return switch (method) {
      case "mbarrierInit" -> Kind.BARRIER_INIT;
      case "mbarrierMake" -> Kind.BARRIER_MAKE;
      case "mbarrierInval" -> Kind.BARRIER_INVAL;
      case "mbarrierExpectTx" -> Kind.BARRIER_EXPECT;
      case "mbarrierArriveExpectTx", "mbarrierArriveExpectTxRelaxed" -> Kind.BARRIER_ARRIVE_EXPECT;
      case "mbarrierCompleteTx" -> Kind.BARRIER_COMPLETE;
      case "mbarrierPendingCount" -> Kind.NOTHING;
      case "cpAsyncMbarrierArrive", "cpAsyncMbarrierArriveNoinc" -> Kind.COPY_ARRIVE;
      default ->
          method.startsWith("mbarrierTestWait")
              ? Kind.BARRIER_TEST
              : method.contains("Wait") ? Kind.BARRIER_WAIT : Kind.BARRIER_ARRIVE;
    };
  }

  /** An address as a base and what is added to it. */
  static Place place(Value address) {
    Long offset = 0L;
    Value index = null;
    Value at = address;
    while (at instanceof Op op && (op.code() == OpCode.ELEMENT || op.code() == OpCode.OFFSET)) {
      long width = op.code() == OpCode.ELEMENT ? op.count() : 1;
      if (op.operand(1) instanceof Constant constant) {
        offset = offset == null ? null : offset + constant.asLong() * width;
      } else {
        offset = null;
        index = op.operand(1);
      }
      at = op.operand(0);
    }
    Object base =
        at instanceof Op op && op.code() == OpCode.SHARED_BASE
            ? op.attribute(SharedVariable.class)
            : at instanceof Op op && op.code() == OpCode.DYNAMIC_BASE ? OpCode.DYNAMIC_BASE : at;
    return new Place(base, offset, index);
  }

  boolean is(Kind... kinds) {
    for (Kind one : kinds) {
      if (kind == one) {
        return true;
      }
    }
    return false;
  }

  Place first() {
    return places.getFirst();
  }

  boolean touches(Object base) {
    return places.stream().anyMatch(place -> place.base().equals(base));
  }
}
