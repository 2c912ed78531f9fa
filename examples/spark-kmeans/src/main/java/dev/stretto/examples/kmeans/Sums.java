package dev.stretto.examples.kmeans;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/**
 * The kernels that add up the points of each centre.
 *
 * <p>They take the points in the order of their centres, so a thread adds one coordinate of many
 * points in a register, in doubles, and touches memory only where a centre ends. Atomic additions,
 * one for each coordinate of each point, would meet where a centre has many points; a table of sums
 * for each block would not fit into shared memory. The order of additions depends on the chunks
 * alone, so the same points give the same bits.
 */
@SuppressWarnings("NarrowCalculation") // numbers of centres, which are small
final class Sums {
  /** Threads of a block, which has so many coordinates. */
  static final int THREADS = 128;

  /** So many loads of a thread are on their way. */
  private static final int GROUP = 8;

  private Sums() {}

  /**
   * Adds a piece of the sorted points. The sum of the centre that the piece before ends with goes
   * to the carries; each other one has this piece alone to write it.
   *
   * @param labels the centre of each point, sorted
   * @param order which point that is
   * @param sums of each centre
   * @param carries a row for each piece
   * @param costs squared distances, an element for each block
   * @param length the points of a piece
   */
  @Kernel(maxThreads = THREADS)
  static void add(
      ThreadBlock block,
      GlobalFloats points,
      GlobalInts labels,
      GlobalInts order,
      GlobalDoubles centres,
      GlobalDoubles sums,
      GlobalDoubles carries,
      GlobalDoubles costs,
      Shape shape,
      int length) {
    int piece = block.blockIndexX();
    int width = shape.width();
    int column = block.blockIndexY() * THREADS + block.threadRank();
    int begin = piece * length;
    int end = Math.min(begin + length, shape.points());
    double cost = 0;
    if (column < width) {
      int label = labels.get(begin);
      boolean isCarried = begin > 0 && labels.get(begin - 1L) == label;
      double centre = centres.get((long) label * width + column);
      double sum = 0;
      float[] x = new float[GROUP];
      int[] of = new int[GROUP];
      for (int at = begin; at < end; at += GROUP) {
        for (int i = 0; i < GROUP; i++) {
          int place = Math.min(at + i, end - 1);
          of[i] = labels.get(place);
          x[i] = points.get((long) order.get(place) * width + column);
        }
        for (int i = 0; i < GROUP; i++) {
          if (at + i < end) {
            if (of[i] != label) {
              store(sums, carries, isCarried, piece, label, width, column, sum);
              isCarried = false;
              label = of[i];
              centre = centres.get((long) label * width + column);
              sum = 0;
            }
            sum += x[i];
            double difference = x[i] - centre;
            cost = Math.fma(difference, difference, cost);
          }
        }
      }
      store(sums, carries, isCarried, piece, label, width, column, sum);
    }
    addCost(block, costs, (long) piece * block.gridSizeY() + block.blockIndexY(), cost);
  }

  private static void store(
      GlobalDoubles sums,
      GlobalDoubles carries,
      boolean isCarried,
      int piece,
      int label,
      int width,
      int column,
      double sum) {
    if (isCarried) {
      carries.set((long) piece * width + column, sum);
    } else {
      long at = (long) label * width + column;
      sums.set(at, sums.get(at) + sum);
    }
  }

  private static void addCost(ThreadBlock block, GlobalDoubles costs, long at, double cost) {
    Warp warp = block.warp();
    SharedDoubles ofWarps = block.sharedDoubles(THREADS / 32);
    double ofWarp = warp.reduceAdd(cost);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    if (block.threadRank() == 0) {
      double sum = costs.get(at);
      for (int i = 0; i < THREADS / 32; i++) {
        sum += ofWarps.get(i);
      }
      costs.set(at, sum);
    }
  }

  /**
   * Adds the carries of a centre to its sum, and counts its points. A block for each centre.
   *
   * @param sums of each centre, and behind them the counts
   */
  @Kernel(maxThreads = THREADS)
  static void carry(
      ThreadBlock block,
      GlobalInts labels,
      GlobalDoubles sums,
      GlobalDoubles carries,
      Shape shape,
      int length) {
    int label = block.blockIndexX();
    int width = shape.width();
    int column = block.blockIndexY() * THREADS + block.threadRank();
    int begin = place(labels, shape.points(), label);
    int end = place(labels, shape.points(), label + 1);
    if (begin == end || column >= width) {
      return;
    }
    if (column == 0) {
      long at = (long) shape.centres() * width + label;
      sums.set(at, sums.get(at) + (end - begin));
    }
    int last = (end - 1) / length;
    double sum = 0;
    double[] each = new double[GROUP];
    for (int piece = begin / length + 1; piece <= last; piece += GROUP) {
      for (int i = 0; i < GROUP; i++) {
        each[i] = piece + i <= last ? carries.get((long) (piece + i) * width + column) : 0;
      }
      for (int i = 0; i < GROUP; i++) {
        sum += each[i];
      }
    }
    long at = (long) label * width + column;
    sums.set(at, sums.get(at) + sum);
  }

  /** The first place at which a label is at least so large. */
  private static int place(GlobalInts labels, int count, int label) {
    int from = 0;
    int to = count;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (labels.get(middle) < label) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Writes the number of each place. */
  @Kernel(maxThreads = THREADS)
  static void number(ThreadBlock block, GlobalInts places) {
    long i = block.globalIndexX();
    if (i < places.length()) {
      places.set(i, (int) i);
    }
  }
}
