package dev.stretto.twin;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The kernels of the twins. */
final class TwinKernels {
  private TwinKernels() {}

  /** Adds to one int. */
  @Kernel
  static void add(ThreadBlock block, GlobalInts cell, int value) {
    if (block.globalIndexX() == 0) {
      cell.set(0, cell.get(0) + value);
    }
  }

  /** Adds to each of some ints, by the threads of the first row. */
  @Kernel
  static void addAll(ThreadBlock block, GlobalInts cells, int value) {
    long i = block.globalIndexX();
    boolean isFirst = block.globalIndexY() == 0 && block.globalIndexZ() == 0;
    if (isFirst && i < cells.length()) {
      cells.set(i, cells.get(i) + value);
    }
  }

  /** Stores one int to another. */
  @Kernel
  static void take(ThreadBlock block, GlobalInts to, GlobalInts from) {
    if (block.globalIndexX() == 0) {
      to.set(0, from.get(0));
    }
  }

  /** Takes 1 from one int and adds it to another. */
  @Kernel
  static void countDown(ThreadBlock block, GlobalInts left, GlobalInts passes) {
    if (block.globalIndexX() == 0) {
      left.set(0, left.get(0) - 1);
      passes.set(0, passes.get(0) + 1);
    }
  }

  record Inner(byte small, double wide) {}

  record Outer(short first, Inner inner, boolean flag, float last) {}

  @Const static final int[] SQUARES = {0, 1, 4, 9, 16};

  /** Stores what a record holds, and an element of constant memory. */
  @Kernel
  static void struct(ThreadBlock block, Outer it, short behind, GlobalInts cell, int index) {
    cell.set(
        0,
        it.first()
            + 10 * it.inner().small()
            + (int) (100 * it.inner().wide())
            + (it.flag() ? 10000 : 0)
            + (int) (1000 * it.last())
            + 100000 * behind
            + 1000000 * SQUARES[index]);
  }

  /** Stores where nothing is. */
  @Kernel
  static void fault(ThreadBlock block, GlobalInts cell) {
    cell.set(1L << 44, 1);
  }
}
