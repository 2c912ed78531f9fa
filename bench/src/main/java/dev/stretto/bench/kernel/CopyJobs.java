package dev.stretto.bench.kernel;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.memory.GlobalFloats;
import java.util.List;
import java.util.function.Function;

/**
 * Jobs that copy asynchronously inside their kernels, from memory and, smaller, from the L2 cache.
 */
final class CopyJobs {
  private static final int IN_CACHE = 16;

  private CopyJobs() {}

  /** Makes a launch. */
  private interface Prepared {
    Launch of(Device device, Grid grid, GlobalFloats in, GlobalFloats out, int batches);
  }

  /** A job on as many numbers as the streams have, or on a part of them. */
  private static Function<Workbench, Job> job(boolean cached, Prepared prepared) {
    return bench -> {
      int n = bench.size().elements() / (cached ? IN_CACHE : 1);
      GlobalFloats in = bench.floats(n, i -> Pattern.smallFloat(i, 14));
      GlobalFloats out = bench.floats(n);
      Grid grid = Grid.of(bench.size().sumBlocks(), BatchCopies.THREADS);
      return new Job(
          List.of(prepared.of(bench.device(), grid, in, out, n / BatchCopies.BATCH)),
          Job.Unit.BYTES,
          8.0 * n,
          () -> Chunks.requireEach(bench.toHost(out), n, CopyJobs::mean));
    };
  }

  private static float mean(int i) {
    int batch = i / BatchCopies.BATCH * BatchCopies.BATCH;
    return 0.25f * at(batch, i - 1) + 0.5f * at(batch, i) + 0.25f * at(batch, i + 1);
  }

  private static float at(int batch, int i) {
    return Pattern.smallFloat(batch + Math.floorMod(i, BatchCopies.BATCH), 14);
  }

  static Function<Workbench, Job> plain(boolean cached) {
    return job(
        cached,
        (device, grid, in, out, batches) ->
            device.prepare(grid, BatchCopies::plain, in, out, batches));
  }

  static Function<Workbench, Job> onBarrier(boolean cached) {
    return job(
        cached,
        (device, grid, in, out, batches) ->
            device.prepare(grid, BatchCopies::onBarrier, in, out, batches));
  }

  static Function<Workbench, Job> pipelined(boolean cached, int stages) {
    return job(
        cached,
        (device, grid, in, out, batches) ->
            device.prepare(grid, BatchCopies::pipelined, in, out, batches, stages));
  }

  static Function<Workbench, Job> byRoles(boolean cached, int stages) {
    return job(
        cached,
        (device, grid, in, out, batches) ->
            device.prepare(grid, BatchCopies::byRoles, in, out, batches, stages));
  }

  static Function<Workbench, Job> bulk(boolean cached) {
    return job(
        cached,
        (device, grid, in, out, batches) ->
            device.prepare(grid, BatchCopies::bulk, in, out, batches));
  }
}
