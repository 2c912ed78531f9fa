package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Bodies that attract each other. */
final class BodyJobs {
  private static final int CHECKED = 64;

  /**
   * As usually counted: additions and multiplications for a pair, with the root as a few of them.
   */
  private static final double OPERATIONS_A_PAIR = 20;

  private BodyJobs() {}

  static Job nbody(Workbench bench) {
    int n = bench.size().bodies();
    GlobalFloats bodies = bench.floats(4 * n, BodyJobs::element);
    GlobalFloats accelerations = bench.floats(4 * n);
    Grid grid = Grid.of(n / NBody.THREADS, NBody.THREADS);
    return new Job(
        List.of(bench.device().prepare(grid, NBody::nbody, bodies, accelerations, n)),
        Job.Unit.OPERATIONS,
        OPERATIONS_A_PAIR * n * n,
        () -> check(bench.toHost(accelerations), n));
  }

  private static float element(int index) {
    int body = index / 4;
    return switch (index % 4) {
      case 0 -> Pattern.fineFloat(body, 13);
      case 1 -> Pattern.fineFloat(body, 14);
      case 2 -> Pattern.fineFloat(body, 15);
      default -> 1.5f + 0.5f * Pattern.fineFloat(body, 16);
    };
  }

  private static double check(MemorySegment accelerations, int n) {
    for (int sample = 0; sample < CHECKED; sample++) {
      checkBody((int) ((long) sample * n / CHECKED + sample) % n, accelerations, n);
    }
    return Chunks.sum(
        4 * n, i -> Math.abs((double) accelerations.getAtIndex(ValueLayout.JAVA_FLOAT, i)));
  }

  private static void checkBody(int body, MemorySegment accelerations, int n) {
    double[] sums = new double[3];
    double sizes = 0;
    for (int other = 0; other < n; other++) {
      double[] d = new double[3];
      double square = NBody.SOFTENING;
      double distance = 0;
      for (int axis = 0; axis < 3; axis++) {
        d[axis] = (double) element(4 * other + axis) - element(4 * body + axis);
        distance += d[axis] * d[axis];
      }
      square += distance;
      double scale = element(4 * other + 3) / (square * Math.sqrt(square));
      for (int axis = 0; axis < 3; axis++) {
        sums[axis] += d[axis] * scale;
      }
      sizes += scale * Math.sqrt(distance);
    }
    for (int axis = 0; axis < 3; axis++) {
      // The sums cancel: the magnitude of the terms, not that of the sum, limits the error.
      WrongResultException.requireClose(
          "acceleration " + axis + " of body " + body,
          accelerations.getAtIndex(ValueLayout.JAVA_FLOAT, 4L * body + axis),
          sums[axis],
          2e-5 * sizes);
    }
  }
}
