package dev.stretto.bench.kernel;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.memory.GlobalFloats;
import java.util.List;
import java.util.function.Function;

/**
 * Jobs that copy asynchronously inside their kernels: from memory, and, with less data and several
 * times in one launch, from the L2 cache.
 */
final class CopyJobs {
  private CopyJobs() {}

  /** Makes a launch. */
  private interface Prepared {
    Launch of(Device device, Grid grid, GlobalFloats in, GlobalFloats out, int batches, int passes);
  }

  /** A job on as many numbers as the streams have, or on a few of them. */
  private static Function<Workbench, Job> job(boolean cached, int threads, Prepared prepared) {
    return bench -> {
      int n = cached ? bench.size().cached() : bench.size().elements();
      int passes = cached ? bench.size().passes() : 1;
      GlobalFloats in = bench.floats(n, i -> Pattern.smallFloat(i, 14));
      GlobalFloats out = bench.floats(n);
      Grid grid = Grid.of(bench.size().sumBlocks(), threads);
      return new Job(
          List.of(prepared.of(bench.device(), grid, in, out, n / BatchCopies.BATCH, passes)),
          Job.Unit.BYTES,
          8.0 * n * passes,
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
        BatchCopies.THREADS,
        (device, grid, in, out, batches, passes) ->
            device.prepare(grid, BatchCopies::plain, in, out, batches, passes));
  }

  static Function<Workbench, Job> onBarrier(boolean cached) {
    return job(
        cached,
        BatchCopies.THREADS,
        (device, grid, in, out, batches, passes) ->
            device.prepare(grid, BatchCopies::onBarrier, in, out, batches, passes));
  }

  static Function<Workbench, Job> pipelined(boolean cached, int stages) {
    return job(
        cached,
        BatchCopies.THREADS,
        (device, grid, in, out, batches, passes) ->
            device.prepare(grid, BatchCopies::pipelined, in, out, batches, passes, stages));
  }

  static Function<Workbench, Job> byRoles(boolean cached, int stages) {
    return job(
        cached,
        BatchCopies.ROLE_THREADS,
        (device, grid, in, out, batches, passes) ->
            device.prepare(grid, BatchCopies::byRoles, in, out, batches, passes, stages));
  }

  static Function<Workbench, Job> bulk(boolean cached) {
    return job(
        cached,
        BatchCopies.THREADS,
        (device, grid, in, out, batches, passes) ->
            device.prepare(grid, BatchCopies::bulk, in, out, batches, passes));
  }
}
