package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** Half of a cell and an eighth of each of its four neighbours; the edge stays. */
final class Stencil {
  static final int THREADS_X = 32;
  static final int THREADS_Y = 8;

  private Stencil() {}

  @Kernel(maxThreads = THREADS_X * THREADS_Y)
  static void stencil(ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    int x = block.blockIndexX() * THREADS_X + block.threadIndexX();
    int y = block.blockIndexY() * THREADS_Y + block.threadIndexY();
    if (x >= width || y >= height) {
      return;
    }
    int at = y * width + x;
    float center = in.get(at);
    float result = center;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
      float around = (in.get(at - 1) + in.get(at + 1)) + (in.get(at - width) + in.get(at + width));
      result = Math.fma(0.5f, center, 0.125f * around);
    }
    out.set(at, result);
  }
}
