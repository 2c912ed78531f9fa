package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Right kernels for programs with wrong waits. */
final class RaceKernels {
  private RaceKernels() {}

  @Kernel
  static void doubled(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = block.threadIndexX();
    out.set(i, 2 * in.get(i));
  }
}
