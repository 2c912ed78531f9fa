package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.kernel.math.DeviceMath;
import dev.stretto.memory.GlobalFloats;

/** Functions of each row of a matrix of floats; a block for each row. */
public final class Rows {
  public static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;

  private Rows() {}

  /** Each element's share of the sum of the powers of e. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void softmax(ThreadBlock block, GlobalFloats in, GlobalFloats out, int columns) {
    long row = (long) block.blockIndexX() * columns;
    int rank = block.threadIndexX();
    float most = Float.NEGATIVE_INFINITY;
    for (int i = rank; i < columns; i += THREADS) {
      most = Math.max(most, in.get(row + i));
    }
    most = maximum(block, most);
    float sum = 0;
    for (int i = rank; i < columns; i += THREADS) {
      sum += DeviceMath.exp(in.get(row + i) - most);
    }
    sum = sum(block, sum);
    for (int i = rank; i < columns; i += THREADS) {
      out.set(row + i, DeviceMath.exp(in.get(row + i) - most) / sum);
    }
  }

  /** Each row with a mean of 0 and a variance of 1, then scaled and shifted column by column. */
  @Kernel(maxThreads = THREADS, contract = true)
  public static void normalize(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats scales,
      GlobalFloats shifts,
      GlobalFloats out,
      int columns) {
    long row = (long) block.blockIndexX() * columns;
    int rank = block.threadIndexX();
    float sum = 0;
    for (int i = rank; i < columns; i += THREADS) {
      sum += in.get(row + i);
    }
    float mean = sum(block, sum) / columns;
    float squares = 0;
    for (int i = rank; i < columns; i += THREADS) {
      float difference = in.get(row + i) - mean;
      squares += difference * difference;
    }
    float variance = sum(block, squares) / columns;
    float scale = 1 / (float) Math.sqrt(variance + 1e-5f);
    for (int i = rank; i < columns; i += THREADS) {
      out.set(row + i, (in.get(row + i) - mean) * scale * scales.get(i) + shifts.get(i));
    }
  }

  /** The greatest value of the block, in all of its threads. */
  private static float maximum(ThreadBlock block, float value) {
    SharedFloats ofWarps = block.sharedFloats(WARPS);
    Warp warp = block.warp();
    float ofWarp = warp.reduceMax(value);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    float most = ofWarps.get(0);
    for (int i = 1; i < WARPS; i++) {
      most = Math.max(most, ofWarps.get(i));
    }
    block.sync();
    return most;
  }

  /** The sum of the block's values, in all of its threads. */
  private static float sum(ThreadBlock block, float value) {
    SharedFloats ofWarps = block.sharedFloats(WARPS);
    Warp warp = block.warp();
    float ofWarp = warp.reduceAdd(value);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    float sum = 0;
    for (int i = 0; i < WARPS; i++) {
      sum += ofWarps.get(i);
    }
    block.sync();
    return sum;
  }
}
