package dev.stretto.bench.beside;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** Kernels that take a known time, or move a known number of bytes. */
final class BesideKernels {
  private BesideKernels() {}

  @Kernel
  static void spin(ThreadBlock block, long nanos) {
    long start = block.globalTimer();
    while (block.globalTimer() - start < nanos) {}
  }

  @Kernel
  static void nothing(ThreadBlock block) {}

  @Kernel
  static void twice(ThreadBlock block, GlobalFloats x, GlobalFloats y) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      y.set(i, 2 * x.get(i));
    }
  }
}
