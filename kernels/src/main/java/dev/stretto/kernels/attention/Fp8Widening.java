package dev.stretto.kernels.attention;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;

/** Makes bfloat16 numbers of E4M3 numbers and their factors, for kernels that take no others. */
final class Fp8Widening {
  private static final int THREADS = 256;
  private static final int BLOCKS = 4;

  private Fp8Widening() {}

  @Kernel(maxThreads = THREADS)
  static void widen(
      ThreadBlock block,
      GlobalBytes from,
      GlobalFloats scales,
      GlobalBfloats to,
      int headDim,
      int tokens,
      int heads,
      @Const boolean tokensFirst) {
    long all = (long) block.gridSizeX() * THREADS;
    for (long i = (long) block.blockIndexX() * THREADS + block.threadRank();
        i < from.length();
        i += all) {
      long row = i / headDim;
      long token = tokensFirst ? row / heads % tokens : row % tokens;
      long head = tokensFirst ? row / heads / tokens * heads + row % heads : row / tokens;
      float scale = scales.get(head * Scales.blocks(tokens) + token / Scales.ROWS);
      to.set(i, Fp8.toFloatE4m3(from.get(i)) * scale);
    }
  }

  static void enqueue(
      Stream stream,
      Problem problem,
      int tokens,
      int heads,
      GlobalBytes from,
      GlobalFloats scales,
      GlobalBfloats to) {
    long blocks = Math.ceilDiv(from.length(), (long) THREADS);
    int most = BLOCKS * stream.device().properties().multiprocessors();
    stream.launch(
        Grid.of((int) Math.min(blocks, most), THREADS),
        Fp8Widening::widen,
        from,
        scales,
        to,
        problem.shape().headDim(),
        tokens,
        heads,
        problem.order() == TokenOrder.TOKENS_FIRST);
  }
}
