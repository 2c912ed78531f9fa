package dev.stretto.examples.kmeans;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.PipelinePrimitives;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * The kernel that finds the nearest centre of each point, exactly.
 *
 * <p>Tensor cores compute scores, {@code |c|² - 2 x·c}, which order the centres as distances do.
 * They keep ten bits of each number, so each score stands for a range ({@link Bounds}). A centre
 * whose range begins above the least end of all ranges cannot be the nearest. Mostly one is left;
 * otherwise the distances to those that are left are computed in doubles. Of equal ones the first
 * wins.
 *
 * <p>A block has 128 points, 16 of each warp, and passes over tiles of 64 centres. Slices of both,
 * 16 coordinates deep, arrive in shared memory three steps ahead. The points are read again for
 * each tile of centres: they come from the cache, which is many times as fast as the link.
 */
@SuppressWarnings("NarrowCalculation") // within a tile, which is small
final class Assignment {
  /** Threads of a block. */
  static final int THREADS = 256;

  /** Points of a block. */
  static final int POINTS = 128;

  /** Centres of a tile. */
  static final int CENTRES = 64;

  /** Coordinates of a slice. */
  static final int DEPTH = 16;

  /** Beyond it a square of floats may overflow, and nothing is said of the scores. */
  static final float MOST = 1e36f;

  private static final int STAGES = 3;

  /** Numbers from row to row: four more than a row, so that rows lie in other banks. */
  private static final int STRIDE = DEPTH + 4;

  private Assignment() {}

  /**
   * Writes the number of the nearest centre of each point.
   *
   * @param points one after the other
   * @param mean is subtracted from points and centres, since small numbers have small errors
   * @param rounded the centres without the mean, for tensor cores, padded with zeros
   * @param bounds of the scores of each centre
   * @param centres as they are
   * @param labels the result
   * @param strange the least number of a point with NaN or infinity
   * @param first the number of the first point
   * @param width how many floats are copied at once: 4, 2 or 1
   */
  @Kernel(maxThreads = THREADS, minBlocks = 2)
  static void assign(
      ThreadBlock block,
      GlobalFloats points,
      GlobalFloats mean,
      GlobalFloats rounded,
      GlobalFloats bounds,
      GlobalDoubles centres,
      GlobalInts labels,
      GlobalLongs strange,
      long first,
      Shape shape,
      @Const int width) {
    SharedFloats ofPoints = block.sharedFloats(STAGES * POINTS * STRIDE);
    SharedFloats ofCentres = block.sharedFloats(STAGES * CENTRES * STRIDE);
    Warp warp = block.warp();
    int lane = warp.lane();
    int top = block.blockIndexX() * POINTS;
    int slices = shape.slices();
    int steps = slices * shape.tiles();
    float[] sums = new float[CENTRES / 2];
    float[] squares = new float[2];
    // Of each of the lane's two points: where the ranges begin, the three least, and whose they
    // are.
    float[] low = new float[6];
    int[] whose = new int[4];
    float[] least = new float[2];
    for (int i = 0; i < 6; i++) {
      low[i] = Float.POSITIVE_INFINITY;
    }
    for (int i = 0; i < 2; i++) {
      least[i] = Float.POSITIVE_INFINITY;
    }
    for (int step = 0; step < STAGES - 1; step++) {
      fetch(block, points, rounded, shape, ofPoints, ofCentres, top, step, steps, width);
    }
    int slice = 0;
    int tile = 0;
    int stage = 0;
    for (int step = 0; step < steps; step++) {
      PipelinePrimitives.waitPrior(STAGES - 2);
      block.sync();
      int ahead = step + STAGES - 1;
      fetch(block, points, rounded, shape, ofPoints, ofCentres, top, ahead, steps, width);
      multiply(warp, ofPoints, ofCentres, mean, stage, slice * DEPTH, tile == 0, sums, squares);
      stage = stage + 1 == STAGES ? 0 : stage + 1;
      slice++;
      if (slice == slices) {
        if (tile == 0) {
          for (int i = 0; i < 2; i++) {
            float pair = squares[i] + warp.shuffleXor(squares[i], 1);
            squares[i] = pair + warp.shuffleXor(pair, 2);
          }
        }
        compare(bounds, tile * CENTRES + 2 * (lane & 3), sums, squares, low, whose, least);
        slice = 0;
        tile++;
      }
    }
    for (int i = 0; i < 2; i++) {
      int row = top + 16 * warp.index() + 8 * i;
      float end = Math.min(least[i], warp.shuffleXor(least[i], 1));
      end = Math.min(end, warp.shuffleXor(end, 2));
      boolean isFirst = low[i] <= end;
      boolean isSecond = low[2 + i] <= end;
      boolean isUnknown = low[4 + i] <= end || !(squares[i] < MOST) || !shape.isBounded();
      decide(
          warp,
          points,
          centres,
          labels,
          strange,
          first,
          shape,
          row,
          isFirst,
          isSecond,
          isUnknown,
          whose[i],
          whose[2 + i]);
    }
  }

  /** Begins to copy what a step multiplies. */
  private static void fetch(
      ThreadBlock block,
      GlobalFloats points,
      GlobalFloats rounded,
      Shape shape,
      SharedFloats ofPoints,
      SharedFloats ofCentres,
      int top,
      int step,
      int steps,
      int width) {
    if (step < steps) {
      int stage = step % STAGES;
      int depth = step % shape.slices() * DEPTH;
      int centre = step / shape.slices() * CENTRES;
      int pieces = DEPTH / width;
      for (int i = 0; i < POINTS * pieces / THREADS; i++) {
        int piece = i * THREADS + block.threadRank();
        int row = piece / pieces;
        int column = piece % pieces * width;
        boolean isThere = top + row < shape.points() && depth + column < shape.width();
        long from = isThere ? (long) (top + row) * shape.width() + depth + column : 0;
        int to = (stage * POINTS + row) * STRIDE + column;
        PipelinePrimitives.memcpyAsync(
            ofPoints, to, points, from, 4 * width, isThere ? 0 : 4 * width);
      }
      int row = block.threadRank() / 4;
      int column = block.threadRank() % 4 * 4;
      long from = (long) (centre + row) * shape.paddedWidth() + depth + column;
      PipelinePrimitives.memcpyAsync(
          ofCentres, (stage * CENTRES + row) * STRIDE + column, rounded, from, 16);
    }
    PipelinePrimitives.commit(); // an empty group keeps the number the same
  }

  /** Adds the products of a slice, and the squares of the points if that is wanted. */
  private static void multiply(
      Warp warp,
      SharedFloats ofPoints,
      SharedFloats ofCentres,
      GlobalFloats mean,
      int stage,
      int depth,
      boolean isSquared,
      float[] sums,
      float[] squares) {
    int group = warp.lane() >> 2;
    int member = warp.lane() & 3;
    int ofPoint = (stage * POINTS + 16 * warp.index() + group) * STRIDE + member;
    int ofCentre = (stage * CENTRES + group) * STRIDE + member;
    int[] left = new int[4];
    int[] right = new int[2];
    for (int at = 0; at < DEPTH; at += 8) {
      for (int half = 0; half < 2; half++) {
        float shift = mean.get(depth + at + 4 * half + member);
        for (int i = 0; i < 2; i++) {
          float x = ofPoints.get(ofPoint + 8 * i * STRIDE + at + 4 * half) - shift;
          left[2 * half + i] = Ptx.cvtRnaTf32F32(x);
          if (isSquared) {
            squares[i] = Math.fma(x, x, squares[i]);
          }
        }
      }
      for (int column = 0; column < CENTRES; column += 8) {
        right[0] = Float.floatToRawIntBits(ofCentres.get(ofCentre + column * STRIDE + at));
        right[1] = Float.floatToRawIntBits(ofCentres.get(ofCentre + column * STRIDE + at + 4));
        Mma.tf32(sums, column / 2, left, 0, right, 0);
      }
    }
  }

  /** Takes the ranges of a tile's scores in, and clears the sums. */
  private static void compare(
      GlobalFloats bounds,
      int centre,
      float[] sums,
      float[] squares,
      float[] low,
      int[] whose,
      float[] least) {
    float[] radius = new float[2];
    for (int i = 0; i < 2; i++) {
      radius[i] = (float) Math.sqrt(squares[i]);
    }
    for (int column = 0; column < CENTRES; column += 8) {
      for (int next = 0; next < 2; next++) {
        int number = centre + column + next;
        Float4 bound = bounds.get4(4L * number);
        for (int i = 0; i < 2; i++) {
          int at = column / 2 + 2 * i + next;
          float product = -2 * sums[at];
          sums[at] = 0;
          float begin = Math.fma(-bound.z(), radius[i], product + bound.x());
          float end = Math.fma(bound.z(), radius[i], product + bound.y());
          least[i] = Math.min(least[i], end);
          boolean isFirst = begin < low[i];
          boolean isSecond = begin < low[2 + i];
          low[4 + i] = isSecond ? low[2 + i] : Math.min(low[4 + i], begin);
          whose[2 + i] = isFirst ? whose[i] : isSecond ? number : whose[2 + i];
          low[2 + i] = isFirst ? low[i] : isSecond ? begin : low[2 + i];
          whose[i] = isFirst ? number : whose[i];
          low[i] = isFirst ? begin : low[i];
        }
      }
    }
  }

  /** Labels eight points, whose candidates are those of four lanes each. */
  private static void decide(
      Warp warp,
      GlobalFloats points,
      GlobalDoubles centres,
      GlobalInts labels,
      GlobalLongs strange,
      long first,
      Shape shape,
      int row,
      boolean isFirst,
      boolean isSecond,
      boolean isUnknown,
      int candidate,
      int second) {
    int lane = warp.lane();
    int own = 15 << (lane & ~3);
    int firsts = warp.ballot(isFirst);
    int seconds = warp.ballot(isSecond);
    int unknown = warp.ballot(isUnknown);
    boolean isThere = row + (lane >> 2) < shape.points();
    boolean isDecided =
        Integer.bitCount(firsts & own) + Integer.bitCount(seconds & own) == 1
            && (unknown & own) == 0;
    if (isThere && isDecided && isFirst) {
      labels.set(row + (lane >> 2), candidate);
    }
    int open = warp.ballot(isThere && !isDecided);
    while (open != 0) {
      int at = Integer.numberOfTrailingZeros(open) & ~3;
      int point = row + (at >> 2);
      boolean isAll = (unknown >>> at & 15) != 0;
      int most = isAll ? shape.centres() : 8;
      double nearest = Double.POSITIVE_INFINITY;
      int label = 0;
      for (int i = 0; i < most; i++) {
        int centre = i;
        boolean isCandidate = true;
        if (!isAll) {
          int holder = at + (i >> 1);
          int ofFirst = warp.shuffle(candidate, holder);
          int ofSecond = warp.shuffle(second, holder);
          centre = (i & 1) == 0 ? ofFirst : ofSecond;
          isCandidate = (((i & 1) == 0 ? firsts : seconds) >>> holder & 1) != 0;
        }
        if (isCandidate) {
          double distance = distance(warp, points, centres, shape.width(), point, centre);
          if (distance < nearest || (distance == nearest && centre < label)) {
            nearest = distance;
            label = centre;
          }
        }
      }
      if (lane == 0) {
        labels.set(point, label);
        if (!(nearest < Double.POSITIVE_INFINITY)) {
          long _ = Atomics.min(strange, 0, first + point);
        }
      }
      open &= ~(15 << at);
    }
  }

  private static double distance(
      Warp warp, GlobalFloats points, GlobalDoubles centres, int width, int point, int centre) {
    double sum = 0;
    for (int at = warp.lane(); at < width; at += 32) {
      double difference =
          points.get((long) point * width + at) - centres.get((long) centre * width + at);
      sum = Math.fma(difference, difference, sum);
    }
    return warp.reduceAdd(sum);
  }
}
