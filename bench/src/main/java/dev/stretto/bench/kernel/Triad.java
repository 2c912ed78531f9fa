package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;

/** {@code a = b + s c}; four elements per thread, moved at once. */
final class Triad {
  static final int THREADS = 256;

  private Triad() {}

  @Kernel(maxThreads = THREADS)
  static void triad(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, float s, int n) {
    int i = (block.blockIndexX() * THREADS + block.threadIndexX()) * 4;
    if (i < n) {
      Float4 x = b.get4(i);
      Float4 y = c.get4(i);
      a.set4(
          i,
          new Float4(
              Math.fma(s, y.x(), x.x()),
              Math.fma(s, y.y(), x.y()),
              Math.fma(s, y.z(), x.z()),
              Math.fma(s, y.w(), x.w())));
    }
  }
}
