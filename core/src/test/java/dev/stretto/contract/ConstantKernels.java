package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Kernels that read arrays of constants. */
final class ConstantKernels {
  private ConstantKernels() {}

  @Const static final float[] WEIGHTS = {0.25f, 0.5f, 0.25f};
  @Const static final boolean[] BOOLEANS = {true, false, true, true};
  @Const static final byte[] BYTES = {-128, 127, -1, 0};
  @Const static final short[] SHORTS = {Short.MIN_VALUE, Short.MAX_VALUE, -1, 5};
  @Const static final char[] CHARS = {0, 0x8000, 0xffff, 'x'};
  @Const static final int[] INTS = {Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 7};
  @Const static final long[] LONGS = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1L << 40};

  @Const static final float[] FLOATS = {-0.0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY};

  @Const static final double[] DOUBLES = {-0.0, Double.NaN, Double.MIN_VALUE, 1e300};

  /** As much as there may be. */
  @Const static final int[] MOST = squares(16 << 10);

  /** A program that does not know better changes it. */
  @Const static final int[] CHANGED = {1, 2, 3, 4};

  private static int[] squares(int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = i * i;
    }
    return all;
  }

  @Kernel
  static void weigh(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      float sum = 0;
      for (int k = 0; k < WEIGHTS.length; k++) {
        sum += WEIGHTS[k] * in.get(i + k);
      }
      out.set(i, sum);
    }
  }

  /** The same through shared memory, with a loop that is not unrolled. */
  @Kernel
  static void weighShared(ThreadBlock block, GlobalFloats in, GlobalFloats out, int rounds) {
    SharedFloats all = block.sharedFloats(64);
    int i = block.threadIndexX();
    all.set(i, in.get(i));
    block.sync();
    float sum = 0;
    for (int k = 0; k < rounds; k++) {
      sum += WEIGHTS[k % WEIGHTS.length] * all.get((i + k) & 63);
    }
    out.set(i, sum);
  }

  @Kernel
  static void everyType(ThreadBlock block, GlobalInts indices, GlobalLongs out) {
    int i = block.threadIndexX();
    int at = indices.get(i);
    out.set(9 * i, BOOLEANS[at] ? 1 : 0);
    out.set(9 * i + 1, BYTES[at]);
    out.set(9 * i + 2, SHORTS[at]);
    out.set(9 * i + 3, CHARS[at]);
    out.set(9 * i + 4, INTS[at]);
    out.set(9 * i + 5, LONGS[at]);
    out.set(9 * i + 6, Float.floatToIntBits(FLOATS[at]));
    out.set(9 * i + 7, Double.doubleToLongBits(DOUBLES[at]));
    out.set(9 * i + 8, sum(SHORTS, at));
  }

  private static int sum(short[] numbers, int first) {
    int sum = first;
    for (short number : numbers) {
      sum = 31 * sum + number;
    }
    return sum;
  }

  @Kernel
  static void most(ThreadBlock block, GlobalInts x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, MOST[x.get(i)]);
    }
  }

  @Kernel
  static void beyond(ThreadBlock block, GlobalInts x) {
    int i = block.threadIndexX();
    x.set(i, INTS[x.get(i)]);
  }

  @Kernel
  static void changed(ThreadBlock block, GlobalInts x) {
    int i = block.threadIndexX();
    x.set(i, CHANGED[x.get(i) & 3]);
  }

  @Kernel
  static void changedInSteps(ThreadBlock block, GlobalInts x) {
    int i = block.threadIndexX();
    block.sync();
    x.set(i, CHANGED[x.get(i) & 3]);
  }

  @Kernel
  static void changedToo(ThreadBlock block, GlobalInts x) {
    x.set(0, CHANGED[x.get(0) & 1]);
  }
}
