package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels of random programs. */
final class SoakKernels {
  private SoakKernels() {}

  /** Makes every element another one. */
  @Kernel
  static void mix(ThreadBlock block, GlobalInts array, int factor, int n) {
    int i = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    if (i < n) {
      array.set(i, array.get(i) * factor + i);
    }
  }
}
