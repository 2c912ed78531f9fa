package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Smoothing;
import dev.stretto.memory.GlobalFloats;

/** Filters of a square image of floats. */
final class SmoothingJobs {
  private static final int SEED = 33;
  private static final float NEAR = 0.125f;
  private static final float LIKE = 2;
  private static final float ANGLE = 0.5f;

  private SmoothingJobs() {}

  static Job box(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats out = bench.floats(side * side);
    Grid grid =
        Workbench.grid(side / Smoothing.THREADS, side / Smoothing.STRIP, Smoothing.THREADS, 1);
    return Job.ofBytes(
        bench.device().prepare(grid, Smoothing::box, in, out, side, side),
        8.0 * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, i -> box(i, side)));
  }

  static Job bilateral(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats out = bench.floats(side * side);
    return Job.ofBytes(
        bench.device().prepare(grid(side), Smoothing::bilateral, in, out, NEAR, LIKE, side, side),
        8.0 * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, 2e-5, i -> bilateral(i, side)));
  }

  static Job rotate(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats out = bench.floats(side * side);
    float cosine = (float) Math.cos(ANGLE);
    float sine = (float) Math.sin(ANGLE);
    // A place in the image is a float, and off by up to a thousandth of a pixel.
    return Job.ofBytes(
        bench.device().prepare(grid(side), Smoothing::rotate, in, out, cosine, sine, side, side),
        8.0 * side * side,
        () ->
            Expected.floats(
                bench.toHost(out), side * side, 1e-2, i -> rotated(i, side, cosine, sine)));
  }

  private static GlobalFloats image(Workbench bench) {
    return bench.floats(bench.size().elements(), SmoothingJobs::pixel);
  }

  private static Grid grid(int side) {
    return Grid.covering(side, side, Smoothing.THREADS_X, Smoothing.THREADS_Y);
  }

  private static float pixel(int i) {
    return Pattern.smallFloat(i, SEED);
  }

  /** The pixel nearest to a place. */
  private static float nearest(int x, int y, int side) {
    return pixel(Math.clamp(y, 0, side - 1) * side + Math.clamp(x, 0, side - 1));
  }

  private static float box(int i, int side) {
    float sum = 0;
    for (int k = -Smoothing.BOX_RADIUS; k <= Smoothing.BOX_RADIUS; k++) {
      sum += nearest(i % side, i / side + k, side);
    }
    return sum * (1.0f / (2 * Smoothing.BOX_RADIUS + 1));
  }

  private static float bilateral(int place, int side) {
    double center = pixel(place);
    double sum = 0;
    double weights = 0;
    for (int j = -Smoothing.RADIUS; j <= Smoothing.RADIUS; j++) {
      for (int i = -Smoothing.RADIUS; i <= Smoothing.RADIUS; i++) {
        double pixel = nearest(place % side + i, place / side + j, side);
        double difference = pixel - center;
        double weight = Math.exp(-NEAR * (i * i + j * j) - LIKE * difference * difference);
        weights += weight;
        sum += weight * pixel;
      }
    }
    return (float) (sum / weights);
  }

  private static float rotated(int i, int side, double cosine, double sine) {
    int toColumn = i % side;
    int toRow = i / side;
    double dx = toColumn - 0.5 * side;
    double dy = toRow - 0.5 * side;
    double x = cosine * dx - sine * dy + 0.5 * side;
    double y = sine * dx + cosine * dy + 0.5 * side;
    int left = (int) Math.floor(x);
    int upper = (int) Math.floor(y);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      int column = left + (k & 1);
      int row = upper + (k >> 1);
      if (column >= 0 && column < side && row >= 0 && row < side) {
        double weight = (1 - Math.abs(x - column)) * (1 - Math.abs(y - row));
        sum += weight * pixel(row * side + column);
      }
    }
    return (float) sum;
  }
}
