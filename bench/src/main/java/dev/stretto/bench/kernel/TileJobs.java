package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.memory.GlobalFloats;
import java.util.List;

/** Jobs on squares of floats. */
final class TileJobs {
  private TileJobs() {}

  static Job transpose(Workbench bench) {
    int side = bench.size().side();
    int n = side * side;
    GlobalFloats in = bench.floats(n, i -> Pattern.fineFloat(i, 7));
    GlobalFloats out = bench.floats(n);
    Grid grid =
        Workbench.grid(
            side / Transpose.TILE, side / Transpose.TILE, Transpose.TILE, Transpose.ROWS);
    return new Job(
        List.of(bench.device().prepare(grid, Transpose::transpose, in, out, side, side)),
        Job.Unit.BYTES,
        8.0 * n,
        () ->
            Chunks.requireEach(
                bench.toHost(out), n, i -> Pattern.fineFloat(i % side * side + i / side, 7)));
  }

  static Job stencil(Workbench bench) {
    int side = bench.size().side();
    int n = side * side;
    GlobalFloats in = bench.floats(n, i -> Pattern.smallFloat(i, 8));
    GlobalFloats out = bench.floats(n);
    Grid grid =
        Workbench.grid(
            side / Stencil.THREADS_X,
            side / Stencil.THREADS_Y,
            Stencil.THREADS_X,
            Stencil.THREADS_Y);
    return new Job(
        List.of(bench.device().prepare(grid, Stencil::stencil, in, out, side, side)),
        Job.Unit.BYTES,
        8.0 * n,
        () -> Chunks.requireEach(bench.toHost(out), n, i -> stencil(i, side)));
  }

  private static float stencil(int i, int side) {
    int x = i % side;
    int y = i / side;
    float center = Pattern.smallFloat(i, 8);
    if (x == 0 || x == side - 1 || y == 0 || y == side - 1) {
      return center;
    }
    float around =
        Pattern.smallFloat(i - 1, 8)
            + Pattern.smallFloat(i + 1, 8)
            + Pattern.smallFloat(i - side, 8)
            + Pattern.smallFloat(i + side, 8);
    return 0.5f * center + 0.125f * around;
  }
}
