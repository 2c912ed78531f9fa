package dev.stretto.bench.processes;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Sums an array onto a number. */
final class SumKernel {
  private SumKernel() {}

  @Kernel
  static void sum(ThreadBlock block, GlobalInts from, GlobalLongs to) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    long sum = 0;
    for (long i = block.globalIndexX(); i < from.length(); i += step) {
      sum += from.get(i);
    }
    long _ = Atomics.add(to, 0, sum);
  }
}
