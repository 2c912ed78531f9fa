package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Optional;
import java.util.OptionalInt;

/** Copies for which a kernel calls the instruction itself. */
final class CopyInstructions {
  private static final String COPIES = "dev/stretto/kernel/PtxCopies.cpAsync";
  private static final String BULK = "dev/stretto/kernel/PtxBulkCopies.cpAsyncBulkTo";
  private static final String ASKED = "the kernel asks for this instruction";

  private CopyInstructions() {}

  static Optional<LoweredCopy> of(Op op) {
    String name = op.attribute(Asm.class).name();
    if (name.startsWith(BULK)) {
      boolean shared = name.equals(BULK + "Shared");
      Value bytes = op.operand(2);
      return Optional.of(
          new LoweredCopy(
              op.line(),
              shared ? "global-to-shared" : "shared-to-global",
              "cp.async.bulk",
              shared
                  ? "the barrier counts the bytes; whoever waits for its phase has them"
                  : "the thread that began it commits and waits for its group",
              ASKED,
              bytes instanceof Constant known && known.type() == Type.INT
                  ? OptionalInt.of(known.asInt())
                  : OptionalInt.empty(),
              16));
    }
    String rest = name.startsWith(COPIES) ? name.substring(COPIES.length()) : "";
    if (rest.startsWith("Ca") || rest.startsWith("Cg")) {
      String size = rest.substring(2);
      return Optional.of(
          new LoweredCopy(
              op.line(),
              "global-to-shared",
              "cp.async." + rest.substring(0, 2).toLowerCase(java.util.Locale.ROOT) + "." + size,
              "each thread waits for its own, and a barrier follows: cpAsyncWaitGroup",
              ASKED,
              OptionalInt.of(Integer.parseInt(size)),
              Integer.parseInt(size)));
    }
    return Optional.empty();
  }
}
