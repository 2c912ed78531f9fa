package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;
import java.util.List;

/**
 * A matrix transposed tile by tile: by plain loads and stores, and as boxes that come in and go out
 * through tensor maps: one at a time, one ahead, several ahead, and swizzled.
 */
final class Example18TransposeByTensorMap {
  /** Rows and columns of a tile: a row has 128 bytes, the span of a swizzle. */
  private static final int SIDE = 32;

  private static final int TILE = SIDE * SIDE;

  /** Each thread takes four elements of a row, and puts them into a column. */
  private static final int THREADS = TILE / 4;

  private static final int STAGES = 4;

  private Example18TransposeByTensorMap() {}

  // @start region="synchronous"
  @Kernel
  static void synchronous(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    // A gap after each row puts the elements of a column into different banks.
    SharedFloats tile = block.sharedFloats(SIDE * (SIDE + 1));
    int across = width / SIDE;
    int column = block.threadRank() % SIDE;
    int first = block.threadRank() / SIDE;
    for (int at = block.blockIndexX(); at < across * (height / SIDE); at += block.gridSizeX()) {
      int x = at % across * SIDE;
      int y = at / across * SIDE;
      for (int row = first; row < SIDE; row += THREADS / SIDE) {
        tile.set(row * (SIDE + 1) + column, in.get((long) (y + row) * width + x + column));
      }
      block.sync();
      for (int row = first; row < SIDE; row += THREADS / SIDE) {
        out.set((long) (x + row) * height + y + column, tile.get(column * (SIDE + 1) + row));
      }
      block.sync();
    }
  }

  // @end

  // @start region="turn"
  /** Four elements of a row of the tile become four of a column, one below the other. */
  private static void turn(
      SharedFloats tiles, int at, SharedFloats turned, int to, int rank, boolean swizzled) {
    int row = rank % SIDE;
    int column = rank / SIDE * 4;
    int place = at + row * SIDE + column;
    if (swizzled) {
      int inBytes = place * Float.BYTES;
      place = (inBytes ^ (inBytes >> 3 & 0x70)) / Float.BYTES;
    }
    Float4 four = tiles.get4(place);
    turned.set(to + column * SIDE + row, four.x());
    turned.set(to + (column + 1) * SIDE + row, four.y());
    turned.set(to + (column + 2) * SIDE + row, four.z());
    turned.set(to + (column + 3) * SIDE + row, four.w());
  }

  // @end

  // @start region="one"
  @Kernel
  static void oneStage(ThreadBlock block, TensorMap in, TensorMap out, int width, int height) {
    SharedFloats tile = block.sharedFloats(TILE);
    SharedFloats turned = block.sharedFloats(TILE);
    Barrier arrived = block.barrier();
    int across = width / SIDE;
    for (int at = block.blockIndexX(); at < across * (height / SIDE); at += block.gridSizeX()) {
      int x = at % across * SIDE;
      int y = at / across * SIDE;
      TensorTiles.memcpyAsync(block, tile, 0, in, x, y, TILE, arrived);
      arrived.arriveAndWait();
      turn(tile, 0, turned, 0, block.threadRank(), false);
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (block.threadRank() == 0) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(out, y, x, turned, 0);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        // Before this thread arrives for the next tile: until then no thread writes there.
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
    }
  }

  // @end

  // @start region="store"
  /** Stores a tile that all threads have written; then the place of the one before is free. */
  private static void store(
      ThreadBlock block, TensorMap out, int x, int y, SharedFloats turned, int from) {
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(out, x, y, turned, from * Float.BYTES);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
    }
  }

  // @end

  // @start region="two"
  @Kernel
  static void twoStages(ThreadBlock block, TensorMap in, TensorMap out, int width, int height) {
    SharedFloats tiles = block.sharedFloats(2 * TILE);
    SharedFloats turned = block.sharedFloats(2 * TILE);
    Barrier arrived = block.barrier();
    int across = width / SIDE;
    int all = across * (height / SIDE);
    int stage = 0;
    int at = block.blockIndexX();
    TensorTiles.memcpyAsync(
        block, tiles, 0, in, at % across * SIDE, at / across * SIDE, TILE, arrived);
    while (at < all) {
      arrived.arriveAndWait();
      int next = at + block.gridSizeX();
      if (next < all) {
        int x = next % across * SIDE;
        int y = next / across * SIDE;
        TensorTiles.memcpyAsync(block, tiles, (stage ^ 1) * TILE, in, x, y, TILE, arrived);
      }
      turn(tiles, stage * TILE, turned, stage * TILE, block.threadRank(), false);
      store(block, out, at / across * SIDE, at % across * SIDE, turned, stage * TILE);
      stage ^= 1;
      at = next;
    }
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  // @end

  // @start region="several"
  @Kernel
  static void severalStages(
      ThreadBlock block,
      TensorMap in,
      TensorMap out,
      int width,
      int height,
      @Const int stages,
      @Const boolean swizzled) {
    SharedFloats tiles = block.sharedFloats(stages * TILE);
    SharedFloats turned = block.sharedFloats(2 * TILE);
    Pipeline pipeline = block.pipeline(stages);
    int across = width / SIDE;
    int all = across * (height / SIDE);
    int to = 0;
    int ahead = block.blockIndexX();
    for (int at = ahead; at < all; at += block.gridSizeX()) {
      while (ahead < all && ahead < at + stages * block.gridSizeX()) {
        pipeline.producerAcquire();
        int x = ahead % across * SIDE;
        int y = ahead / across * SIDE;
        int stage = pipeline.producerStage() * TILE;
        TensorTiles.memcpyAsync(block, tiles, stage, in, x, y, TILE, pipeline);
        pipeline.producerCommit();
        ahead += block.gridSizeX();
      }
      pipeline.consumerWait();
      int from = pipeline.consumerStage() * TILE;
      turn(tiles, from, turned, to, block.threadRank(), swizzled);
      pipeline.consumerRelease();
      store(block, out, at / across * SIDE, at % across * SIDE, turned, to);
      to ^= TILE;
    }
    PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
  }

  // @end

  /** One of the kernels above that take maps and no constants. */
  private interface Mapped extends KernelMethod.Of4<TensorMap, TensorMap, Integer, Integer> {}

  /** A matrix, its transpose, and the grid. */
  private record Job(Grid grid, GlobalFloats in, GlobalFloats out, int width, int height) {
    TensorMap boxesIn(TensorMap.Swizzle swizzle) {
      // @start region="map"
      return TensorMap.of(in).shape(width, height).box(SIDE, SIDE).swizzle(swizzle).build();
      // @end
    }

    TensorMap boxesOut() {
      return TensorMap.of(out).shape(height, width).box(SIDE, SIDE).build();
    }
  }

  /** Enqueues a launch. */
  private interface Launch {
    void on(Stream stream, Job job);
  }

  private record Form(String name, Launch launch) {
    static Form of(String name, Mapped kernel) {
      return new Form(
          name,
          (stream, job) ->
              stream.launch(
                  job.grid,
                  kernel,
                  job.boxesIn(TensorMap.Swizzle.NONE),
                  job.boxesOut(),
                  job.width,
                  job.height));
    }

    static Form ofStages(String name, TensorMap.Swizzle swizzle) {
      boolean swizzled = swizzle != TensorMap.Swizzle.NONE;
      return new Form(
          name,
          (stream, job) ->
              stream.launch(
                  job.grid,
                  Example18TransposeByTensorMap::severalStages,
                  job.boxesIn(swizzle),
                  job.boxesOut(),
                  job.width,
                  job.height,
                  STAGES,
                  swizzled));
    }

    static List<Form> all() {
      return List.of(
          new Form(
              "plain loads and stores",
              (stream, job) ->
                  stream.launch(
                      job.grid,
                      Example18TransposeByTensorMap::synchronous,
                      job.in,
                      job.out,
                      job.width,
                      job.height)),
          of("one stage", Example18TransposeByTensorMap::oneStage),
          of("two stages", Example18TransposeByTensorMap::twoStages),
          ofStages("four stages", TensorMap.Swizzle.NONE),
          ofStages("four stages, swizzled", TensorMap.Swizzle.BYTES_128));
    }
  }

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      boolean small = arguments.length > 1 && arguments[1].equals("small");
      boolean measured = device.properties().driver().equals("cuda") && !small;
      int width = measured ? 8192 : 5 * SIDE;
      int height = measured ? 8192 : 3 * SIDE;
      Grid grid = Grid.of(measured ? 4 * 132 : 2, THREADS);
      float[] matrix = new float[width * height];
      for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
          matrix[row * width + column] = element(row, column);
        }
      }
      try (Stream stream = device.stream();
          GlobalFloats in = device.allocateFloats(matrix.length);
          GlobalFloats out = device.allocateFloats(matrix.length)) {
        stream.copy(matrix, in);
        Job job = new Job(grid, in, out, width, height);
        for (Form form : Form.all()) {
          System.out.printf("%-24s%s%n", form.name, result(stream, form, job, measured));
        }
      }
    }
  }

  /** A number that is exact, and differs from those at places around it. */
  private static float element(int row, int column) {
    return (row * 1009 + column * 31) & 0xffffff;
  }

  /**
   * Checks the variant, and on a GPU measures it: a virtual device's clock does not model stages.
   */
  private static String result(Stream stream, Form form, Job job, boolean measured) {
    try {
      stream.fill(job.out, -1);
      form.launch.on(stream, job);
    } catch (KernelRefusedException e) {
      return String.valueOf(e.getMessage()); // needs compute capability 9.0
    }
    float[] transpose = new float[job.width * job.height];
    stream.copy(job.out, transpose).await();
    if (!isRight(transpose, job.width, job.height)) {
      return "wrong";
    }
    double bytes = 2.0 * Float.BYTES * transpose.length;
    return measured ? "right   %5.0f GB/s".formatted(bytes / nanos(stream, form, job)) : "right";
  }

  private static boolean isRight(float[] transpose, int width, int height) {
    for (int row = 0; row < width; row++) {
      for (int column = 0; column < height; column++) {
        if (transpose[row * height + column] != element(column, row)) {
          return false;
        }
      }
    }
    return true;
  }

  private static double nanos(Stream stream, Form form, Job job) {
    return DeviceTime.nanos(stream, () -> form.launch.on(stream, job));
  }
}
