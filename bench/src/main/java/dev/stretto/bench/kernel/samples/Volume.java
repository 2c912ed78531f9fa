package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** Finite differences in three dimensions; x varies fastest, then y. */
public final class Volume {
  public static final int THREADS_X = 32;
  public static final int THREADS_Y = 8;

  /** Of {@link #waves}: how far a cell sees in each direction, and the width of the border. */
  public static final int RADIUS = 4;

  /** Of {@link #waves}: the weight of the cell itself and of those at each distance from it. */
  @Const private static final float[] WEIGHTS = {16 / 64f, 6 / 64f, 4 / 64f, 2 / 64f, 1 / 64f};

  private static final int PITCH = THREADS_X + 2 * RADIUS;

  private Volume() {}

  /** {@return the weight of the cells at a distance, in {@link #waves}} */
  public static float weight(int distance) {
    return WEIGHTS[distance];
  }

  /** A step of heat: six neighbours; the cells of the surface keep their value. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void heat(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      float rate,
      long width,
      long height,
      long depth) {
    long x = block.globalIndexX();
    long y = block.globalIndexY();
    long z = block.globalIndexZ();
    if (x >= width || y >= height || z >= depth) {
      return;
    }
    long at = (z * height + y) * width + x;
    float center = in.get(at);
    float result = center;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
      float around =
          in.get(at - 1)
              + in.get(at + 1)
              + in.get(at - width)
              + in.get(at + width)
              + in.get(at - width * height)
              + in.get(at + width * height);
      result = center + rate * (around - 6 * center);
    }
    out.set(at, result);
  }

  /**
   * A step of waves: a block goes through the depth, with a layer of its tile in shared memory and
   * the layers before and behind in registers. Around the volume lies a border of {@link #RADIUS}
   * cells, in {@code in} and in {@code out}, which is read only. All blocks are full.
   */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void waves(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height, int depth) {
    SharedFloats tile = block.sharedFloats((THREADS_Y + 2 * RADIUS) * PITCH);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    int x = block.blockIndexX() * THREADS_X + tx;
    int y = block.blockIndexY() * THREADS_Y + ty;
    int row = width + 2 * RADIUS;
    int layer = row * (height + 2 * RADIUS);
    int own = (ty + RADIUS) * PITCH + tx + RADIUS;
    int ahead = (y + RADIUS) * row + x + RADIUS;
    float[] before = new float[RADIUS];
    float[] behind = new float[RADIUS];
    for (int i = RADIUS - 1; i >= 0; i--) {
      before[i] = in.get(ahead);
      ahead += layer;
    }
    float current = in.get(ahead);
    int at = ahead;
    ahead += layer;
    for (int i = 0; i < RADIUS; i++) {
      behind[i] = in.get(ahead);
      ahead += layer;
    }
    for (int z = 0; z < depth; z++) {
      if (z > 0) {
        for (int i = RADIUS - 1; i > 0; i--) {
          before[i] = before[i - 1];
        }
        before[0] = current;
        current = behind[0];
        for (int i = 0; i < RADIUS - 1; i++) {
          behind[i] = behind[i + 1];
        }
        behind[RADIUS - 1] = in.get(ahead);
        at += layer;
        ahead += layer;
      }
      block.sync();
      if (ty < RADIUS) {
        tile.set(own - RADIUS * PITCH, in.get(at - RADIUS * row));
        tile.set(own + THREADS_Y * PITCH, in.get(at + THREADS_Y * row));
      }
      if (tx < RADIUS) {
        tile.set(own - RADIUS, in.get(at - RADIUS));
        tile.set(own + THREADS_X, in.get(at + THREADS_X));
      }
      tile.set(own, current);
      block.sync();
      float value = WEIGHTS[0] * current;
      for (int i = 1; i <= RADIUS; i++) {
        value +=
            WEIGHTS[i]
                * (before[i - 1]
                    + behind[i - 1]
                    + tile.get(own - i * PITCH)
                    + tile.get(own + i * PITCH)
                    + tile.get(own - i)
                    + tile.get(own + i));
      }
      out.set(at, value);
    }
  }
}
