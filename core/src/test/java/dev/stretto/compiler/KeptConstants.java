package dev.stretto.compiler;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** A kernel with an array whose content is another in each program. */
final class KeptConstants {
  private KeptConstants() {}

  @Const static final int[] NUMBERS = {1, Integer.getInteger("dev.stretto.test.number", 2), 3};

  @Kernel
  static void reads(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, NUMBERS[1] + NUMBERS[n & 1]);
  }
}
