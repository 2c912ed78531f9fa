package dev.stretto.compiler.ptx;

import static java.util.Map.entry;

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
      Map.ofEntries(
          entry("st.async.", "8.1"),
          entry("red.async.", "8.1"),
          entry("e4m3x2", "8.1"), // on 8.9; on 9.0 already before
          entry("e5m2x2", "8.1"),
          entry("mma.sync.aligned.m16n8k32.row.col.f32.e4m3", "8.4"),
          entry("mma.sync.aligned.m16n8k32.row.col.f32.e5m2", "8.4"),
          entry("mbarrier.arrive.relaxed.", "8.6"),
          entry("mbarrier.arrive.expect_tx.relaxed.", "8.6"),
          entry("mbarrier.arrive_drop.relaxed.", "8.6"),
          entry("mbarrier.test_wait.relaxed.", "8.6"),
          entry("mbarrier.test_wait.parity.relaxed.", "8.6"),
          entry("mbarrier.try_wait.relaxed.", "8.6"),
          entry("mbarrier.try_wait.parity.relaxed.", "8.6"));

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
