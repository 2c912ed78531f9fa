package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels of tasks. */
final class TaskKernels {
  private TaskKernels() {}

  @Kernel
  static void mix(ThreadBlock block, GlobalInts x, GlobalInts y, int count) {
    int i = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    if (i < count) {
      y.set(i, y.get(i) * 31 + x.get(i));
    }
  }

  @Kernel
  static void scale(ThreadBlock block, GlobalInts x, GlobalInts y, int count) {
    int i = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    if (i < count) {
      y.set(i, 3 * x.get(i) + 1);
    }
  }
}
