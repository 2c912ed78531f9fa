package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;
import java.util.List;

/**
 * A matrix whose cells are computed from their four neighbours, tile by tile in shared memory. Each
 * tile is loaded with a border around it in several ways: by plain loads, asynchronously row by
 * row, one tile ahead, several ahead, and as boxes of a tensor.
 */
final class Example16Stencil {
  // @start region="extents"
  /** A tile's columns: two threads each, one for the upper rows and one for the lower ones. */
  private static final int COLUMNS = 128;

  /** A tile's rows: together with the rows above and below, two for each warp. */
  private static final int ROWS = 14;

  /** Columns fetched left and right of a tile: one is used, four are 16 bytes. */
  private static final int HALO = 4;

  private static final int PITCH = HALO + COLUMNS + HALO;
  private static final int TILE = (ROWS + 2) * PITCH;
  // @end

  private static final int THREADS = 2 * COLUMNS;
  private static final int WARPS = THREADS / 32;
  private static final int ROWS_OF_WARP = (ROWS + 2) / WARPS;
  private static final int STAGES = 4;

  private Example16Stencil() {}

  // @start region="place"
  /** The position of a tile in the matrix, and the part of the rows that it fetches. */
  private record Place(int left, int top, int width, int height) {
    static Place of(int tile, int width, int height) {
      int across = (width + COLUMNS - 1) / COLUMNS;
      return new Place(tile % across * COLUMNS, tile / across * ROWS, width, height);
    }

    /** The first column: nothing is left of the matrix. */
    int from() {
      return Math.max(left - HALO, 0);
    }

    /** How many columns: nothing is right of the matrix. */
    int count() {
      return Math.min(left + COLUMNS + HALO, width) - from();
    }

    /** Where a row begins in the matrix; beyond the edge, the edge again, which is not used. */
    long source(int row) {
      return (long) Math.min(Math.max(top + row - 1, 0), height - 1) * width + from();
    }

    /** Where it begins in the tile. */
    int target(int row) {
      return row * PITCH + from() - (left - HALO);
    }
  }

  private static int tiles(int width, int height) {
    return (width + COLUMNS - 1) / COLUMNS * ((height + ROWS - 1) / ROWS);
  }

  // @end

  // @start region="compute"
  /** A thread goes down half a column; cells at the matrix's edge stay as they are. */
  private static void compute(SharedFloats tiles, int at, GlobalFloats out, Place place, int rank) {
    int x = place.left + rank % COLUMNS;
    int first = rank / COLUMNS * (ROWS / 2);
    int from = at + (first + 1) * PITCH + HALO + rank % COLUMNS;
    float above = tiles.get(from - PITCH);
    float here = tiles.get(from);
    for (int i = 0; i < ROWS / 2; i++) {
      int y = place.top + first + i;
      float below = tiles.get(from + (i + 1) * PITCH);
      if (x < place.width && y < place.height) {
        float result = here;
        if (x > 0 && x < place.width - 1 && y > 0 && y < place.height - 1) {
          float left = tiles.get(from + i * PITCH - 1);
          float right = tiles.get(from + i * PITCH + 1);
          result = 0.5f * here + 0.125f * (above + below + (left + right));
        }
        out.set((long) y * place.width + x, result);
      }
      above = here;
      here = below;
    }
  }

  // @end

  // @start region="synchronous"
  @Kernel
  static void synchronous(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    SharedFloats tiles = block.sharedFloats(TILE);
    int rank = block.threadRank();
    for (int tile = block.blockIndexX(); tile < tiles(width, height); tile += block.gridSizeX()) {
      Place place = Place.of(tile, width, height);
      for (int i = rank; i < TILE; i += THREADS) {
        int x = place.left - HALO + i % PITCH;
        int y = place.top - 1 + i / PITCH;
        if (x >= 0 && x < width && y >= 0 && y < height) {
          tiles.set(i, in.get((long) y * width + x));
        }
      }
      block.sync();
      compute(tiles, 0, out, place, rank);
      block.sync();
    }
  }

  // @end

  // @start region="one"
  /** Begins to copy a tile: two rows for each warp, and each row is a group. */
  private static void fetch(Warp warp, SharedFloats tiles, int at, GlobalFloats in, Place place) {
    for (int i = 0; i < ROWS_OF_WARP; i++) {
      int row = i * WARPS + warp.index();
      warp.memcpyAsync(tiles, at + place.target(row), in, place.source(row), place.count(), 16);
    }
  }

  @Kernel
  static void oneStage(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    SharedFloats tiles = block.sharedFloats(TILE);
    for (int tile = block.blockIndexX(); tile < tiles(width, height); tile += block.gridSizeX()) {
      Place place = Place.of(tile, width, height);
      fetch(block.warp(), tiles, 0, in, place);
      block.waitAll();
      compute(tiles, 0, out, place, block.threadRank());
      block.sync();
    }
  }

  // @end

  // @start region="two"
  @Kernel
  static void twoStages(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    SharedFloats tiles = block.sharedFloats(2 * TILE);
    int all = tiles(width, height);
    int stage = 0;
    fetch(block.warp(), tiles, 0, in, Place.of(block.blockIndexX(), width, height));
    for (int tile = block.blockIndexX(); tile < all; tile += block.gridSizeX()) {
      int next = tile + block.gridSizeX();
      if (next < all) {
        fetch(block.warp(), tiles, (stage ^ 1) * TILE, in, Place.of(next, width, height));
        block.waitPrior(ROWS_OF_WARP);
      } else {
        block.waitAll();
      }
      compute(tiles, stage * TILE, out, Place.of(tile, width, height), block.threadRank());
      block.sync();
      stage ^= 1;
    }
  }

  // @end

  // @start region="several"
  @Kernel
  static void severalStages(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      int width,
      int height,
      @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * TILE);
    Pipeline pipeline = block.pipeline(stages);
    Warp warp = block.warp();
    int all = tiles(width, height);
    int ahead = block.blockIndexX();
    for (int tile = ahead; tile < all; tile += block.gridSizeX()) {
      while (ahead < all && ahead < tile + stages * block.gridSizeX()) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * TILE;
        Place place = Place.of(ahead, width, height);
        for (int row = warp.index(); row < ROWS + 2; row += WARPS) {
          warp.memcpyAsync(
              tiles, at + place.target(row), in, place.source(row), place.count(), 16, pipeline);
        }
        pipeline.producerCommit();
        ahead += block.gridSizeX();
      }
      pipeline.consumerWait();
      int at = pipeline.consumerStage() * TILE;
      compute(tiles, at, out, Place.of(tile, width, height), block.threadRank());
      pipeline.consumerRelease();
    }
  }

  // @end

  // @start region="boxes"
  @Kernel
  static void byBoxes(
      ThreadBlock block, TensorMap in, GlobalFloats out, int width, int height, @Const int stages) {
    SharedFloats tiles = block.sharedFloats(stages * TILE);
    Pipeline pipeline = block.pipeline(stages);
    int all = tiles(width, height);
    int ahead = block.blockIndexX();
    for (int tile = ahead; tile < all; tile += block.gridSizeX()) {
      while (ahead < all && ahead < tile + stages * block.gridSizeX()) {
        pipeline.producerAcquire();
        int at = pipeline.producerStage() * TILE;
        Place place = Place.of(ahead, width, height);
        TensorTiles.memcpyAsync(
            block, tiles, at, in, place.left - HALO, place.top - 1, TILE, pipeline);
        pipeline.producerCommit();
        ahead += block.gridSizeX();
      }
      pipeline.consumerWait();
      int at = pipeline.consumerStage() * TILE;
      compute(tiles, at, out, Place.of(tile, width, height), block.threadRank());
      pipeline.consumerRelease();
    }
  }

  // @end

  /** One of the first kernels above. */
  private interface Tiled extends KernelMethod.Of4<GlobalFloats, GlobalFloats, Integer, Integer> {}

  /** A matrix, its result, and the grid. */
  private record Job(Grid grid, GlobalFloats in, GlobalFloats out, int width, int height) {
    TensorMap boxes() {
      // @start region="map"
      return TensorMap.of(in).shape(width, height).box(PITCH, ROWS + 2).build();
      // @end
    }
  }

  /** Enqueues a launch. */
  private interface Launch {
    void on(Stream stream, Job job);
  }

  private record Form(String name, Launch launch) {
    static Form of(String name, Tiled kernel) {
      return new Form(
          name,
          (stream, job) -> stream.launch(job.grid, kernel, job.in, job.out, job.width, job.height));
    }

    static List<Form> all() {
      return List.of(
          of("plain loads", Example16Stencil::synchronous),
          of("one stage", Example16Stencil::oneStage),
          of("two stages", Example16Stencil::twoStages),
          new Form(
              "four stages",
              (stream, job) ->
                  stream.launch(
                      job.grid,
                      Example16Stencil::severalStages,
                      job.in,
                      job.out,
                      job.width,
                      job.height,
                      STAGES)),
          new Form(
              "four stages, boxes",
              (stream, job) ->
                  stream.launch(
                      job.grid,
                      Example16Stencil::byBoxes,
                      job.boxes(),
                      job.out,
                      job.width,
                      job.height,
                      STAGES)));
    }
  }

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      boolean small = arguments.length > 1 && arguments[1].equals("small");
      boolean measured = device.properties().driver().equals("cuda") && !small;
      int width = measured ? 8192 : 300;
      int height = measured ? 8192 : 59;
      Grid grid = Grid.of(measured ? 4 * 132 : 2, THREADS);
      float[] matrix = new float[width * height];
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] = i % 1009;
      }
      try (Stream stream = device.stream();
          GlobalFloats in = device.allocateFloats(matrix.length);
          GlobalFloats out = device.allocateFloats(matrix.length)) {
        stream.copy(matrix, in);
        Job job = new Job(grid, in, out, width, height);
        for (Form form : Form.all()) {
          System.out.printf("%-20s%s%n", form.name, result(stream, form, job, matrix, measured));
        }
      }
    }
  }

  /**
   * Checks the variant, and on a GPU measures it: a virtual device's clock does not model stages.
   */
  private static String result(
      Stream stream, Form form, Job job, float[] matrix, boolean measured) {
    try {
      stream.fill(job.out, -1);
      form.launch.on(stream, job);
    } catch (KernelRefusedException e) {
      return String.valueOf(e.getMessage()); // boxes need compute capability 9.0
    }
    float[] cells = new float[matrix.length];
    stream.copy(job.out, cells).await();
    if (!isRight(matrix, cells, job.width, job.height)) {
      return "wrong";
    }
    double bytes = 2.0 * Float.BYTES * matrix.length;
    return measured ? "right   %5.0f GB/s".formatted(bytes / nanos(stream, form, job)) : "right";
  }

  private static boolean isRight(float[] matrix, float[] cells, int width, int height) {
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int i = y * width + x;
        float expected = matrix[i];
        if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
          float across = matrix[i - 1] + matrix[i + 1];
          float beside = matrix[i - width] + matrix[i + width] + across;
          expected = 0.5f * matrix[i] + 0.125f * beside;
        }
        if (cells[i] != expected) {
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
