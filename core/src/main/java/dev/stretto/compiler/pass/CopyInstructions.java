package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Copies for which a kernel itself calls the instruction. */
final class CopyInstructions {
  static final String BULK = "cp.async.bulk";

  private static final String REDUCTION = "cp.reduce.async.bulk";

  private static final String ROOMS = "dev/stretto/kernel/Ptx";
  static final String TO_SHARED = "global-to-shared";
  private static final String TO_BLOCK = "shared-to-shared";
  private static final String TO_GLOBAL = "shared-to-global";
  private static final String BY_BARRIER =
      "the barrier counts the bytes; a thread that waits for its phase sees them";
  private static final String BY_GROUP = "the thread that began it commits and waits for its group";
  private static final String ASKED = "the kernel asks for this instruction";
  private static final int BULK_ALIGNMENT = 16;
  private static final int TENSOR_ALIGNMENT = 128;

  private CopyInstructions() {}

  static Optional<LoweredCopy> of(Op op) {
    String name = Asm.withoutCacheHint(op.attribute(Asm.class).name());
    if (!name.startsWith(ROOMS)) {
      return Optional.empty();
    }
    return switch (name.substring(ROOMS.length())) {
      case "BulkCopies.cpAsyncBulkToShared" -> toShared(op, BULK, bytes(op, 2));
      // The mask of the blocks comes first in the text.
      case "BulkCopies.cpAsyncBulkToSharedMulticast" -> toShared(op, BULK, bytes(op, 3));
      case "BulkCopies.cpAsyncBulkToGlobal" -> toGlobal(op, BULK, bytes(op, 2), BULK_ALIGNMENT);
      case "TensorCopies.cpAsyncBulkTensorToShared",
          "TensorCopies.cpAsyncBulkTensorToSharedMulticast",
          "Im2colCopies.cpAsyncBulkTensorIm2colToShared",
          "Im2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast" ->
          toShared(op, "cp.async.bulk.tensor", OptionalInt.empty());
      case "TensorCopies.cpAsyncBulkTensorToGlobal",
          "Im2colCopies.cpAsyncBulkTensorIm2colToGlobal" ->
          toGlobal(op, "cp.async.bulk.tensor", OptionalInt.empty(), TENSOR_ALIGNMENT);
      case "TensorCopies.cpReduceAsyncBulkTensor", "Im2colCopies.cpReduceAsyncBulkTensorIm2col" ->
          toGlobal(op, "cp.reduce.async.bulk.tensor", OptionalInt.empty(), TENSOR_ALIGNMENT);
      case "Clusters.cpAsyncBulkToBlock" -> toBlock(op, BULK);
      default -> {
        if (name.startsWith(ROOMS + "ClusterReductions.cpReduce")) {
          yield toBlock(op, REDUCTION);
        }
        yield name.startsWith(ROOMS + "BulkReductions.")
            ? toGlobal(op, REDUCTION, bytes(op, 2), BULK_ALIGNMENT)
            : chunk(op, name.substring(ROOMS.length()));
      }
    };
  }

  private static OptionalInt bytes(Op op, int operand) {
    return op.operand(operand) instanceof Constant known && known.type() == Type.INT
        ? OptionalInt.of(known.asInt())
        : OptionalInt.empty();
  }

  private static Optional<LoweredCopy> toShared(Op op, String mechanism, OptionalInt bytes) {
    int alignment = mechanism.endsWith("tensor") ? TENSOR_ALIGNMENT : BULK_ALIGNMENT;
    return Optional.of(
        new LoweredCopy(
            op.line(), TO_SHARED, mechanism, BY_BARRIER, ASKED, bytes, alignment, "", bytes));
  }

  private static Optional<LoweredCopy> toBlock(Op op, String mechanism) {
    OptionalInt bytes = bytes(op, 4); // after the destination, its block, its barrier, the source
    return Optional.of(
        new LoweredCopy(
            op.line(), TO_BLOCK, mechanism, BY_BARRIER, ASKED, bytes, BULK_ALIGNMENT, "", bytes));
  }

  private static Optional<LoweredCopy> toGlobal(
      Op op, String mechanism, OptionalInt bytes, int alignment) {
    return Optional.of(
        new LoweredCopy(
            op.line(),
            TO_GLOBAL,
            mechanism,
            BY_GROUP,
            ASKED,
            bytes,
            alignment,
            "",
            OptionalInt.empty()));
  }

  /** {@code cp.async}, whose methods end with the cache and the number of bytes. */
  private static Optional<LoweredCopy> chunk(Op op, String name) {
    String rest =
        name.startsWith("Copies.cpAsync") ? name.substring("Copies.cpAsync".length()) : "";
    if (!rest.startsWith("Ca") && !rest.startsWith("Cg")) {
      return Optional.empty();
    }
    // First the number of bytes, then the cache hint.
    int size = rest.startsWith("16", 2) ? 16 : rest.charAt(2) - '0';
    return Optional.of(
        new LoweredCopy(
            op.line(),
            TO_SHARED,
            "cp.async." + rest.substring(0, 2).toLowerCase(Locale.ROOT) + "." + size,
            "each thread waits for its own, and a barrier follows: cpAsyncWaitGroup",
            ASKED,
            OptionalInt.of(size),
            size,
            "",
            OptionalInt.empty()));
  }
}
