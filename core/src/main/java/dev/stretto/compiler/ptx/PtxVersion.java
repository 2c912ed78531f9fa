package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.OpCode;
import java.util.Map;

/**
 * The version of PTX that a kernel is written in: the oldest that has its instructions, since a
 * driver refuses versions that are newer than itself. PTX ISA, "Release Notes".
 */
final class PtxVersion {
  /** Instructions that the target's ordinary version lacks. */
  private static final Map<String, String> SINCE =
      Map.of(
          "st.async.", "8.1",
          "red.async.", "8.1",
          "mbarrier.arrive.relaxed.", "8.6",
          "mbarrier.arrive.expect_tx.relaxed.", "8.6",
          "mbarrier.arrive_drop.relaxed.", "8.6",
          "mbarrier.test_wait.relaxed.", "8.6",
          "mbarrier.test_wait.parity.relaxed.", "8.6",
          "mbarrier.try_wait.relaxed.", "8.6",
          "mbarrier.try_wait.parity.relaxed.", "8.6");

  /** More bytes of parameters need a later version. */
  private static final long FEW_PARAMETER_BYTES = 4096;

  private static final String WITH_MORE = "8.1";

  private PtxVersion() {}

  static String of(Function function, String oldest, long parameterBytes) {
    String ordinary =
        parameterBytes > FEW_PARAMETER_BYTES && oldest.compareTo(WITH_MORE) < 0
            ? WITH_MORE
            : oldest;
    return function.blocks().stream()
        .flatMap(block -> block.ops().stream())
        .filter(op -> op.code() == OpCode.ASM)
        .flatMap(op -> op.attribute(Asm.class).pieces().stream())
        .map(piece -> piece instanceof Asm.Text text ? since(text.text(), ordinary) : ordinary)
        .reduce(ordinary, (a, b) -> a.compareTo(b) < 0 ? b : a);
  }

  private static String since(String text, String ordinary) {
    return SINCE.entrySet().stream()
        .filter(known -> text.contains(known.getKey()))
        .map(Map.Entry::getValue)
        .reduce(ordinary, (a, b) -> a.compareTo(b) < 0 ? b : a);
  }
}
