package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Convolution;
import dev.stretto.memory.GlobalFloats;

/** Convolutions of a square image. Pixels and weights are 64ths, and so the sums are exact. */
final class ConvolutionJobs {
  private static final int SEED = 30;
  private static final int LENGTH = 2 * Convolution.RADIUS + 1;

  private ConvolutionJobs() {}

  static Job rows(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats weights = bench.floats(LENGTH, Convolution::weight);
    GlobalFloats out = bench.floats(side * side);
    return Job.ofOperations(
        bench
            .device()
            .prepare(grid(side), Convolution::rows, in, weights, out, (long) side, (long) side),
        2.0 * LENGTH * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, i -> row(i, side, false)));
  }

  static Job columns(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats out = bench.floats(side * side);
    return Job.ofOperations(
        bench.device().prepare(grid(side), Convolution::columns, in, out, (long) side, (long) side),
        2.0 * LENGTH * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, i -> column(i, side)));
  }

  static Job square(Workbench bench) {
    int side = bench.size().side();
    int count = Convolution.SIDE * Convolution.SIDE;
    GlobalFloats in = image(bench);
    GlobalFloats weights = bench.floats(count, ConvolutionJobs::squareWeight);
    GlobalFloats out = bench.floats(side * side);
    return Job.ofOperations(
        bench
            .device()
            .prepare(grid(side), Convolution::square, in, weights, out, (long) side, (long) side),
        2.0 * count * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, i -> square(i, side)));
  }

  static Job tiledRows(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = image(bench);
    GlobalFloats out = bench.floats(side * side);
    Grid grid =
        Workbench.grid(
            side / (Convolution.STEPS * Convolution.TILE_X),
            side / Convolution.TILE_Y,
            Convolution.TILE_X,
            Convolution.TILE_Y);
    return Job.ofOperations(
        bench.device().prepare(grid, Convolution::tiledRows, in, out, side),
        2.0 * LENGTH * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, i -> row(i, side, true)));
  }

  private static GlobalFloats image(Workbench bench) {
    return bench.floats(bench.size().elements(), i -> Pattern.smallFloat(i, SEED));
  }

  private static Grid grid(int side) {
    return Grid.covering(side, side, Convolution.THREADS_X, Convolution.THREADS_Y);
  }

  private static float squareWeight(int index) {
    return (1 + index % Convolution.SIDE) / 64f;
  }

  private static float row(int i, int side, boolean zeroOutside) {
    int first = i - i % side;
    float sum = 0;
    for (int k = 0; k < LENGTH; k++) {
      int x = i % side + k - Convolution.RADIUS;
      if (!zeroOutside || (x >= 0 && x < side)) {
        int nearest = Math.clamp(x, 0, side - 1);
        sum += Convolution.weight(k) * Pattern.smallFloat(first + nearest, SEED);
      }
    }
    return sum;
  }

  private static float column(int i, int side) {
    float sum = 0;
    for (int k = 0; k < LENGTH; k++) {
      int y = i / side + k - Convolution.RADIUS;
      if (y >= 0 && y < side) {
        sum += Convolution.weight(k) * Pattern.smallFloat(y * side + i % side, SEED);
      }
    }
    return sum;
  }

  private static float square(int i, int side) {
    float sum = 0;
    for (int k = 0; k < Convolution.SIDE * Convolution.SIDE; k++) {
      int x = i % side + k % Convolution.SIDE - Convolution.SIDE / 2;
      int y = i / side + k / Convolution.SIDE - Convolution.SIDE / 2;
      int at = Math.clamp(y, 0, side - 1) * side + Math.clamp(x, 0, side - 1);
      sum += squareWeight(k) * Pattern.smallFloat(at, SEED);
    }
    return sum;
  }
}
