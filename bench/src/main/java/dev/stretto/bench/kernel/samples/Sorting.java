package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Steps of halving and doubling: sorts, merges, prefix sums and the Walsh transform. */
public final class Sorting {
  /** Keys that a block of {@link #bitonic} sorts; half as many threads. */
  public static final int KEYS = 1024;

  /** Of {@link #merge} and {@link #scan}. */
  public static final int THREADS = 256;

  /** Elements that a block of {@link #walsh} transforms; a quarter as many threads. */
  public static final int WAVES = 2048;

  private Sorting() {}

  /** Sorts each {@link #KEYS} keys. */
  @Kernel(maxThreads = KEYS / 2)
  public static void bitonic(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts keys = block.sharedInts(KEYS);
    int rank = block.threadIndexX();
    int first = block.blockIndexX() * KEYS + rank;
    keys.set(rank, in.get(first));
    keys.set(rank + KEYS / 2, in.get(first + KEYS / 2));
    for (int size = 2; size < KEYS; size *= 2) {
      boolean falling = (rank & (size / 2)) != 0;
      for (int stride = size / 2; stride > 0; stride /= 2) {
        block.sync();
        int at = 2 * rank - (rank & (stride - 1));
        exchange(keys, at, at + stride, falling);
      }
    }
    for (int stride = KEYS / 2; stride > 0; stride /= 2) {
      block.sync();
      int at = 2 * rank - (rank & (stride - 1));
      exchange(keys, at, at + stride, false);
    }
    block.sync();
    out.set(first, keys.get(rank));
    out.set(first + KEYS / 2, keys.get(rank + KEYS / 2));
  }

  private static void exchange(SharedInts keys, int i, int j, boolean falling) {
    int a = keys.get(i);
    int b = keys.get(j);
    if ((a > b) != falling) {
      keys.set(i, b);
      keys.set(j, a);
    }
  }

  /** Merges two sorted arrays of equal length; a thread finds the place of one element of each. */
  @Kernel(maxThreads = THREADS)
  public static void merge(ThreadBlock block, GlobalInts a, GlobalInts b, GlobalInts out) {
    long i = block.globalIndexX();
    if (i < a.length()) {
      int x = a.get(i);
      out.set(i + countBelow(b, x, false), x);
      int y = b.get(i);
      out.set(i + countBelow(a, y, true), y);
    }
  }

  /** How many elements are less than the key, or equal to it if they are to count too. */
  private static long countBelow(GlobalInts sorted, int key, boolean orEqual) {
    long low = 0;
    long high = sorted.length();
    while (low < high) {
      long middle = (low + high) >>> 1;
      int value = sorted.get(middle);
      if (value < key || (orEqual && value == key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The sums of all elements up to each one, for each {@link #THREADS} elements. */
  @Kernel(maxThreads = THREADS)
  public static void scan(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts ofWarps = block.sharedInts(THREADS / 32);
    Warp warp = block.warp();
    int lane = warp.lane();
    int number = warp.index();
    long i = block.globalIndexX();
    int sum = scan(warp, in.get(i));
    if (lane == 31) {
      ofWarps.set(number, sum);
    }
    block.sync();
    if (number == 0) {
      int ofWarp = lane < THREADS / 32 ? ofWarps.get(lane) : 0;
      ofWarp = scan(warp, ofWarp);
      if (lane < THREADS / 32) {
        ofWarps.set(lane, ofWarp);
      }
    }
    block.sync();
    if (number > 0) {
      sum += ofWarps.get(number - 1);
    }
    out.set(i, sum);
  }

  /** The sum of the values of all lanes up to this one. */
  private static int scan(Warp warp, int value) {
    int sum = value;
    for (int delta = 1; delta < 32; delta *= 2) {
      int other = warp.shuffleUp(sum, delta);
      if (warp.lane() >= delta) {
        sum += other;
      }
    }
    return sum;
  }

  /** The Walsh transform of each {@link #WAVES} elements: steps of four, and a last one of two. */
  @Kernel(maxThreads = WAVES / 4)
  public static void walsh(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats data = block.sharedFloats(WAVES);
    int rank = block.threadIndexX();
    int threads = block.blockSizeX();
    int first = block.blockIndexX() * WAVES;
    for (int i = rank; i < WAVES; i += threads) {
      data.set(i, in.get(first + i));
    }
    for (int stride = WAVES / 4; stride > 0; stride /= 4) {
      int low = rank & (stride - 1);
      int i0 = (rank - low) * 4 + low;
      int i1 = i0 + stride;
      int i2 = i1 + stride;
      int i3 = i2 + stride;
      block.sync();
      float d0 = data.get(i0);
      float d1 = data.get(i1);
      float d2 = data.get(i2);
      float d3 = data.get(i3);
      float sum02 = d0 + d2;
      float difference02 = d0 - d2;
      float sum13 = d1 + d3;
      float difference13 = d1 - d3;
      data.set(i0, sum02 + sum13);
      data.set(i1, sum02 - sum13);
      data.set(i2, difference02 + difference13);
      data.set(i3, difference02 - difference13);
    }
    block.sync();
    for (int i = rank; i < WAVES / 2; i += threads) {
      float d0 = data.get(2 * i);
      float d1 = data.get(2 * i + 1);
      data.set(2 * i, d0 + d1);
      data.set(2 * i + 1, d0 - d1);
    }
    block.sync();
    for (int i = rank; i < WAVES; i += threads) {
      out.set(first + i, data.get(i));
    }
  }
}
