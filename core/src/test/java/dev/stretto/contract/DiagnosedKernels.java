package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** A kernel that nothing else loads: another one for each number. */
final class DiagnosedKernels {
  private DiagnosedKernels() {}

  @Kernel
  static void add(ThreadBlock block, @Const int number, GlobalInts array) {
    int i = block.threadIndexX();
    array.set(i, array.get(i) + number);
  }
}
