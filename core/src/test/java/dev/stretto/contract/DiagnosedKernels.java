package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** A kernel that nothing else loads. */
final class DiagnosedKernels {
  private DiagnosedKernels() {}

  @Kernel
  static void addOne(ThreadBlock block, GlobalInts array) {
    int i = block.threadIndexX();
    array.set(i, array.get(i) + 1);
  }
}
