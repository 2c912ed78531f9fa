package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;

/**
 * Sums: over the grid with a stride, over a warp by shuffles, over a block through shared memory. A
 * second launch of one block adds up the blocks' results.
 */
final class Sums {
  static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;

  private Sums() {}

  /** Writes a block's share of the sum of x to {@code sums[block]}. */
  @Kernel(maxThreads = THREADS)
  static void reduce(ThreadBlock block, GlobalFloats x, GlobalFloats sums, int n) {
    int stride = block.gridSizeX() * THREADS;
    float sum = 0;
    for (int i = block.blockIndexX() * THREADS + block.threadIndexX(); i < n; i += stride) {
      sum += x.get(i);
    }
    sum = ofBlock(block, sum);
    if (block.threadIndexX() == 0) {
      sums.set(block.blockIndexX(), sum);
    }
  }

  /** Like {@link #reduce}, with four loads of four floats in flight per thread. */
  @Kernel(maxThreads = THREADS)
  static void reduceWide(ThreadBlock block, GlobalFloats x, GlobalFloats sums, int n) {
    int count = n / 4;
    int stride = block.gridSizeX() * THREADS;
    float sum0 = 0;
    float sum1 = 0;
    float sum2 = 0;
    float sum3 = 0;
    int i = block.blockIndexX() * THREADS + block.threadIndexX();
    for (; i < count - 3 * stride; i += 4 * stride) {
      Float4 a = x.get4(4L * i);
      Float4 b = x.get4(4L * (i + stride));
      Float4 c = x.get4(4L * (i + 2 * stride));
      Float4 d = x.get4(4L * (i + 3 * stride));
      sum0 += ofFour(a);
      sum1 += ofFour(b);
      sum2 += ofFour(c);
      sum3 += ofFour(d);
    }
    for (; i < count; i += stride) {
      sum0 += ofFour(x.get4(4L * i));
    }
    float sum = ofBlock(block, (sum0 + sum1) + (sum2 + sum3));
    if (block.threadIndexX() == 0) {
      sums.set(block.blockIndexX(), sum);
    }
  }

  private static float ofFour(Float4 four) {
    return (four.x() + four.y()) + (four.z() + four.w());
  }

  /** The sum over a block, in its thread 0. */
  private static float ofBlock(ThreadBlock block, float value) {
    SharedFloats warpSums = block.sharedFloats(WARPS);
    Warp warp = block.warp();
    int lane = block.threadIndexX() & 31;
    int number = block.threadIndexX() >>> 5;
    for (int delta = 16; delta > 0; delta >>= 1) {
      value += warp.shuffleDown(value, delta);
    }
    if (lane == 0) {
      warpSums.set(number, value);
    }
    block.sync();
    float sum = 0;
    if (number == 0) {
      sum = lane < WARPS ? warpSums.get(lane) : 0;
      for (int delta = WARPS / 2; delta > 0; delta >>= 1) {
        sum += warp.shuffleDown(sum, delta);
      }
    }
    return sum;
  }
}
