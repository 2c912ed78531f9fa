package dev.stretto.spark;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** Kernels of the tests, and the stages that launch them. */
final class Numbers {
  private Numbers() {}

  @Kernel
  static void doubles(ThreadBlock block, GlobalFloats in, GlobalFloats out, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      out.set(i, 2 * in.get(i));
    }
  }

  @Kernel
  static void sums(ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, long rows) {
    long row = block.globalIndexX();
    if (row < rows) {
      float sum = 0;
      for (int i = 0; i < width; i++) {
        sum += in.get(row * width + i);
      }
      out.set(row, sum);
    }
  }

  /** Faults: there is no such element. */
  @Kernel
  static void writesBeyond(ThreadBlock block, GlobalFloats out) {
    out.set(out.length(), 1);
  }

  static void twice(Stream stream, Chunk chunk) {
    long n = chunk.byteSize() / Float.BYTES;
    Grid grid = Grid.covering(n, 256);
    stream.launch(grid, Numbers::doubles, chunk.in().asFloats(), chunk.out().asFloats(), n);
  }

  static void sum(Stream stream, Chunk chunk, int width) {
    long rows = chunk.byteSize() / Float.BYTES / width;
    stream.launch(
        Grid.covering(rows, 256),
        Numbers::sums,
        chunk.in().asFloats(),
        chunk.out().asFloats(),
        width,
        rows);
  }
}
