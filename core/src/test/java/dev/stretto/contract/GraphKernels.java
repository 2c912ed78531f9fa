package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels whose results say what a graph does next. */
final class GraphKernels {
  private GraphKernels() {}

  /** Adds to one int. */
  @Kernel
  static void add(ThreadBlock block, GlobalInts cell, int value) {
    if (block.globalIndexX() == 0) {
      cell.set(0, cell.get(0) + value);
    }
  }

  /** Adds to one int, and says whether it is still less than something. */
  @Kernel
  static void addBelow(
      ThreadBlock block, GlobalInts cell, int value, int limit, GlobalInts isBelow) {
    if (block.globalIndexX() == 0) {
      int sum = cell.get(0) + value;
      cell.set(0, sum);
      isBelow.set(0, sum < limit ? 1 : 0);
    }
  }

  /** Halves every number that is more than 1, and says whether there are such left. */
  @Kernel
  static void halve(ThreadBlock block, GlobalInts numbers, GlobalInts left) {
    long i = block.globalIndexX();
    if (i < numbers.length()) {
      int half = Math.max(1, numbers.get(i) / 2);
      numbers.set(i, half);
      if (half > 1) {
        Atomics.max(left, 0, 1);
      }
    }
  }
}
