package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Volume;
import dev.stretto.memory.GlobalFloats;

/** Steps of finite differences. Cells and weights are 64ths, and so the sums are exact. */
final class VolumeJobs {
  private static final int SEED = 31;
  private static final int DEPTH = 64;
  private static final float RATE = 0.125f;

  private VolumeJobs() {}

  /** The extents of a volume, in cells. */
  private record Shape(int width, int height, int depth) {
    static Shape of(Size size) {
      return new Shape(size.side() / 4, size.side() / 16, DEPTH);
    }

    /** With a border on all sides. */
    Shape bordered() {
      int more = 2 * Volume.RADIUS;
      return new Shape(width + more, height + more, depth + more);
    }

    int cells() {
      return width * height * depth;
    }

    int x(int cell) {
      return cell % width;
    }

    int y(int cell) {
      return cell / width % height;
    }

    int z(int cell) {
      return cell / width / height;
    }

    /** Whether so many cells lie between this one and each side. */
    boolean isWithin(int cell, int border) {
      return isWithin(x(cell), width, border)
          && isWithin(y(cell), height, border)
          && isWithin(z(cell), depth, border);
    }

    private static boolean isWithin(int place, int extent, int border) {
      return place >= border && place < extent - border;
    }
  }

  static Job heat(Workbench bench) {
    Shape shape = Shape.of(bench.size());
    GlobalFloats in = bench.floats(shape.cells(), VolumeJobs::cell);
    GlobalFloats out = bench.floats(shape.cells());
    Grid grid =
        Grid.covering(
            shape.width, shape.height, shape.depth, Volume.THREADS_X, Volume.THREADS_Y, 1);
    return Job.ofBytes(
        bench
            .device()
            .prepare(
                grid,
                Volume::heat,
                in,
                out,
                RATE,
                (long) shape.width,
                (long) shape.height,
                (long) shape.depth),
        8.0 * shape.cells(),
        () -> Expected.floats(bench.toHost(out), shape.cells(), i -> heat(i, shape)));
  }

  static Job waves(Workbench bench) {
    Shape shape = Shape.of(bench.size());
    Shape whole = shape.bordered();
    GlobalFloats in = bench.floats(whole.cells(), VolumeJobs::cell);
    GlobalFloats out = bench.floats(whole.cells());
    Grid grid =
        Workbench.grid(
            shape.width / Volume.THREADS_X,
            shape.height / Volume.THREADS_Y,
            Volume.THREADS_X,
            Volume.THREADS_Y);
    return Job.ofBytes(
        bench
            .device()
            .prepare(grid, Volume::waves, in, out, shape.width, shape.height, shape.depth),
        8.0 * shape.cells(),
        () -> Expected.floats(bench.toHost(out), whole.cells(), i -> wave(i, whole)));
  }

  private static float cell(int i) {
    return Pattern.smallFloat(i, SEED);
  }

  private static float heat(int i, Shape shape) {
    float center = cell(i);
    if (!shape.isWithin(i, 1)) {
      return center;
    }
    return center + RATE * (around(i, 1, shape) - 6 * center);
  }

  private static float wave(int i, Shape shape) {
    if (!shape.isWithin(i, Volume.RADIUS)) {
      return 0;
    }
    float sum = Volume.weight(0) * cell(i);
    for (int distance = 1; distance <= Volume.RADIUS; distance++) {
      sum += Volume.weight(distance) * around(i, distance, shape);
    }
    return sum;
  }

  /** The sum of the six cells at a distance. */
  private static float around(int i, int distance, Shape shape) {
    int row = distance * shape.width;
    int layer = row * shape.height;
    return cell(i - distance)
        + cell(i + distance)
        + cell(i - row)
        + cell(i + row)
        + cell(i - layer)
        + cell(i + layer);
  }
}
