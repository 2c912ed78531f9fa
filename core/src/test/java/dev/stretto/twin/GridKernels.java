package dev.stretto.twin;

import dev.stretto.kernel.GridGroup;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/grids.cuh}. */
final class GridKernels {
  private GridKernels() {}

  @Kernel
  static void ring(ThreadBlock block, GlobalInts in, GlobalInts out) {
    GridGroup grid = block.grid();
    int all = (int) grid.size();
    int i = (int) grid.threadRank();
    int next = (i + block.size()) % all;
    out.set(i, in.get(i));
    grid.sync();
    for (int round = 0; round < 3; round++) {
      out.set(2048 + i, 3 * out.get(next) + round);
      grid.sync();
      out.set(i, out.get(2048 + next) + 1);
      grid.sync();
    }
  }

  @Kernel
  static void later(ThreadBlock block, GlobalInts in, GlobalInts out) {
    GridGroup grid = block.grid();
    int all = (int) grid.size();
    int i = (int) grid.threadRank();
    out.set(i, in.get(i));
    int arrival = grid.arrive();
    int own = 5 * in.get(i + 1);
    grid.waitForAll(arrival);
    out.set(2048 + i, own + out.get((i + block.size()) % all));
  }

  @Kernel
  static void ranks(ThreadBlock block, GlobalInts in, GlobalInts out) {
    GridGroup grid = block.grid();
    out.set(grid.threadRank(), 1000 * grid.blockRank() + grid.blocks());
  }
}
