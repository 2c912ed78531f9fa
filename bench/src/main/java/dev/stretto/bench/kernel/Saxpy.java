package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** {@code y = a x + y}, one element per thread. */
final class Saxpy {
  static final int THREADS = 256;

  private Saxpy() {}

  @Kernel(maxThreads = THREADS)
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    int i = block.blockIndexX() * THREADS + block.threadIndexX();
    if (i < n) {
      y.set(i, Math.fma(a, x.get(i), y.get(i)));
    }
  }
}
