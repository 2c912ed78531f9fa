package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;
import java.util.List;

/**
 * Batches of numbers in shared memory, each number computed from its neighbours. The batches are
 * loaded in several ways: plainly, asynchronously, one batch ahead, several ahead, and by a warp
 * that does nothing else.
 */
final class Example14CopiesInsideAKernel {
  /** The number of elements in a batch. */
  private static final int BATCH = 1024;

  private static final int THREADS = 128;
  private static final int STAGES = 4;
  private static final int WARPS = THREADS / 32;

  private Example14CopiesInsideAKernel() {}

  // @start region="compute"
  /** The mean of a number and its two neighbours in the batch. */
  private static float mean(SharedFloats tile, int at, int i) {
    float before = tile.get(at + (i + BATCH - 1) % BATCH);
    float behind = tile.get(at + (i + 1) % BATCH);
    return (before + tile.get(at + i) + behind) / 3;
  }

  private static void compute(
      SharedFloats tile, int at, GlobalFloats out, int batch, int rank, int threads) {
    for (int i = rank; i < BATCH; i += threads) {
      out.set((long) batch * BATCH + i, mean(tile, at, i));
    }
  }

  // @end

  // @start region="synchronous"
  @Kernel
  static void synchronous(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      for (int i = block.threadRank(); i < BATCH; i += block.size()) {
        tile.set(i, in.get((long) batch * BATCH + i));
      }
      block.sync();
      compute(tile, 0, out, batch, block.threadRank(), block.size());
      block.sync();
    }
  }

  // @end

  // @start region="one"
  @Kernel
  static void oneStage(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16);
      block.waitAll();
      compute(tile, 0, out, batch, block.threadRank(), block.size());
      block.sync();
    }
  }

  // @end

  // @start region="barrier"
  @Kernel
  static void onABarrier(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tile = block.sharedFloats(BATCH);
    Barrier arrived = block.barrier();
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      block.memcpyAsync(tile, 0, in, (long) batch * BATCH, BATCH, 16, arrived);
      arrived.arriveAndWait();
      compute(tile, 0, out, batch, block.threadRank(), block.size());
      block.sync();
    }
  }

  // @end

  // @start region="two"
  @Kernel
  static void twoStages(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tiles = block.sharedFloats(2 * BATCH);
    int stage = 0;
    int first = block.blockIndexX();
    block.memcpyAsync(tiles, 0, in, (long) first * BATCH, BATCH, 16);
    for (int batch = first; batch < batches; batch += block.gridSizeX()) {
      // After the last batch an empty group, so that there is always one more than the one needed.
      int next = batch + block.gridSizeX();
      int count = next < batches ? BATCH : 0;
      long from = count == 0 ? 0 : (long) next * BATCH;
      block.memcpyAsync(tiles, (stage ^ 1) * BATCH, in, from, count, 16);
      block.waitPrior(1);
      compute(tiles, stage * BATCH, out, batch, block.threadRank(), block.size());
      block.sync();
      stage ^= 1;
    }
  }

  // @end

  // @start region="several"
  @Kernel
  static void severalStages(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages);
    int ahead = block.blockIndexX();
    for (int batch = ahead; batch < batches; batch += block.gridSizeX()) {
      while (ahead < batches && ahead < batch + stages * block.gridSizeX()) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * BATCH;
        block.memcpyAsync(tiles, at, in, (long) ahead * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
        ahead += block.gridSizeX();
      }
      pipeline.consumerWait();
      int at = pipeline.consumerStage() * BATCH;
      compute(tiles, at, out, batch, block.threadRank(), block.size());
      pipeline.consumerRelease();
    }
  }

  // @end

  // @start region="roles"
  @Kernel
  static void byRoles(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches, @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * BATCH);
    Pipeline pipeline = block.pipeline(stages, 32);
    Warp warp = block.warp();
    for (int batch = block.blockIndexX(); batch < batches; batch += block.gridSizeX()) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * BATCH;
        warp.memcpyAsync(tiles, at, in, (long) batch * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = pipeline.consumerStage() * BATCH;
        compute(tiles, at, out, batch, block.threadRank() - 32, block.size() - 32);
        pipeline.consumerRelease();
      }
    }
  }

  // @end

  // @start region="warps"
  @Kernel
  static void byEachWarp(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tiles = block.sharedFloats(WARPS * 2 * BATCH);
    Warp warp = block.warp();
    Pipeline pipeline = warp.pipeline(2, WARPS); // one for each of the block's warps
    int own = warp.index() * 2 * BATCH;
    int ahead = block.blockIndexX() * WARPS + warp.index();
    int step = block.gridSizeX() * WARPS;
    for (int batch = ahead; batch < batches; batch += step) {
      while (ahead < batches && ahead < batch + 2 * step) {
        pipeline.producerAcquire();
        int at = own + pipeline.producerStage() * BATCH;
        warp.memcpyAsync(tiles, at, in, (long) ahead * BATCH, BATCH, 16, pipeline);
        pipeline.producerCommit();
        ahead += step;
      }
      pipeline.consumerWait();
      int at = own + pipeline.consumerStage() * BATCH;
      compute(tiles, at, out, batch, warp.threadRank(), warp.size());
      pipeline.consumerRelease();
    }
  }

  // @end

  // @start region="stores"
  @Kernel
  static void thereAndBack(ThreadBlock block, GlobalFloats in, GlobalFloats out, int batches) {
    SharedFloats tiles = block.sharedFloats(2 * BATCH);
    SharedFloats means = block.sharedFloats(2 * BATCH);
    int stage = 0;
    int first = block.blockIndexX();
    block.memcpyAsync(tiles, 0, in, (long) first * BATCH, BATCH, 16);
    block.memcpyAsync(out, 0, means, 0, 0, 16); // empty groups keep the number the same
    for (int batch = first; batch < batches; batch += block.gridSizeX()) {
      int next = batch + block.gridSizeX();
      int count = next < batches ? BATCH : 0;
      long from = count == 0 ? 0 : (long) next * BATCH;
      block.memcpyAsync(tiles, (stage ^ 1) * BATCH, in, from, count, 16);
      // Left are the batch before, on its way back, and the next one, on its way here.
      block.waitPrior(2);
      for (int i = block.threadRank(); i < BATCH; i += block.size()) {
        means.set(stage * BATCH + i, mean(tiles, stage * BATCH, i));
      }
      block.sync();
      block.memcpyAsync(out, (long) batch * BATCH, means, stage * BATCH, BATCH, 16);
      stage ^= 1;
    }
  }

  // @end

  /** One of the kernels above. */
  private interface Batches extends KernelMethod.Of3<GlobalFloats, GlobalFloats, Integer> {}

  /** A kernel that takes the number of stages as a parameter. */
  private interface Staged extends KernelMethod.Of4<GlobalFloats, GlobalFloats, Integer, Integer> {}

  /** Enqueues a launch. */
  private interface Launch {
    void on(Stream stream, Grid grid, GlobalFloats in, GlobalFloats out, int batches);
  }

  private record Form(String name, Launch launch) {
    static Form of(String name, Batches kernel) {
      return new Form(
          name, (stream, grid, in, out, batches) -> stream.launch(grid, kernel, in, out, batches));
    }

    static Form of(String name, Staged kernel) {
      return new Form(
          name,
          (stream, grid, in, out, batches) ->
              stream.launch(grid, kernel, in, out, batches, STAGES));
    }
  }

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      boolean small = arguments.length > 1 && arguments[1].equals("small");
      boolean measured = device.properties().driver().equals("cuda") && !small;
      int batches = measured ? 1 << 17 : 32;
      Grid grid = Grid.of(measured ? 8 * 132 : 4, THREADS);
      for (Form form :
          List.of(
              Form.of("plain loads", Example14CopiesInsideAKernel::synchronous),
              Form.of("one stage", Example14CopiesInsideAKernel::oneStage),
              Form.of("one stage, on a barrier", Example14CopiesInsideAKernel::onABarrier),
              Form.of("two stages", Example14CopiesInsideAKernel::twoStages),
              Form.of("four stages", Example14CopiesInsideAKernel::severalStages),
              Form.of("four stages, a warp copies", Example14CopiesInsideAKernel::byRoles),
              Form.of("two stages of each warp", Example14CopiesInsideAKernel::byEachWarp),
              Form.of("two stages, there and back", Example14CopiesInsideAKernel::thereAndBack))) {
        run(device, form, grid, batches, measured);
      }
    }
  }

  /**
   * Checks the variant, and on a GPU measures it: a virtual device's clock does not model stages.
   */
  private static void run(Device device, Form form, Grid grid, int batches, boolean measured) {
    int n = batches * BATCH;
    float[] numbers = new float[n];
    for (int i = 0; i < n; i++) {
      numbers[i] = i % 1000;
    }
    try (Stream stream = device.stream();
        GlobalFloats in = device.allocateFloats(n);
        GlobalFloats out = device.allocateFloats(n)) {
      stream.copy(numbers, in);
      form.launch.on(stream, grid, in, out, batches);
      float[] means = new float[n];
      stream.copy(out, means).await();
      System.out.printf("%-27s%s", form.name, isRight(numbers, means) ? "right" : "wrong");
      if (measured) {
        System.out.printf(
            "   %5.0f GB/s", 2.0 * Float.BYTES * n / nanos(stream, form, grid, in, out, batches));
      }
      System.out.println();
    }
  }

  private static boolean isRight(float[] numbers, float[] means) {
    for (int i = 0; i < numbers.length; i++) {
      int batch = i / BATCH * BATCH;
      float before = numbers[batch + (i - batch + BATCH - 1) % BATCH];
      float behind = numbers[batch + (i - batch + 1) % BATCH];
      if (means[i] != (before + numbers[i] + behind) / 3) {
        return false;
      }
    }
    return true;
  }

  private static double nanos(
      Stream stream, Form form, Grid grid, GlobalFloats in, GlobalFloats out, int batches) {
    return DeviceTime.nanos(stream, () -> form.launch.on(stream, grid, in, out, batches));
  }
}
