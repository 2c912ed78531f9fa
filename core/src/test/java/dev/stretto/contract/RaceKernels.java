package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
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

  @Kernel
  static void filled(ThreadBlock block, GlobalInts out, int value) {
    out.set(block.globalIndexX(), value);
  }

  @Kernel
  static void filledByNeighbours(ThreadBlock block, GlobalInts out, int value) {
    SharedInts tile = block.sharedInts(32);
    tile.set(block.threadIndexX(), value);
    block.sync();
    out.set(block.globalIndexX(), tile.get(31 - block.threadIndexX()));
  }
}
