package dev.stretto.bench.steps;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.bench.options.Options;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.TensorMap;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Kernels whose threads wait for each other, on a virtual device, beside plain loops on one core.
 * Both are run in turn; the table has the medians.
 */
public final class StepBenchmarks {
  private static final int ROUNDS = 7;
  private static final String WARM_UPS = "--warm-ups";

  /** So many tiles go through the ring. */
  private static final int TILES = 10_000;

  private final Device device;
  private final int warmUps;
  private final PrintStream out;
  private final float[] in;
  private final float[] found;
  private final float[] expected;
  private int wrong;
  private double waits;

  private StepBenchmarks(Device device, int warmUps, PrintStream out, int side) {
    this.device = device;
    this.warmUps = warmUps;
    this.out = out;
    this.in = new float[side * side];
    this.found = new float[in.length];
    this.expected = new float[in.length];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < in.length; i++) {
      in[i] = (float) random.nextDouble();
    }
  }

  /** What is measured. */
  private interface Job {
    void run();
  }

  /**
   * Runs all of them.
   *
   * @param arguments {@code [--device NAME] [--side N] [--warm-ups N]}: the square of the side is
   *     the number of elements, 4096 by default, and it has to be a multiple of 128; the first
   *     rounds, 4 by default, are not counted
   * @param out receives a table
   * @return how many results were wrong
   * @throws IllegalArgumentException if there is no such option
   */
  public static int run(List<String> arguments, PrintStream out) {
    Options options = Options.of(arguments, "--device", "--side", WARM_UPS);
    int side = options.count("--side", 4096);
    String name = options.text("--device", "virtual:h200");
    try (Device device = Device.open(name)) {
      out.printf(
          Locale.ROOT,
          "%,d floats, blocks of %d threads, %s, %d cores%n%n",
          side * side,
          StepKernels.THREADS,
          name,
          Runtime.getRuntime().availableProcessors());
      out.println("| kernel | ms | GB/s read | loops, one core | times the loops |");
      out.println("|---|---|---|---|---|");
      StepBenchmarks benchmarks = new StepBenchmarks(device, options.count(WARM_UPS, 4), out, side);
      benchmarks.all(side);
      if (benchmarks.waits > 0) {
        out.printf(Locale.ROOT, "%n%.1f million waits for phases a second%n", benchmarks.waits);
      }
      return benchmarks.wrong;
    }
  }

  private void all(int side) {
    int blocks = in.length / StepKernels.THREADS;
    int copying = in.length / StepKernels.TILES / StepKernels.TILE;
    try (Stream stream = device.stream();
        GlobalFloats from = device.allocateFloats(in.length);
        GlobalFloats to = device.allocateFloats(in.length);
        GlobalInts bins = device.allocateInts(StepKernels.THREADS)) {
      stream.copy(in, from).await();
      Grid flat = Grid.of(blocks, StepKernels.THREADS);
      Grid square =
          new Grid(
              side / StepKernels.SIDE,
              side / StepKernels.SIDE,
              1,
              StepKernels.SIDE,
              StepKernels.SIDE,
              1,
              0);
      Grid few = Grid.of(copying, StepKernels.THREADS);
      measure(
          "reduction with barriers",
          stream,
          () -> stream.launch(flat, StepKernels::reduce, from, to),
          () -> Loops.reduce(in, expected));
      check(stream, to, blocks);
      measure(
          "reduction with shuffles",
          stream,
          () -> stream.launch(flat, StepKernels::reduceByShuffles, from, to),
          () -> Loops.reduceByShuffles(in, expected));
      check(stream, to, blocks);
      measure(
          "scan of a block",
          stream,
          () -> stream.launch(flat, StepKernels::scan, from, to),
          () -> Loops.scan(in, expected));
      check(stream, to, in.length);
      measure(
          "transpose",
          stream,
          () -> stream.launch(square, StepKernels::transpose, from, to, side),
          () -> Loops.transpose(in, expected, side));
      check(stream, to, in.length);
      scanAll(stream, flat, from);
      int[] counted = new int[StepKernels.THREADS];
      measure(
          "histogram",
          stream,
          () -> {
            stream.fill(bins, 0);
            stream.launch(flat, StepKernels::histogram, from, bins);
          },
          () -> {
            Arrays.fill(counted, 0);
            Loops.histogram(in, counted);
          });
      check(stream, bins, counted);
      measure(
          "`memcpyAsync`, groups",
          stream,
          () -> stream.launch(few, StepKernels::copies, from, to),
          () -> Loops.sums(in, expected));
      check(stream, to, copying * StepKernels.THREADS);
      measure(
          "`memcpyAsync`, barriers",
          stream,
          () -> stream.launch(few, StepKernels::copiesWithBarriers, from, to),
          () -> Loops.sums(in, expected));
      check(stream, to, copying * StepKernels.THREADS);
      stream.fill(to, 0f);
      measure(
          "`memcpyAsync`, pipeline with roles",
          stream,
          () -> stream.launch(few, StepKernels::copiesWithRoles, from, to),
          () -> Loops.sumsOfConsumers(in, expected));
      check(stream, to, copying * StepKernels.THREADS);
      if (device.properties().computeMajor() >= 9) {
        // Others have no such tensor maps, and less shared memory than the product takes.
        product(stream, side < 512 ? 256 : 512);
        double ms =
            measure(
                "phases, %,d tiles, one block".formatted(TILES),
                0,
                stream,
                () ->
                    stream.launch(
                        Grid.of(1, StepKernels.THREADS), StepKernels::phases, from, to, TILES),
                () -> Loops.phases(in, expected, TILES));
        check(stream, to, StepKernels.THREADS);
        waits = (long) StepKernels.THREADS * (TILES - StepKernels.STAGES) / ms * 1e-3;
        TensorMap map =
            TensorMap.of(from)
                .shape(StepKernels.BOX, in.length / StepKernels.BOX)
                .box(StepKernels.BOX, StepKernels.TILE / StepKernels.BOX)
                .build();
        measure(
            "boxes of a tensor, barriers",
            stream,
            () -> stream.launch(few, StepKernels::copiesOfTensor, map, to),
            () -> Loops.sums(in, expected));
        check(stream, to, copying * StepKernels.THREADS);
      }
    }
  }

  private void scanAll(Stream stream, Grid grid, GlobalFloats from) {
    int[] sums = new int[in.length];
    try (GlobalInts to = device.allocateInts(in.length);
        GlobalLongs ofBlocks = device.allocateLongs(grid.blocksX() + 1)) {
      measure(
          "scan of all, blocks look back",
          stream,
          () -> {
            stream.fill(ofBlocks, 0L);
            stream.launch(grid, StepKernels::scanAll, from, to, ofBlocks);
          },
          () -> Loops.scanAll(in, sums));
      check(stream, to, sums);
    }
  }

  private void product(Stream stream, int size) {
    try (Product product = new Product(device, stream, size)) {
      measure("product of %d³, `mma`".formatted(size), 0, stream, product::launch, product::loops);
      requireRight(product);
      measure(
          "product of %d³, tiles".formatted(size), 0, stream, product::launchTiles, product::loops);
      requireRight(product);
    }
  }

  private void requireRight(Product product) {
    if (!product.isRight()) {
      wrong++;
      out.println("wrong");
    }
  }

  private double measure(String name, Stream stream, Job kernel, Job loops) {
    return measure(name, 4L * in.length, stream, kernel, loops);
  }

  private double measure(String name, long bytes, Stream stream, Job kernel, Job loops) {
    double[] ours = new double[ROUNDS];
    double[] theirs = new double[ROUNDS];
    for (int round = -warmUps; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      kernel.run();
      stream.await();
      long middle = System.nanoTime();
      loops.run();
      long end = System.nanoTime();
      if (round >= 0) {
        ours[round] = (middle - begin) * 1e-6;
        theirs[round] = (end - middle) * 1e-6;
      }
    }
    double median = median(ours);
    String rate = bytes == 0 ? "–" : "%.2f".formatted(1e-6 * bytes / median);
    out.printf(
        Locale.ROOT,
        "| %s | %.1f | %s | %.1f | %.1f |%n",
        name,
        median,
        rate,
        median(theirs),
        median / median(theirs));
    out.flush();
    return median;
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }

  private void check(Stream stream, GlobalFloats array, int count) {
    stream.copy(array.slice(0, count), MemorySegment.ofArray(found).asSlice(0, 4L * count)).await();
    if (!Arrays.equals(found, 0, count, expected, 0, count)) {
      wrong++;
      out.println("wrong");
    }
  }

  private void check(Stream stream, GlobalInts array, int[] counted) {
    int[] found = new int[counted.length];
    stream.copy(array, found).await();
    if (!Arrays.equals(found, counted)) {
      wrong++;
      out.println("wrong");
    }
  }
}
