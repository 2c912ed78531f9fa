package dev.stretto.bench.primitives;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Makes the ints that the bins of a histogram are for. */
final class Inputs {
  static final int THREADS = 256;

  private Inputs() {}

  /** Leaves the lower bits of each int. */
  @Kernel
  static void narrow(ThreadBlock block, GlobalInts x, int mask) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, x.get(i) & mask);
    }
  }
}
